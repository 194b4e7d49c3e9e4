import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, notify, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { noSuchAccount } from './account.ts';
import { findAccountByEmail, lockAccount, type StoredAccount } from './accounts-store.ts';

/** The topic of the news that an account's tokens must be looked up again; its text is the account's id. */
export const accountChanged = 'account';

/** An account by its email address, as people name it, or by its id, as pages do. */
export type WhichAccount = string | { readonly id: string };

/** What is done to the account, which nobody else changes meanwhile. False says that all was so already. */
type Change = (trx: Trx, account: StoredAccount) => Promise<boolean | undefined>;

/**
 * Changes one account: the change, its audit entry and the news to every process are one transaction. A refusal is
 * written down as well, by itself; what was so already is not.
 * @throws Problem `no-such-account`, and whatever the change refuses.
 */
export async function changeAccount(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  action: string,
  change: Change,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { id } = await findWhich(deps, which);
  const entry = { at: deps.clock.now(), actor, action, subject: { type: 'account', id } };
  try {
    await inTransaction(deps.db, async (trx) => {
      const account = await lockAccount(trx, id);
      if (!account) throw noSuch();
      if ((await change(trx, account)) === false) return;
      await recordAudit(trx, { ...entry, details });
      await notify(trx, accountChanged, id);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const why = { ...details, refused: error.kind.type };
    await inTransaction(deps.db, (trx) => recordAudit(trx, { ...entry, outcome: 'refused', details: why }));
    throw error;
  }
}

async function findWhich({ db }: Platform, which: WhichAccount): Promise<{ id: string }> {
  if (typeof which !== 'string') return which;
  const email = canonicalEmail(which);
  const account = email.includes('\0') ? undefined : await findAccountByEmail(db, email);
  if (!account) throw noSuch();
  return account;
}

function noSuch(): Problem {
  return new Problem(noSuchAccount, 'Check the email address; `account list` shows all of them.');
}
