import type { Actor } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { deletePasskeysOf } from '../factors/passkeys-store.ts';
import { changeAccount, type WhichAccount } from '../model/change-account.ts';
import { deleteAuthenticator, deleteRecoveryCodes } from '../model/second-factors-store.ts';
import { deleteSessionsOf } from '../model/sessions-store.ts';
import { tellHolder, tellOtherOperators } from '../model/tell-people.ts';
import { keepAnOperator } from './operator-limits.ts';

/**
 * Takes all second factors off somebody's account, who has lost them: an operator's doing, after making sure of the
 * person. Its sessions end, since whoever found what was lost may have one. The holder and the other operators are told.
 * @throws Problem `no-such-account` or `last-operator`.
 */
export async function removeSecondFactors(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  reason?: string,
): Promise<void> {
  const details: Record<string, unknown> = { reason };
  await changeAccount(
    deps,
    actor,
    which,
    'second_factor.reset',
    async (trx, account) => {
      const change = async () => {
        const authenticator = await deleteAuthenticator(trx, account.id);
        const passkeys = await deletePasskeysOf(trx, account.id);
        Object.assign(details, { authenticator, passkeys });
      };
      // A passkey may be all that the last operator can sign in with, and a password too short to do without a factor.
      if (account.roles.includes('operator')) await keepAnOperator(trx, deps, actor, change, account.id);
      else await change();
      await deleteRecoveryCodes(trx, account.id);
      await deleteSessionsOf(trx, account.id);
      await tellHolder(trx, deps, account, 'The second factors of your account were removed by the operator');
      const what = 'removed the second factors of an account';
      await tellOtherOperators(trx, deps, actor, account, { what, reason });
      return true;
    },
    details,
  );
}
