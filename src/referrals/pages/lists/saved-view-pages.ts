import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../../accounts/index.ts';
import {
  type FormErrors,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
} from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../../platform/problem/index.ts';
import { countWorkRows, workCountText, workTabs } from '../../listing/worklist/list-work.ts';
import { maxSavedViews, removeView, renameView, saveView } from '../../listing/worklist/saved-views.ts';
import { listSavedViews } from '../../listing/worklist/saved-views-store.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { statusName } from '../../model/presentation/words.ts';
import { filterWords, pathTo, readWorklistRequest, sorts, worklistRoles } from './list-request.ts';

type Deps = ReferralDeps & WebPlatform;

const path = '/referrals/views';
const config = page(signedIn(...worklistRoles));
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

const done = successBanner({
  renamed: 'The view has its new name.',
  deleted: 'The view was deleted. Its referrals stay where they are.',
});

/** Where people save a worklist under a name, rename it and delete it. */
export function savedViewPages(app: App, deps: Deps): void {
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config, schema: { hide: true, querystring } }, (request, reply) =>
    send(deps, request, reply, { done: done.words(request.query.done) }),
  );

  app.post(path, { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const { name, query } = readUntrimmedFields(request.body, ['name', 'query']);
    const caller = requireCaller(request);
    const { chosen } = readQuery(caller, query);
    try {
      await saveView(deps, caller, { name, query: String(new URLSearchParams(chosen)) });
    } catch (error) {
      const begun = { name, query, errors: errorsFor('name', error) };
      return send(deps, request, reply.code(unprocessable.status), { begun });
    }
    return reply.redirect(pathTo({ ...chosen, done: 'view-saved' }), 303);
  });

  const schema = { hide: true, params, body: anyForm } as const;
  app.post(`${path}/:id/rename`, { config, schema }, async (request, reply) => {
    const { id } = request.params;
    const { name } = readUntrimmedFields(request.body, ['name']);
    try {
      await renameView(deps, requireCaller(request), { id, name });
    } catch (error) {
      const renamed = { id, name, errors: errorsFor(`name-${id}`, error) };
      return send(deps, request, reply.code(unprocessable.status), { renamed });
    }
    return reply.redirect(done.path(path, 'renamed'), 303);
  });

  app.post(`${path}/:id/delete`, { config, schema }, async (request, reply) => {
    await removeView(deps, requireCaller(request), request.params.id);
    return reply.redirect(done.path(path, 'deleted'), 303);
  });
}

type NameForm = { name: string; errors: FormErrors };
type PageState = {
  done?: string | undefined;
  begun?: NameForm & { query: string };
  renamed?: NameForm & { id: string };
};

async function send(deps: Deps, request: Request, reply: Reply, { begun, renamed, ...shown }: PageState) {
  const caller = requireCaller(request);
  const views = await listOwnViews(deps, caller);
  return deps.pages.send(request, reply, 'referrals/pages/templates/lists/saved-views.njk', {
    ...shown,
    errors: begun?.errors ?? renamed?.errors,
    begun: begun && { ...begun, words: requestInWords(caller, begun.query) },
    views: views.map((view) => ({
      ...view,
      words: requestInWords(caller, view.query),
      nameInForm: view.id === renamed?.id ? renamed.name : view.name,
      error: view.id === renamed?.id ? Object.values(renamed.errors.fields)[0] : undefined,
    })),
    maxSavedViews,
  });
}

/** The error, for the field with this id. @throws the error itself if it is not about the name */
function errorsFor(field: string, error: unknown): FormErrors {
  requireRefusal(error, [unprocessable]);
  const { summary, fields } = toFormErrors({ name: 'Name' }, error);
  return { summary: summary.map((each) => ({ ...each, href: `#${field}` })), fields };
}

export type SavedViewLink = { id: string; name: string; query: string; href: string };

/** The views that the caller saved of lists that they may still see, as links. */
export async function listOwnViews({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<SavedViewLink[]> {
  const views = await listSavedViews(db, caller.accountId);
  return views
    .map((view) => ({ ...view, ...readQuery(caller, view.query) }))
    .filter(({ query, chosen }) => new URLSearchParams(query).get('view') === chosen.view)
    .map(({ id, name, query, chosen }) => ({ id, name, query, href: pathTo(chosen) }));
}

/** The same, with how many referrals each has. */
export async function listViewCounts(
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
): Promise<{ text: string; count: string; href: string; isQuiet: boolean }[]> {
  const counted = [];
  for (const { name, query, href } of await listOwnViews(deps, caller)) {
    const count = await countWorkRows(deps, caller, readQuery(caller, query).work);
    counted.push({ text: name, count: workCountText(count), href, isQuiet: count === 0 });
  }
  return counted;
}

function readQuery(caller: Caller, query: string) {
  return readWorklistRequest(caller, Object.fromEntries(new URLSearchParams(query)));
}

/** What a list shows: “Referrals to your services: New, mine, urgent, due soonest”. */
function requestInWords(caller: Caller, query: string): string {
  const { list, chosen, work } = readQuery(caller, query);
  const parts = [
    workTabs[list.name].find(({ name }) => name === work.tab)?.text,
    work.status && statusName(work.status),
    work.serviceId && 'one service',
    work.referrerOrganisationId && 'one referrer',
    work.ownerId && 'one colleague',
    work.mineOnly && 'mine',
    ...list.filters.filter((name) => chosen[name] === 'yes').map((name) => filterWords[name]),
    sorts.find(({ name }) => name === chosen.sort)?.text,
  ].filter((part) => part !== undefined && part !== false && part !== '');
  return `${list.title}: ${parts.join(', ').toLowerCase()}`;
}
