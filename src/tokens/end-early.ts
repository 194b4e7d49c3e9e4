// What a test site does to the tokens of an account whose holder asked for it, so that a client can show that it survives.

import { accountTopic, type Caller, raiseKeyEpoch } from '../accounts/index.ts';
import { notify, type Trx } from '../platform/database/index.ts';
import type { Problem } from '../platform/problem/index.ts';
import { findRefreshTokenState } from './keys/refresh-tokens-store.ts';
import { expireAccessToken, fastForwardExpiry } from './model/access-tokens-store.ts';
import { tokenEnded, tokenExpired } from './model/problems.ts';
import type { TokenDeps } from './model/token-services.ts';

/** Ends one access token now. @returns the refusal of a call with a token that has expired. */
export async function expireToken(
  trx: Trx,
  { secrets, clock }: Pick<TokenDeps, 'secrets' | 'clock'>,
  { accountId }: Caller,
  text: string,
): Promise<Problem> {
  await expireAccessToken(trx, secrets.hash('access token', text), clock.now());
  await notify(trx, accountTopic, accountId);
  return tokenExpired();
}

/** Ends all access tokens of an account now. @returns the refusal of a call with a token that was ended. */
export async function endTokens(trx: Trx, { accountId }: Caller): Promise<Problem> {
  await raiseKeyEpoch(trx, accountId);
  await notify(trx, accountTopic, accountId);
  return tokenEnded();
}

/** As if `ms` had passed for all access tokens of an account. */
export async function fastForwardTokens(trx: Trx, accountId: string, ms: number): Promise<void> {
  await fastForwardExpiry(trx, accountId, ms);
  await notify(trx, accountTopic, accountId);
}

/** The account that a refresh token belongs to, if it works. */
export async function findHolderOfRefreshToken(
  { db, secrets, clock }: Pick<TokenDeps, 'db' | 'secrets' | 'clock'>,
  text: string,
): Promise<string | undefined> {
  const hash = secrets.hash('refresh token', text.trim());
  return (await findRefreshTokenState(db, hash, clock.now()))?.accountId;
}
