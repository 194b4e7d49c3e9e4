import { type Actor, type AuditAction, recordAudit } from '../../audit/index.ts';
import { inTransaction, notify, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { findAccount, findAccountByEmail, lockAccount, type StoredAccount } from './accounts-store.ts';
import { accountNotFoundProblem } from './problems.ts';

/** The notice that an account's tokens must be looked up again; its text is the account's id. */
export const accountTopic = 'account';

/** An account by its email address, as people name it, or by its id, as pages do. */
export type AccountRef = string | { readonly id: string };

type Details = Record<string, unknown>;

type AccountChange = {
  action: AuditAction;
  /** What the audit keeps of the change, whether it is made or refused. */
  details?: Details | ((account: StoredAccount) => Details);
  /** Makes the change; nobody else changes the account meanwhile. @throws Problem if it is refused. */
  make(trx: Trx, account: StoredAccount): Promise<ChangeResult>;
};

/** Whether there was something to change, and what else the audit keeps of it. */
type ChangeResult = { changed: boolean; details?: Details };

/**
 * Changes one account: the change, its audit entry and the notice to every process are one transaction. A refusal is
 * recorded in a transaction of its own.
 * @returns whether there was something to change. @throws Problem `no-such-account`, and what the change throws.
 */
export async function changeAccount(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  change: AccountChange,
): Promise<boolean> {
  const { id } = await findAccountId(deps, ref);
  try {
    return await inTransaction(deps.db, (trx) => changeInTransaction(trx, deps, actor, id, change));
  } catch (error) {
    if (error instanceof Problem) await recordRefusedChange(deps, actor, id, change, error);
    throw error;
  }
}

/** Changes an account within the transaction of another action, whose caller records a refusal. */
export async function changeInTransaction(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  id: string,
  change: AccountChange,
): Promise<boolean> {
  const account = await lockAccount(trx, id);
  if (!account) throw accountNotFoundProblem();
  const { changed, details } = await change.make(trx, account);
  if (!changed) return false;
  await recordAudit(trx, {
    ...entryOf(deps, actor, id, change),
    details: { ...detailsOf(change, account), ...details },
  });
  await notify(trx, accountTopic, id);
  return true;
}

async function recordRefusedChange(
  deps: Platform,
  actor: Actor,
  id: string,
  change: AccountChange,
  { kind }: Problem,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const details = { ...detailsOf(change, await findAccount(trx, id)), refused: kind.type };
    await recordAudit(trx, { ...entryOf(deps, actor, id, change), outcome: 'refused', details });
  });
}

function entryOf({ clock }: Platform, actor: Actor, id: string, { action }: AccountChange) {
  return { at: clock.now(), actor, action, subject: { type: 'account', id } };
}

function detailsOf({ details = {} }: AccountChange, account: StoredAccount | undefined): Details {
  if (typeof details !== 'function') return details;
  return account ? details(account) : {};
}

async function findAccountId({ db }: Platform, ref: AccountRef): Promise<{ id: string }> {
  if (typeof ref !== 'string') return ref;
  const email = canonicalEmail(ref);
  const account = email.includes('\0') ? undefined : await findAccountByEmail(db, email);
  if (!account) throw accountNotFoundProblem();
  return account;
}
