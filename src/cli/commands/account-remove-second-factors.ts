import { commandLine, removeSecondFactors } from '../../accounts/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import { type Command, readReason, required } from '../command.ts';

export const accountRemoveSecondFactors: Command = {
  usage: '--email E [--reason R]',
  options: { email: { type: 'string' }, reason: { type: 'string' } },
  help: [
    '--email E    the account’s email address; its sessions end, and its holder is told by email',
    '--reason R   why, for the audit',
  ],
  positionals: [],
  answers: '{ email }',
  check: (input) => [required(input, 'email'), readReason(input)],
  async run({ platform }, input) {
    const email = canonicalEmail(required(input, 'email'));
    await removeSecondFactors(platform, commandLine, email, readReason(input));
    return { text: `${email} signs in with the password alone from now on.`, json: { email } };
  },
};
