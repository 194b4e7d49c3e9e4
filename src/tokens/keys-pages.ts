import { Type } from 'typebox';
import { type Caller, listSystemsOf, requireCaller } from '../accounts/index.ts';
import { type FormErrors, successBanner, toFormErrors } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { requireRefusal, unprocessable } from '../platform/problem/index.ts';
import { listEndingUses } from './deprecated-uses/deprecated-uses.ts';
import { issueTokenToCopy } from './model/access-tokens.ts';
import type { TokenDeps } from './model/token-services.ts';
import { type KeyHolder, namedKeyPages } from './named-keys/named-key-pages.ts';
import { listNamedKeys } from './named-keys/named-keys-store.ts';
import { callersIpAddress } from './refresh-tokens/callers-ip-address.ts';
import {
  changeFirstPairLimits,
  findOrMakeFirstPairToken,
  regenerateFirstPair,
} from './refresh-tokens/first-pair.ts';
import { countLiveAccessTokens, findKeyActivity } from './refresh-tokens/key-activity-store.ts';
import {
  type RefreshTokenLimitsForm,
  readRefreshTokenLimits,
} from './refresh-tokens/refresh-token-limits.ts';
import { findRefreshTokenState } from './refresh-tokens/refresh-tokens-store.ts';
import { systemPages } from './system-accounts/system-pages.ts';

type Deps = TokenDeps & WebPlatform;

const config = page(signedIn(), { needsRecentSignIn: true });
/** What the keys page says after one of its forms. */
const keysDone = successBanner({
  regenerated: 'These are your new keys. The ones you had before have stopped working.',
  limits: 'The limits on your refresh token were changed.',
  'key-revoked': 'The key was revoked.',
});
const querystring = Type.Object({ done: keysDone.query });
const regeneratePath = '/apikeys/regenerate';

/** The keys page, where an account holder copies the two tokens, and the pages on which they change them. */
export function keysPages(app: App, deps: Deps): void {
  // A prefetch would make an access token that nobody sees.
  const keysConfig = page(signedIn(), { needsRecentSignIn: true, refusesPrefetch: true });
  app.get('/apikeys', { config: keysConfig, schema: { querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    if (!caller.hasApiAccess) return deps.pages.send(request, reply, 'tokens/templates/no-api-access.njk');
    const firstPair = await issueAndCollectKeys(deps, request, caller);
    return deps.pages.send(request, reply, 'tokens/templates/api-keys.njk', {
      ...firstPair,
      holder: keyHolderOf(caller),
      ending: await listEndingUses(deps, caller.accountId),
      keys: await listNamedKeys(deps.db, caller.accountId, deps.clock.now()),
      systems: await listSystemsOf(deps.db, caller.accountId),
      done: keysDone.words(request.query.done),
    });
  });

  app.get(regeneratePath, { config }, async (request, reply) => {
    const { accountId, hasApiAccess } = requireCaller(request);
    if (!hasApiAccess) return reply.redirect('/apikeys', 303);
    const activity = (await findKeyActivity(deps.db, [accountId])).get(accountId);
    const liveTokens = await countLiveAccessTokens(deps.db, accountId, deps.clock.now());
    return deps.pages.send(request, reply, 'tokens/templates/regenerate-keys.njk', { activity, liveTokens });
  });

  app.post(regeneratePath, { config }, async (request, reply) => {
    const caller = requireCaller(request);
    if (!caller.hasApiAccess) return reply.redirect('/apikeys', 303);
    await regenerateFirstPair(deps, caller, request.ip);
    return reply.redirect(keysDone.path('/apikeys', 'regenerated'), 303);
  });

  keyLimitsPages(app, deps);
  namedKeyPages(app, deps, { path: '/apikeys', holderOf: (request) => keyHolderOf(requireCaller(request)) });
  systemPages(app, deps);
}

/** A person as the holder of their own keys; undefined without API access. */
function keyHolderOf({ accountId, roles, hasApiAccess }: Caller): KeyHolder | undefined {
  return hasApiAccess ? { accountId, roles, home: '/apikeys', title: 'Your API keys' } : undefined;
}

/** Makes an access token and collects what the keys page shows of the first pair. */
async function issueAndCollectKeys(deps: Deps, request: Request, caller: Caller) {
  const accessToken = await issueTokenToCopy(deps, caller, request.ip);
  const refreshToken = await findOrMakeFirstPairToken(deps, caller);
  const state =
    refreshToken === undefined
      ? undefined
      : await findRefreshTokenState(
          deps.db,
          deps.secrets.hash('refresh token', refreshToken),
          accessToken.issuedAt,
        );
  const activity = (await findKeyActivity(deps.db, [caller.accountId])).get(caller.accountId);
  const yourAddress = callersIpAddress(request, activity?.allowedNetworks ?? []);
  return { accessToken, refreshToken, isIdle: state?.isIdle, activity, yourAddress };
}

const limitsPath = '/apikeys/limits';
/** The page's earlier address, which is still in emails and bookmarks. */
const oldLimitsPath = '/apikeys/guards';
const labels = { networks: 'Allowed IP addresses', idle_days: 'Days' };
const limitsForm = Type.Object({
  networks: Type.String({ maxLength: 5000 }),
  idle_days: Type.String({ maxLength: 100 }),
});

/** The form in which an account holder sets where their keys may be used from, and when they stop. */
function keyLimitsPages(app: App, deps: Deps): void {
  const show = (request: Request, reply: Reply, form: RefreshTokenLimitsForm, errors?: FormErrors) =>
    deps.pages.send(request, reply, 'tokens/templates/key-limits.njk', {
      form,
      errors,
      yourAddress: callersIpAddress(request, []),
    });

  app.get(oldLimitsPath, { config: page(signedIn()) }, (_request, reply) => reply.redirect(limitsPath, 303));

  app.get(limitsPath, { config }, async (request, reply) => {
    const { accountId, hasApiAccess } = requireCaller(request);
    if (!hasApiAccess) return reply.redirect('/apikeys', 303);
    const activity = (await findKeyActivity(deps.db, [accountId])).get(accountId);
    return show(request, reply, {
      networks: activity?.allowedNetworks.join('\n') ?? '',
      idle_days: String(activity?.maxIdleDays ?? ''),
    });
  });

  app.post(limitsPath, { config, schema: { body: limitsForm } }, async (request, reply) => {
    const caller = requireCaller(request);
    if (!caller.hasApiAccess) return reply.redirect('/apikeys', 303);
    try {
      await changeFirstPairLimits(deps, caller, readRefreshTokenLimits(request.body), request.ip);
      return reply.redirect(keysDone.path('/apikeys', 'limits'), 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      return show(request, reply.code(unprocessable.status), request.body, toFormErrors(labels, error));
    }
  });
}
