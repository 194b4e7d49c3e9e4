import { accountChanged, actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction, notify } from '../platform/database/index.ts';
import type { KeyGuards } from './key-guards.ts';
import { newRefreshToken } from './refresh-token.ts';
import { insertRefreshToken, updateGuards } from './refresh-tokens-store.ts';
import type { TokenDeps } from './token-desk.ts';

/** Sets from where, and after what pause no longer, the account's refresh token works; in every process at once. */
export async function changeKeyGuards(
  deps: TokenDeps,
  caller: Caller,
  guards: KeyGuards,
  address: string,
): Promise<void> {
  const { accountId } = caller;
  await inTransaction(deps.db, async (trx) => {
    // The guards stand beside the token, which may not have been asked for yet.
    await insertRefreshToken(trx, accountId, newRefreshToken(deps, accountId));
    await updateGuards(trx, accountId, guards);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'keys.guards_changed',
      subject: { type: 'account', id: accountId },
      details: { networks: guards.networks, idle_days: guards.idleDays },
    });
    await notify(trx, accountChanged, accountId);
  });
}
