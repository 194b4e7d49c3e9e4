import type { NewAccount, Role } from '../accounts/index.ts';
import { findOrganisationForAccount } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import { StartupError } from '../platform/startup-error.ts';

/** The organisation that `--organisation` names. @throws StartupError where the library must have it and does not. */
export async function resolveOrganisation(
  db: Db,
  roles: readonly Role[],
  named: string,
): Promise<NewAccount['organisation']> {
  const organisation = await findOrganisationForAccount(db, roles, named);
  if (organisation) return organisation;
  throw new StartupError(
    `--organisation: the library has no organisation with this id or exact name. A provider answers for the services ` +
      `of an organisation in the library; import it first, or look its name up on its services’ pages.`,
  );
}
