import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, notify, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { noSuchAccount } from './account.ts';
import { findAccountByEmail, lockAccount, type StoredAccount } from './accounts-store.ts';

/** The notice that an account's tokens must be looked up again; its text is the account's id. */
export const accountChanged = 'account';

/** An account by its email address, as people name it, or by its id, as pages do. */
export type AccountRef = string | { readonly id: string };

type Details = Record<string, unknown>;

type AccountChange = {
  action: string;
  /** What the audit keeps of the change, whether it is made or refused. */
  details?: Details | ((account: StoredAccount) => Details);
  /**
   * Makes the change; nobody else changes the account meanwhile. @returns false where there was nothing to change, or what
   * else the audit keeps. @throws Problem where it is refused.
   */
  make(trx: Trx, account: StoredAccount): Promise<boolean | Details>;
};

/**
 * Changes one account: the change, its audit entry and the notice to every process are one transaction. A refusal is
 * recorded by itself.
 * @returns whether there was something to change. @throws Problem `no-such-account`, and what the change throws.
 */
export async function changeAccount(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  { action, details = {}, make }: AccountChange,
): Promise<boolean> {
  const { id } = await findAccountId(deps, ref);
  const entry = { at: deps.clock.now(), actor, action, subject: { type: 'account', id } };
  let known = typeof details === 'function' ? {} : details;
  try {
    return await inTransaction(deps.db, async (trx) => {
      const account = await lockAccount(trx, id);
      if (!account) throw accountNotFound();
      if (typeof details === 'function') known = details(account);
      const made = await make(trx, account);
      if (made === false) return false;
      await recordAudit(trx, { ...entry, details: made === true ? known : { ...known, ...made } });
      await notify(trx, accountChanged, id);
      return true;
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const why = { ...known, refused: error.kind.type };
    await inTransaction(deps.db, (trx) => recordAudit(trx, { ...entry, outcome: 'refused', details: why }));
    throw error;
  }
}

async function findAccountId({ db }: Platform, ref: AccountRef): Promise<{ id: string }> {
  if (typeof ref !== 'string') return ref;
  const email = canonicalEmail(ref);
  const account = email.includes('\0') ? undefined : await findAccountByEmail(db, email);
  if (!account) throw accountNotFound();
  return account;
}

function accountNotFound(): Problem {
  return new Problem(noSuchAccount, 'Check the email address; `account list` shows all of them.');
}
