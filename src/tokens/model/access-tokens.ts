import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { insertAccessToken, type NewAccessToken, type TokenSource } from './access-tokens-store.ts';
import { apiAccessOffProblem } from './problems.ts';
import { newToken } from './token.ts';
import type { TokenDeps } from './token-services.ts';

export const accessTokenLifetimeMs = 180 * minuteMs;
export const accessTokenMinutes = accessTokenLifetimeMs / minuteMs;
export const accessTokenHours = accessTokenLifetimeMs / hourMs;

/** An access token with its text, which is shown once and never stored. */
export type IssuedToken = NewAccessToken & { text: string };

/** Makes an access token. It is not stored. */
export function newAccessToken(deps: TokenDeps, source: TokenSource): IssuedToken {
  const text = newToken('access', deps.tokenServices.tag);
  const issuedAt = deps.clock.now();
  const validTo = new Date(issuedAt.getTime() + accessTokenLifetimeMs);
  return { text, hash: deps.secrets.hash('access token', text), source, issuedAt, validTo };
}

/**
 * Makes and stores an access token for an account that has just signed in or proved who it is.
 * @throws Problem `api-access-disabled`.
 */
export async function storeNewAccessToken(
  deps: TokenDeps,
  accountId: string,
  source: TokenSource,
): Promise<IssuedToken> {
  const token = newAccessToken(deps, source);
  const isStored = await insertAccessToken(deps.db, accountId, token);
  if (!isStored) throw apiAccessOffProblem(deps.settings);
  return token;
}

/** Makes an access token for its holder to copy or to try the API with. The audit says that it was shown. */
export function issueTokenToCopy(deps: TokenDeps, caller: Caller, ipAddress: string): Promise<IssuedToken> {
  return inTransaction(deps.db, async (trx) => {
    const token = await storeNewAccessToken({ ...deps, db: trx }, caller.accountId, 'apikeys');
    await recordAudit(trx, {
      at: token.issuedAt,
      actor: actorOf(caller, ipAddress),
      action: 'keys.shown',
      subject: { type: 'account', id: caller.accountId },
    });
    return token;
  });
}
