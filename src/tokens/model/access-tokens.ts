import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { insertAccessToken, type TokenSource } from './access-tokens-store.ts';
import { apiAccessDisabled } from './problems.ts';
import { newToken } from './token.ts';
import type { TokenDeps } from './token-desk.ts';

const lifetimeMs = 180 * 60_000;

export type MintedToken = { text: string; hash: Buffer; issuedAt: Date; validTo: Date };

/** A new access token, not yet stored: 180 minutes from now. */
export function mint(deps: TokenDeps): MintedToken {
  const text = newToken('access', deps.tokenDesk.tag);
  const issuedAt = deps.clock.now();
  const validTo = new Date(issuedAt.getTime() + lifetimeMs);
  return { text, hash: deps.secrets.hash('access token', text), issuedAt, validTo };
}

/**
 * Makes an access token for an account that has just shown who it is.
 * @throws Problem `api-access-disabled`.
 */
export async function mintAccessToken(
  deps: TokenDeps,
  accountId: string,
  source: TokenSource,
): Promise<MintedToken> {
  const token = mint(deps);
  const stored = await insertAccessToken(deps.db, accountId, { ...token, source });
  if (!stored) throw new Problem(apiAccessDisabled, `Ask ${contactOf(deps.settings)} to switch it on.`);
  return token;
}

/** A new access token for its holder to see or to try with. That it was shown, and where, is written down with it. */
export function showAccessToken(deps: TokenDeps, caller: Caller, address: string): Promise<MintedToken> {
  return inTransaction(deps.db, async (trx) => {
    const token = await mintAccessToken({ ...deps, db: trx }, caller.accountId, 'apikeys');
    await recordAudit(trx, {
      at: token.issuedAt,
      actor: actorOf(caller, address),
      action: 'keys.shown',
      subject: { type: 'account', id: caller.accountId },
    });
    return token;
  });
}
