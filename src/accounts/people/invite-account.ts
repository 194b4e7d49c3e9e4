import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { composeInvitation } from '../email-links/link-emails.ts';
import { makeLink } from '../email-links/links.ts';
import { canSignInWithoutPassword } from '../email-links/links-store.ts';
import { checkNewAccount } from '../model/account.ts';
import { findAccount, findAccountByEmail, lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import {
  accountNotFoundProblem,
  cannotBeInvited,
  noMailServer,
  requireTargetIsPerson,
} from '../model/problems.ts';
import { tellOfInvitedTeam, tellOtherOperators } from '../model/security-emails.ts';
import { addAccount, type Invitation } from './create-account.ts';

/**
 * Makes an account without a password, and emails its holder a link to choose one. The other operators are told, because it
 * could be a second account of the operator who invites.
 * @returns its id. @throws Problem `unprocessable`, `email-taken` or `no-mail-server`.
 */
export async function inviteAccount(deps: Platform, actor: Actor, input: Invitation): Promise<string> {
  return inTransaction(deps.db, (trx) => inviteInTransaction(trx, deps, actor, input));
}

/** The same as a part of an action that records why somebody was invited. */
export async function inviteInTransaction(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  input: Invitation,
): Promise<string> {
  const errors = checkNewAccount(input);
  if (errors.length > 0) throw new Problem(unprocessable, 'Nobody was invited.', { errors });
  requireMailServer(deps);
  const holder = await addInvitedAccount(trx, deps, actor, input);
  await tellOtherOperators(trx, deps, actor, holder, { what: 'invited somebody', lines: holder.lines });
  return holder.id;
}

/**
 * Invites all of a team, or nobody. The other operators get one email with the whole list.
 * @throws Problem `unprocessable`, `email-taken` or `no-mail-server`.
 */
export async function inviteTeam(deps: Platform, actor: Actor, team: readonly Invitation[]): Promise<void> {
  const errors = team.flatMap(checkNewAccount);
  if (errors.length > 0) throw new Problem(unprocessable, 'Nobody was invited.', { errors });
  requireMailServer(deps);
  await inTransaction(deps.db, async (trx) => {
    const invited = [];
    for (const each of team) invited.push(await addInvitedAccount(trx, deps, actor, each));
    await tellOfInvitedTeam(trx, deps, actor, invited);
  });
}

/** Adds the account and emails its link. @returns the account, and lines that describe it to operators. */
async function addInvitedAccount(trx: Trx, deps: Platform, actor: Actor, input: Invitation) {
  const id = await addAccount(trx, actor, { ...input, passwordHash: null, at: deps.clock.now() });
  await sendInvitation(trx, deps, actor, id);
  const lines = [`Roles: ${input.roles.join(', ')}`, `Organisation: ${input.organisation?.name ?? 'none'}`];
  return { id, name: input.name.trim(), email: canonicalEmail(input.email), lines };
}

/**
 * Emails a new link to somebody who cannot sign in yet. The earlier link stops working.
 * @throws Problem `no-such-account`, `not-to-be-invited` or `no-mail-server`.
 */
export async function inviteAgain(deps: Platform, actor: Actor, email: string): Promise<void> {
  requireMailServer(deps);
  await inTransaction(deps.db, async (trx) => {
    const holder = await findAccountByEmail(trx, canonicalEmail(email));
    const account = holder && (await lockAccount(trx, holder.id));
    if (!account) throw accountNotFoundProblem();
    await requireInvitable(trx, account);
    await sendInvitation(trx, deps, actor, account.id);
  });
}

/**
 * Makes a new invitation link, which replaces the earlier one. It is shown and not emailed, because nobody reads the emails of a
 * test site.
 * @throws Problem `no-such-account`, `not-to-be-invited`.
 */
export async function renewInvitationLink(deps: Platform, actor: Actor, id: string): Promise<string> {
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, id);
    if (!account) throw accountNotFoundProblem();
    await requireInvitable(trx, account);
    await recordInvitation(trx, deps, actor, id);
    return makeLink(trx, deps, id, 'invitation');
  });
}

/** @throws Problem `not-to-be-invited`, `not-for-systems` */
async function requireInvitable(trx: Trx, account: StoredAccount): Promise<void> {
  requireTargetIsPerson(account);
  if (account.disabledAt !== null)
    throw new Problem(cannotBeInvited, 'The account is disabled. Enable it first.');
  if (account.passwordHash !== null)
    throw new Problem(
      cannotBeInvited,
      'It has a password already. Its holder can choose another with “Forgot your password?” on the sign-in page.',
    );
  // The link would be a second way to sign in, without a second factor.
  if (await canSignInWithoutPassword(trx, account.id))
    throw new Problem(cannotBeInvited, 'Its holder signs in already, without a password.');
}

async function sendInvitation(trx: Trx, deps: Platform, actor: Actor, id: string): Promise<void> {
  const account = (await findAccount(trx, id))!;
  const link = await makeLink(trx, deps, id, 'invitation');
  await mailPeople(trx, deps, 'site', composeInvitation(deps.settings, account, link));
  await recordInvitation(trx, deps, actor, id);
}

async function recordInvitation(trx: Trx, deps: Platform, actor: Actor, id: string): Promise<void> {
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor,
    action: 'account.invited',
    subject: { type: 'account', id },
  });
}

/**
 * Without a mail server a link would never arrive, and the person who sent it would not know.
 * @throws Problem `no-mail-server`.
 */
export function requireMailServer({ settings }: Pick<Platform, 'settings'>): void {
  if (settings.mode === 'test' || settings.smtpUrl !== undefined) return;
  throw new Problem(noMailServer, 'Set ONWARD_SMTP_URL and ONWARD_MAIL_FROM, and start the site again.');
}
