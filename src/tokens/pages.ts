import { findLiveSession, requireCaller } from '../accounts/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { mintAccessToken } from './mint-access-token.ts';
import { regenerateKeys, showRefreshToken } from './refresh-token.ts';
import type { TokenDeps } from './token-desk.ts';

/** Keys are shown only to somebody who signed in a short while ago: a computer left alone gives none away. */
const freshForMs = 15 * 60_000;

/** The keys page, where an account holder copies the two tokens and makes new ones. */
export function tokenPages(app: App, deps: TokenDeps & WebPlatform): void {
  const config = page(signedIn());

  app.get('/apikeys', { config, schema: { hide: true } }, async (request, reply) => {
    // A browser that loads the page in advance shows it to nobody; a key made for it would be one too many.
    if (/prefetch|prerender/.test(String(request.headers['sec-purpose'] ?? request.headers.purpose ?? ''))) {
      return reply.code(204).send();
    }
    const caller = requireCaller(request);
    if (!caller.apiAccess) return deps.pages.send(request, reply, 'tokens/templates/no-api-access.njk');
    const session = await findLiveSession(deps, request);
    const age = deps.clock.now().getTime() - (session?.authenticatedAt.getTime() ?? 0);
    if (age > freshForMs) return reply.redirect('/signin?next=%2Fapikeys', 303);
    const accessToken = await mintAccessToken(deps, caller.accountId, 'apikeys');
    const refreshToken = await showRefreshToken(deps, caller);
    return deps.pages.send(request, reply, 'tokens/templates/api-keys.njk', { accessToken, refreshToken });
  });

  app.post('/apikeys/regenerate', { config, schema: { hide: true } }, async (request, reply) => {
    const caller = requireCaller(request);
    if (caller.apiAccess) await regenerateKeys(deps, caller, request.ip);
    return reply.redirect('/apikeys', 303);
  });
}
