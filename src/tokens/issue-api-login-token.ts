import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { type MintedToken, mintAccessToken } from './mint-access-token.ts';
import type { ReturnUrl } from './return-address.ts';
import type { TokenDeps } from './token-desk.ts';

/** A token of the caller's own for the client at this address, and the audit's entry of it. @throws Problem `api-access-disabled`. */
export function issueApiLoginToken(
  deps: TokenDeps,
  caller: Caller,
  { origin }: ReturnUrl,
  clientAddress: string,
): Promise<MintedToken> {
  return inTransaction(deps.db, async (trx) => {
    const token = await mintAccessToken({ ...deps, db: trx }, caller.accountId, 'apilogin');
    await recordAudit(trx, {
      at: token.issuedAt,
      actor: actorOf(caller, clientAddress),
      action: 'token.issued',
      subject: { type: 'account', id: caller.accountId },
      details: { source: 'apilogin', return_origin: origin },
    });
    return token;
  });
}
