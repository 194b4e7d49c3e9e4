// A test site ends tokens early when their holder asks for it, so that developers see whether their client recovers.

import { accountTopic, type Caller, endAccessTokens } from '../accounts/index.ts';
import { notify, type Trx } from '../platform/database/index.ts';
import { expireAccessToken, fastForwardExpiry } from './model/access-tokens-store.ts';
import type { TokenDeps } from './model/token-services.ts';

/** Makes one access token expire now. A call with it gets `expiredTokenProblem`. */
export async function expireToken(
  trx: Trx,
  { secrets, clock }: Pick<TokenDeps, 'secrets' | 'clock'>,
  { accountId }: Caller,
  text: string,
): Promise<void> {
  await expireAccessToken(trx, secrets.hash('access token', text), clock.now());
  await notify(trx, accountTopic, accountId);
}

/** Ends all access tokens of an account now. A call with one gets `endedTokenProblem`. */
export async function endTokens(trx: Trx, { accountId }: Caller): Promise<void> {
  await endAccessTokens(trx, accountId);
  await notify(trx, accountTopic, accountId);
}

/** Makes an account’s access tokens and replaced refresh tokens expire `ms` earlier. */
export async function fastForwardTokens(trx: Trx, accountId: string, ms: number): Promise<void> {
  await fastForwardExpiry(trx, accountId, ms);
  await notify(trx, accountTopic, accountId);
}
