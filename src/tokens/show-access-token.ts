import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { type MintedToken, mintAccessToken } from './mint-access-token.ts';
import type { TokenDeps } from './token-desk.ts';

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
