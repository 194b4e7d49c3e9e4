import { commandLine, resetPassword } from '../../accounts/index.ts';
import { type Command, required } from '../command.ts';
import { readPassword, requirePassword } from '../read-password.ts';

export const accountResetPassword: Command = {
  usage: '--email E --password-stdin',
  options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  help: [
    '--email E          the account’s email address',
    '--password-stdin   read the password (15 characters or more) from standard input',
  ],
  positionals: [],
  answers: '{ email }',
  check: (input) => [required(input, 'email'), requirePassword(input)],
  async run({ platform }, input) {
    const email = required(input, 'email');
    await resetPassword(platform, commandLine, email, await readPassword(input));
    return { text: `The password of ${email} was changed.`, json: { email } };
  },
};
