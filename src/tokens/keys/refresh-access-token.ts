import { recordRefusal } from '../../audit/index.ts';
import { addressList, networkOf, plainAddress } from '../../platform/addresses/index.ts';
import { Problem, unavailable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { type MintedToken, mint } from '../model/access-tokens.ts';
import { addressRefused, apiAccessDisabled, invalidRefreshToken } from '../model/problems.ts';
import { readToken } from '../model/token.ts';
import type { TokenDeps } from '../model/token-desk.ts';
import { exchangeRefreshToken, findRefreshStanding, type RefreshUse } from './refresh-tokens-store.ts';
import { noteAddress } from './report-new-address.ts';

/** How often the account may change under a refresh before the client is asked to come again. */
const maxTries = 3;

/**
 * A new access token for a refresh token, which stays as it is: a client that lost the answer asks again. Usually this
 * is one statement; an account with an address list needs three.
 * @throws Problem `invalid-refresh-token` (401), `api-access-disabled` or `address-not-allowed` (403).
 */
export async function refreshAccessToken(
  deps: TokenDeps,
  refreshToken: string,
  ip: string,
): Promise<MintedToken> {
  const hash = hashIfPlausible(deps, refreshToken);
  const use = { hash, address: plainAddress(ip) ?? 'unknown', network: networkOf(ip) };
  const token = mint(deps);
  let networks: readonly string[] = [];
  for (let tries = 0; tries < maxTries; tries += 1) {
    const exchanged = await exchangeRefreshToken(deps.db, use, { ...token, source: 'refresh' }, networks);
    if (exchanged) {
      // Before the answer: nobody gets a token by an address that its holder is not told of.
      if (!exchanged.seenHere) await noteAddress(deps, use, { at: token.issuedAt, refused: false });
      return token;
    }
    networks = await findListWith(deps, use, token.issuedAt);
  }
  throw new Problem(unavailable, 'The account is being changed. Try again.', {
    headers: { 'retry-after': '1' },
  });
}

/** @throws Problem `invalid-refresh-token` where the text cannot be a refresh token of this site. */
function hashIfPlausible(deps: TokenDeps, refreshToken: string): Buffer {
  const reading = readToken(refreshToken, 'refresh', deps.tokenDesk.tag);
  if (reading === 'other-site')
    throw invalid('This refresh token is of another site. Every site has keys of its own.');
  if (reading === 'other-kind')
    throw invalid('This is an access token. Send the refresh token, which begins with onr_.');
  if (reading === 'malformed')
    throw invalid('This is not a refresh token, or not all of one. Copy it again from /apikeys.');
  return deps.secrets.hash('refresh token', refreshToken);
}

/** The address list that the use is allowed by. @throws Problem where something else stands in its way. */
async function findListWith(deps: TokenDeps, use: RefreshUse, at: Date): Promise<readonly string[]> {
  const standing = await findRefreshStanding(deps.db, use.hash, at);
  const refuse = (reason: string) =>
    recordRefusal(deps, {
      actor: { id: standing?.accountId, name: standing?.name ?? 'somebody', address: use.address },
      action: 'token.refreshed',
      details: { reason },
    });
  if (!standing) {
    await refuse('unknown or replaced');
    throw invalid('It is unknown here, or was replaced by another. Copy the current one from /apikeys.');
  }
  if (!standing.apiAccess) {
    await refuse('API access is off');
    throw new Problem(apiAccessDisabled, `Ask ${contactOf(deps.settings)} to switch it on.`);
  }
  const { networks, idle } = standing;
  if (networks.length > 0 && !addressList(networks).has(use.address)) {
    await noteAddress(deps, use, { at, refused: true });
    throw addressRefused();
  }
  if (idle) {
    await refuse('not used for too long');
    throw invalid('It was not used for as long as its holder allows. They can make new keys at /apikeys.');
  }
  return networks;
}

function invalid(detail: string): Problem {
  return new Problem(invalidRefreshToken, detail);
}
