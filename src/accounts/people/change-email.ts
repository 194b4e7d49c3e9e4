import type { Actor } from '../../audit/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { checkEmailAddress } from '../model/account.ts';
import { updateEmail } from '../model/accounts-store.ts';
import { type AccountRef, changeAccount } from '../model/change-account.ts';
import { emailTaken, requireTargetIsPerson } from '../model/problems.ts';
import { tellHolder, tellOtherOperators } from '../model/security-emails.ts';
import { deleteSessionsOf } from '../model/sessions-store.ts';

/**
 * Gives an account another email address: the holder signs in with it and gets links for a new password there. The
 * sessions of the account end, and so do links in emails to the old address (by a trigger). Its keys stay. Both addresses
 * are told, so that a mistake or a theft is noticed. The audit never forgets, so neither address is in it.
 * @throws Problem `unprocessable`, `email-taken`, `no-such-account` or `not-for-systems`.
 */
export async function changeEmail(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  typed: string,
  reason?: string,
): Promise<void> {
  const errors = checkEmailAddress(typed);
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  const email = canonicalEmail(typed);
  await changeAccount(deps, actor, ref, {
    action: 'account.email_changed',
    details: { reason },
    async make(trx, account) {
      requireTargetIsPerson(account);
      if (account.email === email) return { changed: false };
      if (!(await updateEmail(trx, account.id, email, deps.clock.now())))
        throw new Problem(emailTaken, 'Choose another address, or change the account that has it.');
      await deleteSessionsOf(trx, account.id);
      const { name } = account;
      // Neither is told to change the password: the old address cannot sign in with it, and the new one may have none.
      const contact = contactOf(deps.settings);
      await tellHolder(trx, deps, account, 'Your account is signed in to with another email address now', {
        ifWrong: `If not, somebody else may have your account. You can no longer sign in with this address: tell ${contact} at once.`,
      });
      await tellHolder(
        trx,
        deps,
        { name, email },
        'Your account is signed in to with this email address now',
        { ifWrong: `If not, your address may have been given by mistake: tell ${contact}.` },
      );
      // With an address of their own, an operator could sign in as the holder.
      const what = 'changed the email address of an account';
      await tellOtherOperators(trx, deps, actor, account, { what, lines: [`Address now: ${email}`], reason });
      return { changed: true };
    },
  });
}
