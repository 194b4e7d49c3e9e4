import { type Invitation, type Role, roles } from '../accounts/index.ts';
import { findOrganisationForAccount } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import { canonicalEmail } from '../platform/mail/index.ts';
import { StartupError } from '../platform/startup-error.ts';
import { type Input, required, UsageError } from './command.ts';

/** The options of a new account. */
export const newAccountOptions = {
  email: { type: 'string' },
  name: { type: 'string' },
  role: { type: 'string', multiple: true },
  organisation: { type: 'string' },
  'api-access': { type: 'boolean' },
} as const;

export const newAccountHelp = [
  '--role R             operator, referrer or provider; several by commas, or the option more than once',
  '--organisation O     its organisation: the id in the library, or the exact name',
  '--api-access         switch API access on',
] as const;

export const newAccountAnswer =
  '{ id, email, name, role, organisation, api_access }; role has several by commas';

/** Reads the options of a new account. @throws UsageError */
export function readNewAccountOptions(input: Input) {
  return {
    email: canonicalEmail(required(input, 'email')),
    name: required(input, 'name'),
    roles: readRoles(input),
    named: required(input, 'organisation'),
    apiAccess: input.values['api-access'] === true,
  };
}

/** @throws UsageError, or StartupError about the organisation. */
export async function readNewAccount(db: Db, input: Input): Promise<Invitation> {
  const { named, ...account } = readNewAccountOptions(input);
  return { ...account, organisation: await resolveOrganisation(db, account.roles, named) };
}

/** The roles of `--role`, which may be given several times or have several roles with commas. @throws UsageError */
export function readRoles({ values }: Input): Role[] {
  const given = [values.role ?? []].flat().flatMap((each) => String(each).split(','));
  const chosen = roles.filter((role) => given.some((each) => each.trim() === role));
  const unknown = given.some((each) => !chosen.some((role) => role === each.trim()));
  if (unknown || chosen.length === 0)
    throw new UsageError('--role must be operator, referrer or provider, or several of them by commas');
  return chosen;
}

/** The organisation that `--organisation` names. @throws StartupError where the library must have it and does not. */
async function resolveOrganisation(
  db: Db,
  roles: readonly Role[],
  named: string,
): Promise<Invitation['organisation']> {
  const organisation = await findOrganisationForAccount(db, roles, named);
  if (organisation) return organisation;
  throw new StartupError(
    `--organisation: the library has no organisation with this id or exact name. A provider answers for the services ` +
      `of an organisation in the library; import it first, or look its name up on its services’ pages.`,
  );
}

/** What `--json` prints about a new account: see `newAccountAnswer`. */
export function describeNewAccount(id: string, { email, name, roles, organisation, apiAccess }: Invitation) {
  return {
    id,
    email,
    name,
    role: roles.join(','),
    organisation: organisation?.name,
    api_access: apiAccess,
  };
}
