import { commandLine, removeSecondFactors } from '../../accounts/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import { type Command, required } from '../command.ts';

export const accountRemoveSecondFactors: Command = {
  usage: '--email E',
  options: { email: { type: 'string' } },
  help: ['--email E   the account’s email address; its sessions end, and its holder is told by email'],
  positionals: [],
  answers: '{ email }',
  check: (input) => required(input, 'email'),
  async run({ platform }, input) {
    const email = canonicalEmail(required(input, 'email'));
    await removeSecondFactors(platform, commandLine, email);
    return { text: `${email} signs in with the password alone from now on.`, json: { email } };
  },
};
