import { type Actor, recordAudit } from '../audit/index.ts';
import { inTransaction, notify, type Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { canonicalEmail, noSuchAccount } from './account.ts';
import { findAccountByEmail, type StoredAccount } from './store.ts';

/** The topic of the news that an account's tokens must be looked up again; its text is the account's id. */
export const accountChanged = 'account';

/**
 * Changes one account: the change, its audit entry and the news to every process are one transaction.
 * @throws Problem `no-such-account`.
 */
export async function changeAccount(
  deps: Platform,
  actor: Actor,
  email: string,
  action: string,
  change: (trx: Trx, account: StoredAccount) => Promise<void>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const account = await findAccountByEmail(trx, canonicalEmail(email));
    if (!account)
      throw new Problem(noSuchAccount, 'Check the e-mail address; `account list` shows all of them.');
    await change(trx, account);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor,
      action,
      subject: { type: 'account', id: account.id },
    });
    await notify(trx, accountChanged, account.id);
  });
}
