import { Type } from 'typebox';
import { actorOf, type Role, requireCaller } from '../../accounts/index.ts';
import {
  type FormErrors,
  readChoices,
  readOneOf,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { type Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { listEndingUses } from '../deprecated-uses/deprecated-uses.ts';
import { keyChanged, tooManyKeys } from '../model/problems.ts';
import { scopeWords } from '../model/scopes.ts';
import type { TokenDeps } from '../model/token-services.ts';
import { callersIpAddress } from '../refresh-tokens/callers-ip-address.ts';
import {
  changeNamedKey,
  createNamedKey,
  endOverlap,
  type KeySettingsForm,
  overlapHours,
  readKeySettings,
  regenerateNamedKey,
  requireNamedKey,
  revokeNamedKey,
  scopesFor,
} from './named-keys.ts';
import type { NamedKey } from './named-keys-store.ts';

type Deps = TokenDeps & WebPlatform;

/** After these refusals the form is shown again, with what was typed. */
const formRefusals = [unprocessable, tooManyKeys, keyChanged];

/** Whose keys the pages are about. */
export type KeyHolder = {
  readonly accountId: string;
  readonly roles: readonly Role[];
  /** The page that lists the keys, and its title. */
  readonly home: string;
  readonly title: string;
};

/** Where the pages are, such as `/apikeys`, and whose keys a request to them is about. */
export type KeyPagesConfig = {
  readonly path: string;
  /** @returns undefined if the caller has no keys to look after; they are sent to `/apikeys`, which says why. */
  holderOf(request: Request): KeyHolder | undefined | Promise<KeyHolder | undefined>;
};

const config = page(signedIn(), { needsRecentSignIn: true });
const labels = {
  name: 'Name',
  scopes: 'What the key may do',
  networks: 'Allowed IP addresses',
  idle_days: 'Days',
};
const folder = 'tokens/named-keys/templates';

const keyDone = successBanner({
  changed: 'The key was changed.',
  'overlap-ended': 'The old refresh token has stopped working.',
});
type KeyDone = Parameters<typeof keyDone.path>[1];
const querystring = Type.Object({ done: keyDone.query });

type Context = { request: Request; reply: Reply; holder: KeyHolder };

/** The pages on which somebody looks after the named keys of an account: their own, or a system account. */
export function namedKeyPages(app: App, deps: Deps, { path, holderOf }: KeyPagesConfig): void {
  const keyPath = `${path}/keys/:key`;
  /** Makes a handler that gets the holder of the keys. */
  const withHolder =
    (handle: (context: Context) => Promise<Reply>) => async (request: Request, reply: Reply) => {
      const holder = await holderOf(request);
      return holder ? handle({ request, reply, holder }) : reply.redirect('/apikeys', 303);
    };
  /** Makes a handler that gets the holder and the key of a page about one key. */
  const withKey = (handle: (context: Context, key: NamedKey) => Promise<Reply>) =>
    withHolder(async (context) => {
      const { key } = context.request.params as { key: string };
      return handle(context, await requireNamedKey(deps, context.holder.accountId, key));
    });

  const newForm = { name: '', scopes: [], networks: '', idle_days: '' };
  app.get(
    `${path}/keys/new`,
    { config },
    withHolder((context) => showSettings(deps, context, newForm)),
  );
  app.post(
    `${path}/keys/new`,
    { config, schema: { body: anyForm } },
    withHolder((context) => create(deps, context)),
  );

  app.get(
    keyPath,
    { config, schema: { querystring } },
    withKey((context, key) => showKey(deps, context, key)),
  );

  app.get(
    `${keyPath}/change`,
    { config },
    withKey((context, key) => showSettings(deps, context, formOf(key), key)),
  );
  app.post(
    `${keyPath}/change`,
    { config, schema: { body: anyForm } },
    withKey((context, key) => change(deps, context, key)),
  );

  app.get(
    `${keyPath}/regenerate`,
    { config },
    withKey((context, key) => showRegenerate(deps, context, key)),
  );
  app.post(
    `${keyPath}/regenerate`,
    { config, schema: { body: anyForm } },
    withKey((context, key) => regenerate(deps, context, key)),
  );

  // After signing in again, the browser comes back with GET.
  app.get(
    `${keyPath}/end-overlap`,
    { config },
    withKey(async ({ reply, holder }, key) => backToKey(reply, holder, key)),
  );
  app.post(
    `${keyPath}/end-overlap`,
    { config },
    withKey((context, key) => stopOldToken(deps, context, key)),
  );

  app.get(
    `${keyPath}/revoke`,
    { config },
    withKey(async ({ request, reply, holder }, key) =>
      deps.pages.send(request, reply, `${folder}/revoke-key.njk`, { holder, key }),
    ),
  );
  app.post(
    `${keyPath}/revoke`,
    { config },
    withKey((context, key) => revoke(deps, context, key)),
  );
}

async function showKey(deps: Deps, { request, reply, holder }: Context, key: NamedKey): Promise<Reply> {
  const { done } = request.query as { done?: KeyDone };
  return deps.pages.send(request, reply, `${folder}/named-key.njk`, {
    holder,
    key,
    ending: (await listEndingUses(deps, holder.accountId)).filter(({ keyId }) => keyId === key.id),
    words: scopeWords,
    yourAddress: callersIpAddress(request, key.networks),
    done: keyDone.words(done),
  });
}

async function create(deps: Deps, context: Context): Promise<Reply> {
  const { request, holder } = context;
  const form = readForm(request.body);
  try {
    const settings = readKeySettings(form, scopesFor(holder.roles, deps.settings.mode));
    const { id, refreshToken } = await createNamedKey(deps, editorOf(request, holder), settings);
    return await showToken(deps, context, await requireNamedKey(deps, holder.accountId, id), refreshToken);
  } catch (error) {
    requireRefusal(error, formRefusals);
    return showSettings(deps, context, form, undefined, error);
  }
}

async function change(deps: Deps, context: Context, key: NamedKey): Promise<Reply> {
  const { request, reply, holder } = context;
  const form = readForm(request.body);
  try {
    const settings = readKeySettings(form, scopesFor(holder.roles, deps.settings.mode));
    await changeNamedKey(deps, editorOf(request, holder), key.id, settings);
    return backToKey(reply, holder, key, 'changed');
  } catch (error) {
    requireRefusal(error, formRefusals);
    return showSettings(deps, context, form, key, error);
  }
}

async function regenerate(deps: Deps, context: Context, key: NamedKey): Promise<Reply> {
  const { request, holder } = context;
  const hours = Number(readOneOf(request.body, 'hours', overlapHours.map(String)));
  const { version } = readUntrimmedFields(request.body, ['version']);
  const options = { seenVersion: Number(version), hours: overlapHours.find((each) => each === hours)! };
  try {
    const token = await regenerateNamedKey(deps, editorOf(request, holder), key.id, options);
    return await showToken(deps, context, await requireNamedKey(deps, holder.accountId, key.id), token);
  } catch (error) {
    requireRefusal(error, formRefusals);
    return showRegenerate(deps, context, await requireNamedKey(deps, holder.accountId, key.id), error);
  }
}

async function stopOldToken(deps: Deps, { request, reply, holder }: Context, key: NamedKey): Promise<Reply> {
  await endOverlap(deps, editorOf(request, holder), key.id);
  return backToKey(reply, holder, key, 'overlap-ended');
}

async function revoke(deps: Deps, { request, reply, holder }: Context, key: NamedKey): Promise<Reply> {
  await revokeNamedKey(deps, editorOf(request, holder), key.id);
  return reply.redirect(`${holder.home}?done=key-revoked`, 303);
}

function showSettings(
  deps: Deps,
  { request, reply, holder }: Context,
  form: KeySettingsForm,
  key?: NamedKey,
  problem?: Problem,
): Promise<Reply> {
  return sendForm(deps, request, reply, 'key-form.njk', problem, {
    holder,
    key,
    form,
    scopes: scopesFor(holder.roles, deps.settings.mode).map((scope) => ({ scope, words: scopeWords[scope] })),
    yourAddress: callersIpAddress(request, []),
  });
}

function showRegenerate(
  deps: Deps,
  { request, reply, holder }: Context,
  key: NamedKey,
  problem?: Problem,
): Promise<Reply> {
  return sendForm(deps, request, reply, 'regenerate-key.njk', problem, { holder, key, overlapHours });
}

async function sendForm(
  deps: Deps,
  request: Request,
  reply: Reply,
  template: string,
  problem: Problem | undefined,
  context: object,
): Promise<Reply> {
  const errors: FormErrors | undefined = problem && toFormErrors(labels, problem);
  if (problem) reply.code(problem.kind.status);
  return deps.pages.send(request, reply, `${folder}/${template}`, { ...context, errors });
}

/** The one page that shows the refresh token of a named key. */
async function showToken(
  deps: Deps,
  { request, reply, holder }: Context,
  key: NamedKey,
  refreshToken: string,
): Promise<Reply> {
  return deps.pages.send(request, reply, `${folder}/key-token.njk`, { holder, key, refreshToken });
}

function backToKey(reply: Reply, { home }: KeyHolder, { id }: NamedKey, done?: KeyDone): Reply {
  const path = `${home}/keys/${id}`;
  return reply.redirect(done ? keyDone.path(path, done) : path, 303);
}

function editorOf(request: Request, { accountId }: KeyHolder) {
  return { accountId, actor: actorOf(requireCaller(request), request.ip) };
}

function readForm(body: unknown): KeySettingsForm {
  const { name, networks, idle_days } = readUntrimmedFields(body, ['name', 'networks', 'idle_days']);
  return { name, networks, idle_days, scopes: readChoices(body, 'scopes') };
}

function formOf({ name, scopes, networks, idleDays }: NamedKey): KeySettingsForm {
  return { name, scopes, networks: networks.join('\n'), idle_days: String(idleDays ?? '') };
}
