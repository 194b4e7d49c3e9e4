import type { Actor } from '../../audit/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { type Role, roles } from '../model/account.ts';
import { updateRoles } from '../model/accounts-store.ts';
import { type AccountRef, changeAccount } from '../model/change-account.ts';
import { tellHolder, tellOtherOperators } from '../model/tell-people.ts';
import { requireLibraryOrganisation } from './create-account.ts';
import { refuseOwnAccount, requireOperatorLeft } from './operator-limits.ts';

/**
 * Gives an account these roles and no others, from the next request on. The holder and the other operators are told.
 * @throws Problem `unprocessable`, `own-rights`, `no-such-account` or `last-operator`.
 */
export async function setRoles(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  given: readonly Role[],
  reason?: string,
): Promise<void> {
  const to = roles.filter((role) => given.includes(role));
  if (to.length === 0) {
    const errors = [{ pointer: '/roles', message: 'Select at least one role' }];
    throw new Problem(unprocessable, 'The roles were not changed.', { errors });
  }
  await changeAccount(deps, actor, ref, {
    action: 'account.roles_changed',
    details: (account) => ({ from: account.roles, to, reason }),
    async make(trx, account) {
      refuseOwnAccount(actor, account.id);
      if (to.length === account.roles.length && to.every((role) => account.roles.includes(role)))
        return { changed: false };
      requireLibraryOrganisation(to, account.organisation);
      await updateRoles(trx, account.id, to);
      await addJobs(trx, 'update-prompts', [{}]);
      const wasOperator = account.roles.includes('operator');
      if (wasOperator && !to.includes('operator')) await requireOperatorLeft(trx, deps, actor);
      const lines = [`Roles before: ${account.roles.join(', ')}`, `Roles now: ${to.join(', ')}`];
      await tellHolder(trx, deps, account, 'The roles of your account were changed', {
        lines,
        ifNot: `If you do not know why, ask ${contactOf(deps.settings)}.`,
      });
      const what = 'changed the roles of an account';
      await tellOtherOperators(trx, deps, actor, account, { what, lines, reason });
      return { changed: true };
    },
  });
}
