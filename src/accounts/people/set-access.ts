import type { Actor } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { updateApiAccess, updateDisabledAt } from '../model/accounts-store.ts';
import { changeAccount, type WhichAccount } from '../model/change-account.ts';
import { deleteSessionsOf } from '../model/sessions-store.ts';
import { keepAnOperator } from './operator-limits.ts';

/**
 * Disables an account (its sessions and tokens end at once) or enables it.
 * @throws Problem `no-such-account` or `last-operator`.
 */
export function setDisabled(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  disabled: boolean,
  reason?: string,
): Promise<void> {
  return changeAccount(
    deps,
    actor,
    which,
    disabled ? 'account.disabled' : 'account.enabled',
    async (trx, account) => {
      if ((account.disabledAt !== null) === disabled) return false;
      const change = () => updateDisabledAt(trx, account.id, disabled ? deps.clock.now() : null);
      if (disabled && account.roles.includes('operator')) await keepAnOperator(trx, deps, actor, change);
      else await change();
      if (disabled) await deleteSessionsOf(trx, account.id);
      return true;
    },
    { reason },
  );
}

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
