import type { Actor } from '../audit/index.ts';
import type { Platform } from '../platform/platform.ts';
import { changeAccount } from './change-account.ts';
import { updateApiAccess } from './store.ts';

/** Switches API access; off ends every access token of the account at once. @throws Problem `no-such-account`. */
export function setApiAccess(deps: Platform, actor: Actor, email: string, on: boolean): Promise<void> {
  return changeAccount(
    deps,
    actor,
    email,
    on ? 'account.api_access_on' : 'account.api_access_off',
    (trx, account) => updateApiAccess(trx, account.id, on),
  );
}
