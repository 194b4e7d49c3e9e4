import type { Actor } from '../../audit/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { emailErrors, emailTaken } from '../model/account.ts';
import { updateEmail } from '../model/accounts-store.ts';
import { changeAccount, type WhichAccount } from '../model/change-account.ts';
import { deleteSessionsOf } from '../model/sessions-store.ts';
import { tellHolder, tellOtherOperators } from '../model/tell-people.ts';

/**
 * Gives an account another email address, which is what its holder signs in with and where a new password is sent. Its
 * sessions end, and links that were sent to the old address (the database sees to those); keys go on, for they are the
 * holder's and not the address's. Both addresses are told: whoever reads the old one learns of it if it was not meant.
 * Neither address is in the audit, which forgets nothing.
 * @throws Problem `unprocessable`, `email-taken` or `no-such-account`.
 */
export async function changeEmail(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  typed: string,
  reason?: string,
): Promise<void> {
  const errors = emailErrors(typed);
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  const email = canonicalEmail(typed);
  await changeAccount(
    deps,
    actor,
    which,
    'account.email_changed',
    async (trx, account) => {
      if (account.email === email) return false;
      if (!(await updateEmail(trx, account.id, email)))
        throw new Problem(emailTaken, 'Choose another address, or change the account that has it.');
      await deleteSessionsOf(trx, account.id);
      const { name } = account;
      // Neither can be told to change the password: the one signs in no more with it, the other may have none.
      const contact = contactOf(deps.settings);
      await tellHolder(trx, deps, account, 'Your account is signed in to with another email address now', {
        ifNot: `If not, somebody else may have your account. You cannot sign in with this address any more: tell ${contact} at once.`,
      });
      await tellHolder(
        trx,
        deps,
        { name, email },
        'Your account is signed in to with this email address now',
        { ifNot: `If not, your address may have been given by mistake: tell ${contact}.` },
      );
      // An address of the operator's own would let them in as the holder.
      const what = 'changed the email address of an account';
      await tellOtherOperators(trx, deps, actor, account, { what, lines: [`Address now: ${email}`], reason });
      return true;
    },
    { reason },
  );
}
