import { anonymousActor, recordRefusalOncePerMinute } from '../../audit/index.ts';
import { hourMs, secondMs } from '../../platform/durations.ts';
import { bearerRealm } from '../../platform/http/index.ts';
import { createIpAddressList, networkOf, plainIpAddress } from '../../platform/ip-addresses/index.ts';
import { Problem, unavailable } from '../../platform/problem/index.ts';
import { findRestoreCheck } from '../../platform/restore-check/index.ts';
import { type IssuedToken, newAccessToken } from '../model/access-tokens.ts';
import type { NewAccessToken } from '../model/access-tokens-store.ts';
import {
  apiAccessOffProblem,
  invalidRefreshToken,
  ipAddressProblem,
  unknownRefreshToken,
} from '../model/problems.ts';
import { checkTokenForm } from '../model/token.ts';
import type { TokenDeps } from '../model/token-services.ts';
import {
  type ExchangeResult,
  exchangeRefreshToken,
  findRefreshTokenState,
  type RefreshTokenUse,
} from './refresh-tokens-store.ts';
import { reportNewIpAddress } from './report-new-ip-address.ts';

const restoredDetail =
  'This site was restored from a backup. Refresh tokens work again once an operator has checked which accounts and keys were ended after that backup. ' +
  'Keep the token, and try again later.';

/** How often the exchange is tried while the account changes, before the client is asked to call again. */
const maxAttempts = 3;

/**
 * Gives a new access token for a refresh token. The refresh token does not change, so a client that lost the answer can
 * call again.
 * @throws Problem `invalid-refresh-token` (401), `api-access-disabled` or `address-not-allowed` (403), `unavailable` (503).
 */
export async function refreshAccessToken(
  deps: TokenDeps,
  refreshToken: string,
  ipAddress: string,
): Promise<IssuedToken> {
  const hash = hashRefreshToken(deps, refreshToken);
  const use = { hash, ipAddress: plainIpAddress(ipAddress) ?? 'unknown', network: networkOf(ipAddress) };
  const token = newAccessToken(deps, 'refresh');
  const { validTo, isNewNetwork } = await storeAccessToken(deps, use, token);
  // Before the answer, so that the holder is told of every address that gets a token.
  if (isNewNetwork) await reportNewIpAddress(deps, use, { at: token.issuedAt, refused: false });
  return { ...token, validTo };
}

/** @throws Problem `invalid-refresh-token` if the text cannot be a refresh token of this site. */
function hashRefreshToken(deps: TokenDeps, refreshToken: string): Buffer {
  const form = checkTokenForm(refreshToken, 'refresh', deps.tokenServices.tag);
  if (form === 'other-site')
    throw refreshTokenProblem('This refresh token belongs to another site. Each site has its own keys.');
  if (form === 'other-kind')
    throw refreshTokenProblem('This is an access token. Send the refresh token, which begins with onr_.');
  if (form === 'malformed')
    throw refreshTokenProblem(
      'This is not a refresh token, or part of it is missing. Copy it again from /apikeys.',
    );
  return deps.secrets.hash('refresh token', refreshToken);
}

/**
 * Stores the access token, usually with one statement. For a key that is limited to IP addresses the first attempt fails. Then the
 * list of the key is loaded and checked, and the second attempt stores the token if that list is still in force.
 */
async function storeAccessToken(
  deps: TokenDeps,
  use: RefreshTokenUse,
  token: NewAccessToken,
): Promise<ExchangeResult> {
  // Most keys allow any IP address, so the list is loaded only if this fails.
  let allowedNetworks: readonly string[] = [];
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const result = await exchangeRefreshToken(deps.db, use, token, allowedNetworks);
    if (result) return result;
    allowedNetworks = await requireAllowedUse(deps, use, token.issuedAt);
  }
  throw new Problem(unavailable, 'The account is being changed. Try again.', {
    headers: { 'retry-after': '1' },
  });
}

/** Refuses a use that is not allowed, with a Problem. @returns the networks that the token may be used from; this use is from one of them. */
async function requireAllowedUse(
  deps: TokenDeps,
  use: RefreshTokenUse,
  at: Date,
): Promise<readonly string[]> {
  const state = await findRefreshTokenState(deps.db, use.hash, at);
  const refuse = (reason: string) =>
    recordRefusalOncePerMinute(deps, {
      actor: state
        ? { id: state.accountId, name: state.name, ipAddress: use.ipAddress }
        : anonymousActor(use.ipAddress),
      action: 'token.refreshed',
      details: { reason },
    });
  if (!state) {
    await refuse('unknown or replaced');
    throw refreshTokenProblem(unknownRefreshToken);
  }
  // Not a 401: the token works again once an operator has confirmed that it should, so the client must keep it.
  if (await findRestoreCheck(deps.db)) {
    await refuse('the restored site is being checked');
    throw new Problem(unavailable, restoredDetail, { headers: { 'retry-after': `${hourMs / secondMs}` } });
  }
  if (!state.hasApiAccess) {
    await refuse('API access is off');
    throw apiAccessOffProblem(deps.settings);
  }
  const { networks, isIdle } = state;
  if (networks.length > 0 && !createIpAddressList(networks).has(use.ipAddress)) {
    await reportNewIpAddress(deps, use, { at, refused: true });
    throw ipAddressProblem();
  }
  if (isIdle) {
    await refuse('not used for too long');
    throw refreshTokenProblem(
      'It has not been used for longer than its holder allows. They can make new keys at /apikeys.',
    );
  }
  return networks;
}

function refreshTokenProblem(detail: string): Problem {
  return new Problem(invalidRefreshToken, detail, { headers: { 'www-authenticate': bearerRealm } });
}

/** The id of the account that a refresh token belongs to. Undefined if the token is unknown, or its account disabled. */
export async function findHolderOfRefreshToken(
  { db, secrets, clock }: Pick<TokenDeps, 'db' | 'secrets' | 'clock'>,
  text: string,
): Promise<string | undefined> {
  const hash = secrets.hash('refresh token', text.trim());
  return (await findRefreshTokenState(db, hash, clock.now()))?.accountId;
}
