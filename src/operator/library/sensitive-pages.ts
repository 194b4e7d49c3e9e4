import { type Static, Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { findImportJob } from '../../exchange/index.ts';
import {
  confirmSensitive,
  countMarkedByWords,
  denySensitive,
  listMarkedByWords,
  servicePath,
} from '../../library/index.ts';
import {
  type FormErrors,
  readChoices,
  readFields,
  readUntrimmedFields,
  toFormErrors,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';

const sensitivePath = '/operator/library/sensitive';
const pageLength = 50;
const decidedCount = Type.Optional(Type.Integer({ minimum: 0, maximum: pageLength }));
const querystring = Type.Object({
  import: Type.Optional(Type.String({ maxLength: 50 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  confirmed: decidedCount,
  denied: decidedCount,
});

/** The page of services that the site marked as sensitive because of their words, for an operator to confirm. */
export function sensitivePages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));

  app.get(sensitivePath, { config, schema: { querystring } }, (request, reply) =>
    show(deps, request, reply, request.query),
  );

  app.post(sensitivePath, { config, schema: { querystring, body: anyForm } }, async (request, reply) => {
    const { action } = readFields(request.body, ['action']);
    if (action === 'none') return sayNoneIs(deps, request, reply, request.query);
    const ids = readChoices(request.body, 'service').slice(0, pageLength);
    let confirmed = 0;
    for (const id of ids) {
      if (await confirmSensitive(deps, requireCaller(request), { id, ipAddress: request.ip })) confirmed += 1;
    }
    const { import: importId, page } = request.query;
    return reply.redirect(pathOf({ importId, page, confirmed }), 303);
  });
}

type Refused = { errors: FormErrors; reason: string };

async function show(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { import: importId, page: requestedPage = 1, confirmed, denied }: Static<typeof querystring>,
  refused?: Refused,
): Promise<Reply> {
  const job =
    importId === undefined ? undefined : await requireById(importId, (id) => findImportJob(deps.db, id));
  const total = await countMarkedByWords(deps.db, job?.id);
  // There may be fewer pages than before, because services were confirmed meanwhile.
  const number = Math.min(requestedPage, Math.max(1, Math.ceil(total / pageLength)));
  const offset = (number - 1) * pageLength;
  const rows = await listMarkedByWords(deps.db, { importId: job?.id, limit: pageLength, offset });
  const hrefOf = (number: number) => pathOf({ importId: job?.id, page: number });
  return deps.pages.send(request, reply, 'operator/library/templates/sensitive.njk', {
    rows: rows.map((row) => ({ ...row, href: `${servicePath(row.id)}/referral-settings` })),
    job,
    total,
    first: offset + 1,
    last: offset + rows.length,
    action: pathOf({ importId: job?.id, page: number }),
    previousHref: number > 1 ? hrefOf(number - 1) : undefined,
    nextHref: offset + rows.length < total ? hrefOf(number + 1) : undefined,
    done: doneInWords({ confirmed, denied }),
    ...refused,
  });
}

/** Of those that the page showed, and no others that came meanwhile. */
async function sayNoneIs(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  query: Static<typeof querystring>,
): Promise<Reply> {
  const ids = readChoices(request.body, 'shown').slice(0, pageLength);
  const { reason } = readUntrimmedFields(request.body, ['reason']);
  try {
    const denied = await denySensitive(deps, requireCaller(request), { ids, reason, ipAddress: request.ip });
    return reply.redirect(pathOf({ importId: query.import, page: query.page, denied }), 303);
  } catch (error) {
    requireRefusal(error, [unprocessable]);
    const errors = toFormErrors({ reason: 'The reason' }, error);
    return show(deps, request, reply.code(unprocessable.status), query, { errors, reason });
  }
}

function doneInWords({
  confirmed,
  denied,
}: {
  confirmed?: number | undefined;
  denied?: number | undefined;
}): string | undefined {
  if (confirmed !== undefined) return confirmedInWords(confirmed);
  if (denied === undefined) return undefined;
  if (denied === 0) return 'Nothing was changed: somebody has decided about these services before.';
  const services = denied === 1 ? '1 service is' : `${denied} services are`;
  return `${services} not sensitive any more. All operators are told.`;
}

function confirmedInWords(count: number): string {
  if (count === 0) return 'Nothing was confirmed: tick services first.';
  return count === 1
    ? 'The service was confirmed as sensitive.'
    : `${count} services were confirmed as sensitive.`;
}

type PageAddress = {
  importId?: string | undefined;
  page?: number | undefined;
  confirmed?: number;
  denied?: number;
};

function pathOf({ importId, page, confirmed, denied }: PageAddress): string {
  const query = new URLSearchParams({
    ...(importId !== undefined && { import: importId }),
    ...(page !== undefined && page > 1 && { page: String(page) }),
    ...(confirmed !== undefined && { confirmed: String(confirmed) }),
    ...(denied !== undefined && { denied: String(denied) }),
  });
  return query.size === 0 ? sensitivePath : `${sensitivePath}?${query}`;
}
