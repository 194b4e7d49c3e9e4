import type { Invitation } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';
import { canonicalEmail } from '../platform/mail/index.ts';
import { type Input, required } from './command.ts';
import { readRoles } from './read-roles.ts';
import { resolveOrganisation } from './resolve-organisation.ts';

/** The options that say what account is to be made. */
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

/** What the options say of the new account. @throws UsageError */
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

/** What `--json` prints of a new account: see `newAccountAnswer`. */
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
