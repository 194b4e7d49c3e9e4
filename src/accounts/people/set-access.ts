import type { Actor } from '../../audit/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { updateApiAccess, updateDisabledAt } from '../model/accounts-store.ts';
import { type AccountRef, changeAccount } from '../model/change-account.ts';
import { deleteSessionsOf } from '../model/sessions-store.ts';
import { reassignSystemsOf } from '../systems/owners.ts';
import { requireRemainingOperator } from './operator-limits.ts';

/** Disables an account; its sessions and tokens end at once. @throws Problem `no-such-account` or `last-operator`. */
export async function disableAccount(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  reason?: string,
  { mustLeaveOperator }: { mustLeaveOperator?: boolean | undefined } = {},
): Promise<void> {
  await changeAccount(deps, actor, ref, {
    action: 'account.disabled',
    details: { reason },
    async make(trx, account) {
      if (account.disabledAt !== null) return { changed: false };
      await updateDisabledAt(trx, account.id, deps.clock.now());
      if (account.roles.includes('operator'))
        await requireRemainingOperator(trx, deps, actor, { mustLeaveOne: mustLeaveOperator });
      await deleteSessionsOf(trx, account.id);
      await reassignSystemsOf(trx, deps, actor, account);
      // Open referrals must not lose the person who looks after them.
      await addJobs(trx, 'update-prompts', [{}]);
      return { changed: true };
    },
  });
}

/** Enables an account that was disabled. @throws Problem `no-such-account`. */
export async function enableAccount(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  reason?: string,
): Promise<void> {
  await changeAccount(deps, actor, ref, {
    action: 'account.enabled',
    details: { reason },
    async make(trx, account) {
      if (account.disabledAt === null) return { changed: false };
      await updateDisabledAt(trx, account.id, null);
      await addJobs(trx, 'update-prompts', [{}]);
      return { changed: true };
    },
  });
}

/** Switches API access on or off. Switching it off ends every access token of the account at once. @throws Problem `no-such-account`. */
export async function setApiAccess(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  { isAllowed, reason }: { isAllowed: boolean; reason?: string | undefined },
): Promise<void> {
  await changeAccount(deps, actor, ref, {
    action: isAllowed ? 'account.api_access_on' : 'account.api_access_off',
    details: { reason },
    async make(trx, account) {
      if (account.hasApiAccess === isAllowed) return { changed: false };
      await updateApiAccess(trx, account.id, { isAllowed });
      return { changed: true };
    },
  });
}
