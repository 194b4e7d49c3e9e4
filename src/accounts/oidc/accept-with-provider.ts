import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { useLink } from '../account-links.ts';
import { actorOf, callerOf } from '../caller.ts';
import { linkWithin } from './link-identity.ts';
import { orRecordProviderRefusal } from './record-refusal.ts';
import type { ProviderSignIn } from './sign-in-with-provider.ts';
import { startProviderSession } from './start-provider-session.ts';

/**
 * Lets an invited person in who signs in at the provider instead of choosing a password: the invitation is used up, and
 * the account linked to them. @returns the id of the session.
 * @throws Problem `link-ended`, or `identity-taken`, which leaves the invitation as it was.
 */
export async function acceptWithProvider(
  deps: Platform,
  secret: string,
  { person, browser }: ProviderSignIn,
): Promise<string> {
  const at = deps.clock.now();
  const { address } = browser;
  return orRecordProviderRefusal(deps, 'identity.linked', { name: 'somebody', address }, () =>
    inTransaction(deps.db, async (trx) => {
      const account = await useLink(trx, deps, 'invitation', secret);
      const caller = callerOf(account, 'session');
      await linkWithin(trx, deps, caller, { person, address });
      await recordAudit(trx, {
        at,
        actor: actorOf(caller, address),
        action: 'account.invitation_accepted',
        subject: { type: 'account', id: account.id },
      });
      return startProviderSession(trx, deps, person, { account, browser });
    }),
  );
}
