import { commandLineActor, createAccount } from '../../../accounts/index.ts';
import type { Command } from '../../command.ts';
import {
  describeNewAccount,
  newAccountHelp,
  newAccountJsonShape,
  newAccountOptions,
  readNewAccount,
  readNewAccountOptions,
} from './new-account.ts';
import { readPassword, requirePassword } from './read-password.ts';

export const accountCreate: Command = {
  usage:
    '--email E --name N --role operator|referrer|provider|manager --organisation O [--api-access] --password-stdin',
  options: { ...newAccountOptions, 'password-stdin': { type: 'boolean' } },
  help: [
    '--email E            the email address to sign in with',
    '--name N             the name of the person or client system',
    ...newAccountHelp,
    '--password-stdin     read the password (15 characters or more) from standard input',
  ],
  positionals: [],
  jsonShape: newAccountJsonShape,
  openAs: 'new-or-existing',
  checkInput(input) {
    readNewAccountOptions(input);
    requirePassword(input);
  },
  async run({ platform }, input) {
    const account = await readNewAccount(platform.db, input);
    const password = await readPassword(input);
    const id = await createAccount(platform, commandLineActor, { ...account, password });
    return { text: `Account ${account.email} was created.`, json: describeNewAccount(id, account) };
  },
};
