import { callerOf, findAccount } from '../../src/accounts/index.ts';
import type { TokenDeps } from '../../src/tokens/model/token-services.ts';
import { findOrMakeFirstPairToken } from '../../src/tokens/refresh-tokens/first-pair.ts';

/** The account as a caller with a session. */
export async function callerFor(deps: TokenDeps, accountId: string) {
  return callerOf((await findAccount(deps.db, accountId))!, 'session');
}

/** The refresh token that the keys page would show. */
export async function refreshTokenOf(deps: TokenDeps, accountId: string): Promise<string> {
  return (await findOrMakeFirstPairToken(deps, await callerFor(deps, accountId)))!;
}
