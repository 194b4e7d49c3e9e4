import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { cursorAfter, readCursor } from '../../cursor.ts';
import { servicePath } from '../../view/links.ts';
import { ownOrganizationId } from '../may-edit.ts';
import { type KeptService, type ListPart, listKept, listOverdue } from '../review-store.ts';
import { capacityWords } from './manage-view.ts';

const pageLength = 25;
const dayMs = 86_400_000;
const querystring = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 500 })) });

/** The services of a provider's organisation, and what is overdue: theirs for a provider, all for an operator. */
export function listPages(app: App, deps: WebPlatform): void {
  const provider = page(signedIn('provider'));
  app.get('/library', { config: provider, schema: { querystring } }, (request, reply) =>
    sendList(deps, request, reply, 'library/templates/own-services.njk', '/library', (part) =>
      listKept(deps.db, part),
    ),
  );
  for (const [path, config] of [
    ['/library/review', provider],
    ['/operator/library/review', page(signedIn('operator'))],
  ] as const) {
    app.get(path, { config, schema: { querystring } }, (request, reply) =>
      sendList(deps, request, reply, 'library/templates/review.njk', path, (part) => overdue(deps, part)),
    );
  }
}

function overdue({ db, clock, settings }: WebPlatform, part: ListPart): Promise<KeptService[]> {
  const now = clock.now().getTime();
  const checkedBefore = new Date(now - settings.libraryReviewDays * dayMs).toISOString().slice(0, 10);
  const saidBefore = new Date(now - settings.capacityReviewDays * dayMs);
  return listOverdue(db, { ...part, checkedBefore, saidBefore });
}

async function sendList(
  { pages, settings }: WebPlatform,
  request: Request,
  reply: Reply,
  template: string,
  path: string,
  find: (part: ListPart) => Promise<KeptService[]>,
): Promise<Reply> {
  const { cursor } = request.query as { cursor?: string };
  const organizationId = path.startsWith('/operator')
    ? null
    : (ownOrganizationId(requireCaller(request)) ?? '');
  const found = await find({
    organizationId,
    afterId: readCursor(cursor, /^[^\0]+$/),
    limit: pageLength + 1,
  });
  const shown = found.slice(0, pageLength);
  const next = found.length > pageLength ? cursorAfter(shown.at(-1)!.id) : undefined;
  return pages.send(request, reply, template, {
    listPath: path,
    rows: shown.map((service) => ({
      ...service,
      path: servicePath(service.id),
      capacity: service.capacity && capacityWords[service.capacity],
    })),
    firstPage: cursor === undefined,
    nextHref: next && `${path}?${new URLSearchParams({ cursor: next })}`,
    reviewDays: settings.libraryReviewDays,
    capacityDays: settings.capacityReviewDays,
  });
}
