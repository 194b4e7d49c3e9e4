import type { NewAccount, Role } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { findOrganization } from '../services/store.ts';

/**
 * The organisation that somebody means who names it for an account: the library's with this id or exact name, or else,
 * for those who only refer, one of this name. Undefined where the library must have it and does not: a provider answers
 * for the services of an organisation of the library.
 */
export async function findOrganisation(
  db: Db,
  roles: readonly Role[],
  named: string,
): Promise<NewAccount['organisation']> {
  const known = await findOrganization(db, named);
  if (known) return { name: known.name, libraryOrganizationId: known.id };
  return roles.includes('provider') ? undefined : { name: named };
}
