import type { Actor } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { type Role, roles } from '../model/account.ts';
import { updateRoles } from '../model/accounts-store.ts';
import { changeAccount, type WhichAccount } from '../model/change-account.ts';
import { tellHolder, tellOtherOperators } from '../model/tell-people.ts';
import { requireLibraryOrganisation } from './create-account.ts';
import { keepAnOperator, requireSomebodyElse } from './operator-limits.ts';

/**
 * Gives an account these roles and no others. Nothing ends; they count from the next request on, everywhere. The holder
 * and the other operators are told.
 * @throws Problem `unprocessable`, `own-rights`, `no-such-account` or `last-operator`.
 */
export async function setRoles(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  given: readonly Role[],
  reason?: string,
): Promise<void> {
  const to = roles.filter((role) => given.includes(role));
  if (to.length === 0) {
    const errors = [{ pointer: '/roles', message: 'Select at least one role' }];
    throw new Problem(unprocessable, 'The roles were not changed.', { errors });
  }
  const details: Record<string, unknown> = { to, reason };
  await changeAccount(
    deps,
    actor,
    which,
    'account.roles_changed',
    async (trx, account) => {
      details.from = account.roles;
      requireSomebodyElse(actor, account.id);
      if (to.length === account.roles.length && to.every((role) => account.roles.includes(role)))
        return false;
      requireLibraryOrganisation(to, account.organisation);
      const change = () => updateRoles(trx, account.id, to);
      const loses = account.roles.includes('operator') && !to.includes('operator');
      if (loses) await keepAnOperator(trx, deps, actor, change);
      else await change();
      const lines = [`Roles before: ${account.roles.join(', ')}`, `Roles now: ${to.join(', ')}`];
      await tellHolder(trx, deps, account, 'The roles of your account were changed', {
        lines,
        ifNot: `If you do not know why, ask ${contactOf(deps.settings)}.`,
      });
      const what = 'changed the roles of an account';
      await tellOtherOperators(trx, deps, actor, account, { what, lines, reason });
      return true;
    },
    details,
  );
}
