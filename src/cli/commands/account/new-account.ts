import { type Invitation, type Role, roles } from '../../../accounts/index.ts';
import { findOrganisationForAccount } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { canonicalEmail } from '../../../platform/mail/index.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { type Input, requireOption, UsageError } from '../../command.ts';

/** The options of a new account. */
export const newAccountOptions = {
  email: { type: 'string' },
  name: { type: 'string' },
  role: { type: 'string', multiple: true },
  organisation: { type: 'string' },
  'api-access': { type: 'boolean' },
} as const;

export const newAccountHelp = [
  '--role R             operator, referrer, provider or manager; separate several with commas, or repeat the option',
  '--organisation O     its organisation: the id in the library, or the exact name',
  '--api-access         switch API access on',
] as const;

export const newAccountJsonShape =
  '{ id, email, name, role, organisation, api_access }; several roles are separated with commas';

/** Reads the options of a new account. @throws UsageError */
export function readNewAccountOptions(input: Input) {
  return {
    email: canonicalEmail(requireOption(input, 'email')),
    name: requireOption(input, 'name'),
    roles: readRoles(input),
    organisationName: requireOption(input, 'organisation'),
    hasApiAccess: input.values['api-access'] === true,
  };
}

/** Reads the options of a new account, and finds its organisation. @throws UsageError, or StartupError about the organisation. */
export async function readNewAccount(db: Db, input: Input): Promise<Invitation> {
  const { organisationName, ...account } = readNewAccountOptions(input);
  return { ...account, organisation: await resolveOrganisation(db, account.roles, organisationName) };
}

/** The roles of `--role`, an option that may be repeated, or have several roles with commas. @throws UsageError */
export function readRoles({ values }: Input): Role[] {
  const names = [values.role ?? []].flat().flatMap((each) => String(each).split(','));
  const accountRoles = roles.filter((role) => names.some((each) => each.trim() === role));
  const hasUnknown = names.some((each) => !accountRoles.some((role) => role === each.trim()));
  if (hasUnknown || accountRoles.length === 0)
    throw new UsageError(
      '--role must be operator, referrer, provider or manager, or several of them separated with commas',
    );
  return accountRoles;
}

/** The organisation that `--organisation` names. @throws StartupError if the library must have it, and does not. */
async function resolveOrganisation(
  db: Db,
  roles: readonly Role[],
  idOrName: string,
): Promise<Invitation['organisation']> {
  const organisation = await findOrganisationForAccount(db, roles, idOrName);
  if (organisation) return organisation;
  throw new StartupError(
    `--organisation: the library has no organisation with this id or exact name. A provider manages the services ` +
      `of an organisation in the library. Import it first, or look its name up on its services’ pages.`,
  );
}

/** What `--json` prints about a new account, in the shape of `newAccountJsonShape`. */
export function describeNewAccount(
  id: string,
  { email, name, roles, organisation, hasApiAccess }: Invitation,
) {
  return {
    id,
    email,
    name,
    role: roles.join(','),
    organisation: organisation?.name,
    api_access: hasApiAccess,
  };
}
