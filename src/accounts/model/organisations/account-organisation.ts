import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { Organisation, Role } from '../account.ts';
import { upsertOrganisation } from './organisations-store.ts';

/** The organisation of a new account, which is made if it does not exist. */
export type AccountOrganisation = {
  name: string;
  odsCode?: string | undefined;
  libraryOrganizationId?: string | undefined;
};

/** Finds the organisation that somebody named and gives it this name, or makes it. */
export function findOrMakeOrganisation(
  trx: Trx,
  organisation: AccountOrganisation,
  at: Date,
): Promise<Organisation> {
  return upsertOrganisation(trx, {
    id: newId(),
    name: organisation.name,
    odsCode: organisation.odsCode ?? null,
    libraryOrganizationId: organisation.libraryOrganizationId ?? null,
    at,
  });
}

/**
 * A provider answers for the services of an organisation in the library. With another organisation they would see no
 * referral, or be mistaken for staff of one with the same name.
 * @throws Problem `unprocessable`.
 */
export function requireLibraryOrganisation(
  roles: readonly Role[],
  organisation: Pick<Organisation, 'libraryOrganizationId'> | null,
): void {
  if (!roles.includes('provider') || organisation?.libraryOrganizationId) return;
  const errors = [
    { pointer: '/organisation', message: 'A provider’s organisation must be in the service library' },
  ];
  throw new Problem(unprocessable, 'A provider answers for an organisation of the library.', { errors });
}
