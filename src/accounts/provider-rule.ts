import { Problem, unprocessable } from '../platform/problem/index.ts';
import type { Organisation, Role } from './account.ts';

/**
 * A provider answers for the services of an organisation in the library: one that is at another would see no referral,
 * or be taken for staff of whoever has the same name.
 * @throws Problem `unprocessable`.
 */
export function requireLibraryOrganisation(
  roles: readonly Role[],
  organisation: Pick<Organisation, 'libraryOrganizationId'> | null,
): void {
  if (!roles.includes('provider') || organisation?.libraryOrganizationId) return;
  const errors = [{ pointer: '/organisation', message: 'must be one of the library, for a provider' }];
  throw new Problem(unprocessable, 'A provider answers for an organisation of the library.', { errors });
}
