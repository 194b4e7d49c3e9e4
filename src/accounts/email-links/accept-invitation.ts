import { recordAudit } from '../../audit/index.ts';
import { inTransaction, notify } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { updatePassword } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { accountTopic } from '../model/change-account.ts';
import { linkEnded } from '../model/problems.ts';
import { newPasswordHash } from '../passwords/password.ts';
import { type SignInBrowser, startSession } from '../sign-in/start-session.ts';
import { findLinkHolder, useLink } from './links.ts';

export type Acceptance = {
  /** The secret of the link. */
  secret: string;
  password: string;
  browser: SignInBrowser;
};

/**
 * Gives an invited person their first password and signs them in. The link is used up.
 * @returns the secret of the new session, for the cookie. @throws Problem `link-ended`, or `unprocessable` about the password.
 */
export async function acceptInvitation(deps: Platform, input: Acceptance): Promise<string> {
  const { secret, browser } = input;
  const invited = await findLinkHolder(deps, 'invitation', secret);
  if (!invited) throw new Problem(linkEnded);
  const passwordHash = await newPasswordHash(deps, invited, input.password);
  return inTransaction(deps.db, async (trx) => {
    const account = await useLink(trx, deps, 'invitation', secret);
    await updatePassword(trx, account.id, passwordHash);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(callerOf(account, 'session'), browser.ipAddress),
      action: 'account.invitation_accepted',
      subject: { type: 'account', id: account.id },
    });
    await notify(trx, accountTopic, account.id);
    return startSession(trx, deps, { account, method: 'invitation', browser });
  });
}
