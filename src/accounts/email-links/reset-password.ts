import { anonymousActor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { canonicalEmail, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { findAccountByEmail, lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { linkEnded } from '../model/problems.ts';
import { replacePassword } from '../passwords/change-password.ts';
import { newPasswordHash } from '../passwords/password.ts';
import { beginAttempt, trustNetwork } from '../throttle/throttle.ts';
import { composeNoPassword, composeReset } from './link-emails.ts';
import { findLinkHolder, makeLink, useLink } from './links.ts';

type ResetRequest = { email: string; ipAddress: string };

const purpose = 'address of reset'; // stored: do not change

/**
 * Somebody forgot the password of this email address. A job looks up later whether there is such an account, so neither
 * the answer nor its time tells.
 * @throws Problem `too-many-attempts`.
 */
export async function requestPasswordReset(
  deps: Platform,
  { email, ipAddress }: ResetRequest,
): Promise<void> {
  await beginAttempt(deps, { kind: 'reset', identifier: email, ipAddress });
  const sealed = deps.secrets.seal(purpose, '', JSON.stringify({ email: canonicalEmail(email), ipAddress }));
  await inTransaction(deps.db, (trx) =>
    addJobs(trx, 'start-password-reset', [{ sealed: sealed.toString('base64') }]),
  );
}

/** The `start-password-reset` job: emails a link to the account's holder, if there is one. */
export async function startPasswordReset(deps: Platform, { sealed }: { sealed: string }): Promise<void> {
  const text = deps.secrets.open(purpose, '', Buffer.from(sealed, 'base64'));
  // A job that an earlier version added has the IP address as `address`.
  const { email, address, ipAddress = address } = JSON.parse(text) as ResetRequest & { address: string };
  await inTransaction(deps.db, async (trx) => {
    const holder = await findAccountByEmail(trx, email);
    const account = holder && (await lockAccount(trx, holder.id));
    // The account may have got another address meanwhile: no link must go to the old one.
    const mayReset = account?.email === email && account.disabledAt === null && !account.isSystem;
    if (mayReset) await sendLink(trx, deps, account);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: anonymousActor(ipAddress),
      action: 'account.password_reset_requested',
      ...(account && { subject: { type: 'account', id: account.id } }),
      outcome: mayReset && account.passwordHash !== null ? 'done' : 'refused',
    });
  });
}

/**
 * Somebody who signs in with the outside provider, or has not accepted the invitation yet, gets no password this way: an
 * email alone must not open another way into the account.
 */
async function sendLink(trx: Trx, deps: Platform, account: StoredAccount): Promise<void> {
  if (account.passwordHash === null)
    return mailPeople(trx, deps, 'site', composeNoPassword(deps.settings, account));
  const link = await makeLink(trx, deps, account.id, 'reset');
  await mailPeople(trx, deps, 'site', composeReset(deps.settings, account, link));
}

/**
 * Gives the holder of a reset link a new password, and ends the sessions and access tokens of the old one. It signs nobody
 * in: the next sign-in asks for the second factor as usual.
 * @throws Problem `link-ended`, or `unprocessable` about the password.
 */
export async function finishPasswordReset(
  deps: Platform,
  { secret, password, ipAddress }: { secret: string; password: string; ipAddress: string },
): Promise<void> {
  const holder = await findLinkHolder(deps, 'reset', secret);
  if (!holder) throw new Problem(linkEnded);
  const passwordHash = await newPasswordHash(deps, holder, password);
  await inTransaction(deps.db, async (trx) => {
    const account = await useLink(trx, deps, 'reset', secret);
    await replacePassword(
      trx,
      deps,
      actorOf(callerOf(account, 'session'), ipAddress),
      account.id,
      passwordHash,
    );
    // The person who reads the account's email is its holder, and may sign in from here while others guess elsewhere.
    await trustNetwork(trx, deps, { kind: 'sign-in', identifier: account.email, ipAddress });
  });
}
