import type { Actor } from '../audit/index.ts';
import type { Platform } from '../platform/platform.ts';
import { changeAccount, type WhichAccount } from './change-account.ts';
import { keepAnOperator } from './keep-an-operator.ts';
import { deleteSessionsOf } from './sessions-store.ts';
import { updateDisabledAt } from './store.ts';

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
