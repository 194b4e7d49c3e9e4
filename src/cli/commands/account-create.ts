import { commandLine, createAccount, roles } from '../../accounts/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import { type Command, required, UsageError } from '../command.ts';
import { readPassword } from '../read-password.ts';
import { resolveOrganisation } from '../resolve-organisation.ts';

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
      email: canonicalEmail(email),
      name,
      role,
      organisation: organisation?.name,
      api_access: apiAccess,
    };
    return { text: `Account ${json.email} was made.`, json };
  },
};
