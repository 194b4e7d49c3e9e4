import type { Actor } from '../audit/index.ts';
import type { Platform } from '../platform/platform.ts';
import { changeAccount, type WhichAccount } from './change-account.ts';
import { updateApiAccess } from './store.ts';

/** Switches API access; off ends every access token of the account at once. @throws Problem `no-such-account`. */
export function setApiAccess(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  on: boolean,
  reason?: string,
): Promise<void> {
  return changeAccount(
    deps,
    actor,
    which,
    on ? 'account.api_access_on' : 'account.api_access_off',
    async (trx, account) => {
      if (account.apiAccess === on) return false;
      await updateApiAccess(trx, account.id, on);
      return true;
    },
    { reason },
  );
}
