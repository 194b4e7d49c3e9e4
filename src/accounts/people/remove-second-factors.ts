import type { Actor } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { deletePasskeysOf } from '../factors/passkeys-store.ts';
import { type AccountRef, changeAccount } from '../model/change-account.ts';
import { deleteAuthenticator, deleteRecoveryCodes } from '../model/second-factors-store.ts';
import { tellHolder, tellOtherOperators } from '../model/security-emails.ts';
import { deleteSessionsOf } from '../model/sessions-store.ts';
import { requireRemainingOperator } from './operator-limits.ts';

/**
 * Removes all second factors of somebody who lost them; the operator has made sure who it is. Their sessions end, since
 * somebody else may have found the device. The holder and the other operators are told.
 * @throws Problem `no-such-account` or `last-operator`.
 */
export async function removeSecondFactors(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  reason?: string,
): Promise<void> {
  await changeAccount(deps, actor, ref, {
    action: 'second_factor.reset',
    details: { reason },
    async make(trx, account) {
      const authenticator = await deleteAuthenticator(trx, account.id);
      const passkeys = await deletePasskeysOf(trx, account.id);
      // A passkey may be all that the last operator signs in with, or the password too short without a second factor.
      if (account.roles.includes('operator'))
        await requireRemainingOperator(trx, deps, actor, { exceptId: account.id });
      await deleteRecoveryCodes(trx, account.id);
      await deleteSessionsOf(trx, account.id);
      await tellHolder(
        trx,
        deps,
        account,
        'Two-step sign-in was turned off for your account by the operator',
      );
      const what = 'turned off two-step sign-in for an account';
      await tellOtherOperators(trx, deps, actor, account, { what, reason });
      return { changed: true, details: { authenticator, passkeys } };
    },
  });
}
