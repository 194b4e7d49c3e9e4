import { recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { addJobs } from '../platform/jobs/index.ts';
import { canonicalEmail, queueMail } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { makeLink } from './account-links.ts';
import { composeNoPassword, composeReset } from './link-mails.ts';
import { findAccountByEmail, lockAccount, type StoredAccount } from './store.ts';
import { beforeAttempt } from './throttle.ts';

type ResetRequest = { email: string; address: string };

const purpose = 'address of reset';

/**
 * Somebody says that they forgot the password of this address. Whether there is such an account is looked up by a job
 * afterwards: nothing here depends on it, neither the answer nor how long it takes.
 * @throws Problem `too-many-attempts`.
 */
export async function requestPasswordReset(deps: Platform, { email, address }: ResetRequest): Promise<void> {
  await beforeAttempt(deps, { kind: 'reset', email, address });
  const sealed = deps.secrets.seal(purpose, '', JSON.stringify({ email: canonicalEmail(email), address }));
  await inTransaction(deps.db, (trx) =>
    addJobs(trx, 'start-password-reset', [{ sealed: sealed.toString('base64') }]),
  );
}

/** The `start-password-reset` job: emails a link to the account's holder, if there is one. */
export async function startPasswordReset(deps: Platform, { sealed }: { sealed: string }): Promise<void> {
  const text = deps.secrets.open(purpose, '', Buffer.from(sealed, 'base64'));
  const { email, address } = JSON.parse(text) as ResetRequest;
  await inTransaction(deps.db, async (trx) => {
    const found = await findAccountByEmail(trx, email);
    const account = found && (await lockAccount(trx, found.id));
    // The address may have become another one's meanwhile: the link must not go to the old one.
    const isOpen = account?.email === email && account.disabledAt === null;
    if (isOpen) await sendLink(trx, deps, account);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: { name: 'somebody', address },
      action: 'account.password_reset_requested',
      ...(account && { subject: { type: 'account', id: account.id } }),
      outcome: isOpen && account.passwordHash !== null ? 'done' : 'refused',
    });
  });
}

/**
 * Whoever signs in through another provider, or was invited and has not come yet, gets no password this way: an email
 * alone must not open a new way into an account beside the one that the operator chose.
 */
async function sendLink(trx: Trx, deps: Platform, account: StoredAccount): Promise<void> {
  if (account.passwordHash === null) return queueMail(trx, deps, composeNoPassword(deps.settings, account));
  const link = await makeLink(trx, deps, account.id, 'reset');
  await queueMail(trx, deps, composeReset(deps.settings, account, link));
}
