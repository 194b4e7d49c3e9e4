import { Problem } from '../platform/problem/index.ts';
import { type MintedToken, mint, operatorOf } from './mint-access-token.ts';
import { apiAccessDisabled, invalidRefreshToken } from './problems.ts';
import { exchangeRefreshToken, isWithoutApiAccess } from './store.ts';
import { readToken } from './token.ts';
import type { TokenDeps } from './token-desk.ts';

/**
 * A new access token for a refresh token, which stays as it is: a client that lost the answer asks again.
 * @throws Problem `invalid-refresh-token` (401) or `api-access-disabled` (403).
 */
export async function refreshAccessToken(
  deps: TokenDeps,
  refreshToken: string,
  address: string,
): Promise<MintedToken> {
  const reading = readToken(refreshToken, 'refresh', deps.tokenDesk.tag);
  if (reading === 'other-site')
    throw invalid('This refresh token is of another site. Every site has keys of its own.');
  if (reading === 'other-kind')
    throw invalid('This is an access token. Send the refresh token, which begins with onr_.');
  if (reading === 'malformed')
    throw invalid('This is not a refresh token, or not all of one. Copy it again from /apikeys.');
  const refreshHash = deps.secrets.hash('refresh token', refreshToken);
  const token = mint(deps);
  if (await exchangeRefreshToken(deps.db, refreshHash, { ...token, source: 'refresh' }, address))
    return token;
  if (await isWithoutApiAccess(deps.db, refreshHash)) {
    throw new Problem(apiAccessDisabled, `Ask ${operatorOf(deps)} to switch it on.`);
  }
  throw invalid('It is unknown here, or was replaced by another. Copy the current one from /apikeys.');
}

function invalid(detail: string): Problem {
  return new Problem(invalidRefreshToken, detail);
}
