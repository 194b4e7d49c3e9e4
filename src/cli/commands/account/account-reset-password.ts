import { commandLineActor, resetPassword } from '../../../accounts/index.ts';
import { type Command, requireOption } from '../../command.ts';
import { readPassword, requirePassword } from './read-password.ts';

export const accountResetPassword: Command = {
  usage: '--email E --password-stdin',
  options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  help: [
    '--email E          the account’s email address',
    '--password-stdin   read the password (15 characters or more) from standard input',
  ],
  positionals: [],
  jsonShape: '{ email }',
  checkInput(input) {
    requireOption(input, 'email');
    requirePassword(input);
  },
  async run({ platform }, input) {
    const email = requireOption(input, 'email');
    await resetPassword(platform, commandLineActor, email, await readPassword(input));
    const lines = [
      `The password of ${email} was changed. Their sessions and access tokens have ended; their refresh tokens still work.`,
      'If somebody else may have one, the holder must make new keys at /apikeys.',
    ];
    return { text: lines.join('\n'), json: { email } };
  },
};
