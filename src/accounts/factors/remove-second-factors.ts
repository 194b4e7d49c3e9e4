import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { noSuchAccount } from '../account.ts';
import { deleteSessionsOf } from '../sessions-store.ts';
import { lockAccount } from '../store.ts';
import { tellHolder } from '../tell-holder.ts';
import { deletePasskeysOf } from './passkeys-store.ts';
import { deleteAuthenticator, deleteRecoveryCodes } from './second-factors-store.ts';

/**
 * Takes all second factors off somebody's account, who has lost them: an operator's doing, after making sure of the
 * person. Its sessions end, since whoever found what was lost may have one.
 * @throws Problem `no-such-account`.
 */
export async function removeSecondFactors(deps: Platform, actor: Actor, accountId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, accountId);
    if (!account) throw new Problem(noSuchAccount, 'Choose one from the list of accounts.');
    const authenticator = await deleteAuthenticator(trx, accountId);
    const passkeys = await deletePasskeysOf(trx, accountId);
    await deleteRecoveryCodes(trx, accountId);
    await deleteSessionsOf(trx, accountId);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor,
      action: 'second_factor.reset',
      subject: { type: 'account', id: accountId },
      details: { authenticator, passkeys },
    });
    await tellHolder(trx, deps, account, 'The second factors of your account were removed by the operator');
  });
}
