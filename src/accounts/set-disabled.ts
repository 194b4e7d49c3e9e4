import type { Actor } from '../audit/index.ts';
import type { Platform } from '../platform/platform.ts';
import { changeAccount } from './change-account.ts';
import { deleteSessionsOf } from './sessions-store.ts';
import { updateDisabledAt } from './store.ts';

/** Disables an account (its sessions and tokens end at once) or enables it. @throws Problem `no-such-account`. */
export function setDisabled(deps: Platform, actor: Actor, email: string, disabled: boolean): Promise<void> {
  return changeAccount(
    deps,
    actor,
    email,
    disabled ? 'account.disabled' : 'account.enabled',
    async (trx, account) => {
      await updateDisabledAt(trx, account.id, disabled ? deps.clock.now() : null);
      if (disabled) await deleteSessionsOf(trx, account.id);
    },
  );
}
