import type { Actor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { type Role, roles } from '../model/account.ts';
import { type StoredAccount, updateRoles } from '../model/accounts-store.ts';
import { type AccountRef, changeAccount } from '../model/change-account.ts';
import { requireLibraryOrganisation } from '../model/organisations/account-organisation.ts';
import { tellHolder, tellOtherOperators } from '../model/security-emails.ts';
import { systemRoles } from '../systems/create-system.ts';
import { reassignSystemsOf, requireOwner } from '../systems/owners.ts';
import { refuseOwnAccount, requireRemainingOperator } from './operator-limits.ts';

/**
 * Gives an account these roles and no others, from the next request on. The holder and the other operators are told.
 * @throws Problem `unprocessable`, `own-rights`, `no-such-account` or `last-operator`.
 */
export async function setRoles(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  newRoles: readonly Role[],
  reason?: string,
): Promise<void> {
  const to = roles.filter((role) => newRoles.includes(role));
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
      if (account.isSystem) await requireRolesOfSystem(trx, account, to);
      await updateRoles(trx, account.id, to);
      await reassignSystemsOf(trx, deps, actor, account);
      await addJobs(trx, 'update-prompts', [{}]);
      const wasOperator = account.roles.includes('operator');
      if (wasOperator && !to.includes('operator')) await requireRemainingOperator(trx, deps, actor);
      const lines = [`Roles before: ${account.roles.join(', ')}`, `Roles now: ${to.join(', ')}`];
      await tellHolder(trx, deps, account, 'The roles of your account were changed', {
        details: lines,
        ifWrong: `If you do not know why, ask ${contactOf(deps.settings)}.`,
      });
      const what = 'changed the roles of an account';
      await tellOtherOperators(trx, deps, actor, account, { what, lines, reason });
      return { changed: true };
    },
  });
}

/** @throws Problem `unprocessable` for a role that is for people, or that the owner does not have. */
async function requireRolesOfSystem(
  trx: Trx,
  { organisation, ownerId }: StoredAccount,
  to: readonly Role[],
): Promise<void> {
  if (!to.every((role) => systemRoles.some((each) => each === role))) {
    const errors = [
      { pointer: '/roles', message: 'Select what systems may do: to run this site is for people' },
    ];
    throw new Problem(unprocessable, 'The roles were not changed.', { errors });
  }
  if (ownerId === null) return;
  const owned = { organisationId: organisation!.id, roles: [...to] };
  await requireOwner(trx, ownerId, owned, '/roles');
}
