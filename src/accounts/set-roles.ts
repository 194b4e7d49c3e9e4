import type { Actor } from '../audit/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { type Role, roles } from './account.ts';
import { changeAccount, type WhichAccount } from './change-account.ts';
import { keepAnOperator } from './keep-an-operator.ts';
import { requireLibraryOrganisation } from './provider-rule.ts';
import { updateRoles } from './store.ts';

/**
 * Gives an account these roles and no others. Nothing ends; they count from the next request on, everywhere.
 * @throws Problem `unprocessable`, `no-such-account` or `last-operator`.
 */
export async function setRoles(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  given: readonly Role[],
): Promise<void> {
  const to = roles.filter((role) => given.includes(role));
  if (to.length === 0) {
    const errors = [{ pointer: '/roles', message: 'Select at least one role' }];
    throw new Problem(unprocessable, 'The roles were not changed.', { errors });
  }
  const details: Record<string, unknown> = { to };
  await changeAccount(
    deps,
    actor,
    which,
    'account.roles_changed',
    async (trx, account) => {
      details.from = account.roles;
      if (to.length === account.roles.length && to.every((role) => account.roles.includes(role)))
        return false;
      requireLibraryOrganisation(to, account.organisation);
      const change = () => updateRoles(trx, account.id, to);
      const loses = account.roles.includes('operator') && !to.includes('operator');
      if (loses) await keepAnOperator(trx, deps, actor, change);
      else await change();
      return true;
    },
    details,
  );
}
