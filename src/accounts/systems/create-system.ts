import { type Actor, recordAudit } from '../../audit/index.ts';
import { holdTaskLock, inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { checkDisplayName, type Role } from '../model/account.ts';
import { insertAccount } from '../model/accounts-store.ts';
import {
  type AccountOrganisation,
  findOrMakeOrganisation,
  requireLibraryOrganisation,
} from '../model/organisations/account-organisation.ts';
import { requireOwner, tellOfOwner } from './owners.ts';
import { findSystem, isSystemNameTaken } from './systems-store.ts';

/** The roles that a system may have. Only people run the site. */
export const systemRoles = ['referrer', 'provider'] as const satisfies readonly Role[];

export type NewSystem = {
  name: string;
  roles: readonly (typeof systemRoles)[number][];
  organisation: AccountOrganisation;
  ownerId: string;
};

/** @returns what is wrong with a new system, field by field. */
export function checkNewSystem({ name, roles }: Pick<NewSystem, 'name' | 'roles'>): FieldError[] {
  return [
    ...checkDisplayName(name),
    ...(roles.length > 0 ? [] : [{ pointer: '/roles', message: 'Select at least one' }]),
  ];
}

/**
 * Makes an account that is no person: nobody can sign in as it, and its owner makes the keys that it calls with.
 * @returns its id. @throws Problem `unprocessable`.
 */
export async function createSystem(deps: Platform, actor: Actor, input: NewSystem): Promise<string> {
  const errors = checkNewSystem(input);
  if (errors.length > 0) throw new Problem(unprocessable, 'The system was not made.', { errors });
  const id = newId();
  const at = deps.clock.now();
  const name = input.name.trim();
  const roles = [...input.roles];
  await inTransaction(deps.db, async (trx) => {
    const organisation = await findOrMakeOrganisation(trx, input.organisation, at);
    requireLibraryOrganisation(roles, organisation);
    // In the audit nobody could tell two systems of one name apart.
    await holdTaskLock(trx, `systems of ${organisation.id}`);
    if (await isSystemNameTaken(trx, organisation.id, name)) throw nameTakenProblem();
    const owner = await requireOwner(trx, input.ownerId, { organisationId: organisation.id, roles });
    await insertAccount(trx, {
      id,
      email: `${id}@${systemMailDomain}`,
      name,
      roles,
      organisationId: organisation.id,
      passwordHash: null,
      hasApiAccess: true,
      systemOwnerId: owner.id,
      at,
    });
    await recordAudit(trx, {
      at,
      actor,
      action: 'system.created',
      subject: { type: 'account', id },
      details: { name, role: roles.join(','), owner: owner.id },
    });
    await tellOfOwner(trx, deps, actor, (await findSystem(trx, id))!, owner);
  });
  return id;
}

/** An account must have an address that no other has. Nothing is ever sent to this one (RFC 2606, section 2). */
const systemMailDomain = 'system.invalid';

function nameTakenProblem(): Problem {
  const errors = [
    { pointer: '/name', message: 'Enter another name: the organisation has a system with this one' },
  ];
  return new Problem(unprocessable, 'The system was not made.', { errors });
}
