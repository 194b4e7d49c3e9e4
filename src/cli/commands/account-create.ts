import { commandLine, createAccount, type NewAccount, type Role, roles } from '../../accounts/index.ts';
import { findOrganization } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { type Command, required, UsageError } from '../command.ts';
import { readPassword } from '../read-password.ts';

export const accountCreate: Command = {
  name: 'account create',
  summary: 'Make an account that can sign in at once',
  usage:
    '--email E --name N --role operator|referrer|provider --organisation O [--api-access] --password-stdin',
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    organisation: { type: 'string' },
    'api-access': { type: 'boolean' },
    'password-stdin': { type: 'boolean' },
  },
  help: [
    '--email E            the e-mail address to sign in with',
    '--name N             the name of the person or client system',
    '--role R             operator, referrer or provider',
    '--organisation O     its organisation: the id in the library, or the exact name',
    '--api-access         switch API access on',
    '--password-stdin     read the password (15 characters or more) from standard input',
  ],
  positionals: [],
  async run({ platform }, input) {
    const role = roles.find((each) => each === input.values.role);
    if (!role) throw new UsageError('--role must be operator, referrer or provider');
    const email = required(input, 'email');
    const name = required(input, 'name');
    const organisation = await resolveOrganisation(platform.db, role, required(input, 'organisation'));
    const password = await readPassword(input);
    const apiAccess = input.values['api-access'] === true;
    const id = await createAccount(platform, commandLine, {
      email,
      name,
      role,
      organisation,
      apiAccess,
      password,
    });
    const json = {
      id,
      email: email.trim().toLowerCase(),
      name,
      role,
      organisation: organisation?.name,
      api_access: apiAccess,
    };
    return { text: `Account ${json.email} was made.`, json };
  },
};

/** Providers answer for an organisation of the library; referrers may be of any. */
async function resolveOrganisation(db: Db, role: Role, named: string): Promise<NewAccount['organisation']> {
  const known = await findOrganization(db, named);
  if (known) return { name: known.name, libraryOrganizationId: known.id };
  if (role !== 'provider') return { name: named };
  throw new StartupError(
    `--organisation: the library has no organisation with this id or exact name. A provider answers for the services ` +
      `of an organisation in the library; import it first, or look its name up on its services’ pages.`,
  );
}
