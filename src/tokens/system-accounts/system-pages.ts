import { Type } from 'typebox';
import {
  actorOf,
  findSystem,
  listPossibleOwners,
  listSystemsOf,
  requireCaller,
  type System,
  transferSystem,
} from '../../accounts/index.ts';
import { type FormErrors, readFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { listEndingUses } from '../deprecated-uses/deprecated-uses.ts';
import type { TokenDeps } from '../model/token-services.ts';
import { namedKeyPages } from '../named-keys/named-key-pages.ts';
import { listNamedKeys } from '../named-keys/named-keys-store.ts';

type Deps = TokenDeps & WebPlatform;

const path = '/system-accounts';
const folder = 'tokens/system-accounts/templates';
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const config = page(signedIn(), { needsRecentSignIn: true });

const listDone = successBanner({
  'handed-on': 'Somebody else owns the system now, and gets an email about it.',
});
const systemDone = successBanner({ 'key-revoked': 'The key was revoked.' });

/** The pages for owners of system accounts. */
export function systemPages(app: App, deps: Deps): void {
  app.get(
    path,
    { config: page(signedIn()), schema: { querystring: Type.Object({ done: listDone.query }) } },
    async (request, reply) =>
      deps.pages.send(request, reply, `${folder}/systems.njk`, {
        systems: await listSystemsOf(deps.db, requireCaller(request).accountId),
        done: listDone.words(request.query.done),
      }),
  );

  app.get(
    `${path}/:id`,
    { config, schema: { params, querystring: Type.Object({ done: systemDone.query }) } },
    async (request, reply) => {
      const system = await requireOwnSystem(deps, request);
      return deps.pages.send(request, reply, `${folder}/system.njk`, {
        system,
        holder: holderOf(system),
        ending: await listEndingUses(deps, system.id),
        keys: await listNamedKeys(deps.db, system.id, deps.clock.now()),
        done: systemDone.words(request.query.done),
      });
    },
  );

  app.get(`${path}/:id/owner`, { config, schema: { params } }, (request, reply) =>
    showOwnerForm(deps, request, reply),
  );
  app.post(`${path}/:id/owner`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const { id } = await requireOwnSystem(deps, request);
    const { owner } = readFields(request.body, ['owner']);
    try {
      await transferSystem(deps, actorOf(requireCaller(request), request.ip), id, owner);
      return reply.redirect(listDone.path(path, 'handed-on'), 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      reply.code(unprocessable.status);
      return showOwnerForm(deps, request, reply, toFormErrors({ owner: '' }, error));
    }
  });

  namedKeyPages(app, deps, {
    path: `${path}/:id`,
    holderOf: async (request) => holderOf(await requireOwnSystem(deps, request)),
  });
}

/** The system of this page. @throws Problem `not-found` if it does not exist, or the caller does not own it. */
async function requireOwnSystem({ db }: Deps, request: Request): Promise<System> {
  const { id } = request.params as { id: string };
  const system = isUuid(id) ? await findSystem(db, id) : undefined;
  if (!system || system.ownerId !== requireCaller(request).accountId) throw new Problem(notFound);
  return system;
}

function holderOf({ id, name, roles }: System) {
  return { accountId: id, roles, home: `${path}/${id}`, title: name };
}

async function showOwnerForm(
  deps: Deps,
  request: Request,
  reply: Reply,
  errors?: FormErrors,
): Promise<Reply> {
  const system = await requireOwnSystem(deps, request);
  const people = await listPossibleOwners(deps.db, system);
  return deps.pages.send(request, reply, `${folder}/hand-on.njk`, {
    system,
    people: people.filter(({ id, isMember }) => isMember && id !== system.ownerId),
    errors,
  });
}
