import { Type } from 'typebox';
import { type Caller, requireCaller } from '../accounts/index.ts';
import { type App, isShownToNobody, page, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { keyGuardPages } from './key-guard-pages.ts';
import { countLiveAccessTokens, listKeyUses } from './key-uses-store.ts';
import { keysDone } from './keys-done.ts';
import { ownAddress } from './own-address.ts';
import { regenerateKeys, showRefreshToken } from './refresh-token.ts';
import { findRefreshStanding } from './refresh-tokens-store.ts';
import { showAccessToken } from './show-access-token.ts';
import type { TokenDeps } from './token-desk.ts';

type Deps = TokenDeps & WebPlatform;

const config = page(signedIn(), { fresh: true });
const querystring = Type.Object({ done: keysDone.query });
const regeneratePath = '/apikeys/regenerate';

/** The keys page, where an account holder copies the two tokens, and the pages on which they change them. */
export function tokenPages(app: App, deps: Deps): void {
  app.get('/apikeys', { config, schema: { querystring } }, async (request, reply) => {
    if (isShownToNobody(request)) return reply.code(204).send();
    const caller = requireCaller(request);
    if (!caller.apiAccess) return deps.pages.send(request, reply, 'tokens/templates/no-api-access.njk');
    const keys = await showKeys(deps, request, caller);
    return deps.pages.send(request, reply, 'tokens/templates/api-keys.njk', {
      ...keys,
      done: keysDone.words(request.query.done),
    });
  });

  app.get(regeneratePath, { config }, async (request, reply) => {
    const { accountId, apiAccess } = requireCaller(request);
    if (!apiAccess) return reply.redirect('/apikeys', 303);
    const use = (await listKeyUses(deps.db, [accountId])).get(accountId);
    const liveTokens = await countLiveAccessTokens(deps.db, accountId, deps.clock.now());
    return deps.pages.send(request, reply, 'tokens/templates/regenerate-keys.njk', { use, liveTokens });
  });

  app.post(regeneratePath, { config }, async (request, reply) => {
    const caller = requireCaller(request);
    if (!caller.apiAccess) return reply.redirect('/apikeys', 303);
    await regenerateKeys(deps, caller, request.ip);
    return reply.redirect(keysDone.path('/apikeys', 'regenerated'), 303);
  });

  keyGuardPages(app, deps);
}

/** What the keys page shows, with an access token that is made for it. */
async function showKeys(deps: Deps, request: Request, caller: Caller) {
  const accessToken = await showAccessToken(deps, caller, request.ip);
  const refreshToken = await showRefreshToken(deps, caller);
  const hash = deps.secrets.hash('refresh token', refreshToken ?? '');
  const standing = await findRefreshStanding(deps.db, hash, accessToken.issuedAt);
  const use = (await listKeyUses(deps.db, [caller.accountId])).get(caller.accountId);
  const here = ownAddress(request, use?.networks ?? []);
  return { accessToken, refreshToken, idle: standing?.idle, use, here };
}
