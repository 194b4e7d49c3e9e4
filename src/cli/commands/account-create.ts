import { commandLine, createAccount } from '../../accounts/index.ts';
import type { Command } from '../command.ts';
import {
  describeNewAccount,
  newAccountAnswer,
  newAccountHelp,
  newAccountOptions,
  readNewAccount,
} from '../new-account.ts';
import { readPassword } from '../read-password.ts';

export const accountCreate: Command = {
  name: 'account create',
  summary: 'Make an account that can sign in at once',
  usage:
    '--email E --name N --role operator|referrer|provider --organisation O [--api-access] --password-stdin',
  options: { ...newAccountOptions, 'password-stdin': { type: 'boolean' } },
  help: [
    '--email E            the e-mail address to sign in with',
    '--name N             the name of the person or client system',
    ...newAccountHelp,
    '--password-stdin     read the password (15 characters or more) from standard input',
  ],
  positionals: [],
  answers: newAccountAnswer,
  site: 'made',
  async run({ platform }, input) {
    const account = await readNewAccount(platform.db, input);
    const password = await readPassword(input);
    const id = await createAccount(platform, commandLine, { ...account, password });
    return { text: `Account ${account.email} was made.`, json: describeNewAccount(id, account) };
  },
};
