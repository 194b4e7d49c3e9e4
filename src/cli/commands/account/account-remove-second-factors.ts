import { commandLineActor, removeSecondFactors } from '../../../accounts/index.ts';
import { canonicalEmail } from '../../../platform/mail/index.ts';
import { type Command, readReason, requireOption } from '../../command.ts';

export const accountRemoveSecondFactors: Command = {
  usage: '--email E [--reason R]',
  options: { email: { type: 'string' }, reason: { type: 'string' } },
  help: [
    '--email E    the account’s email address; its sessions end, and its holder gets an email',
    '--reason R   why, for the audit',
  ],
  positionals: [],
  jsonShape: '{ email }',
  checkInput(input) {
    requireOption(input, 'email');
    readReason(input);
  },
  async run({ platform }, input) {
    const email = canonicalEmail(requireOption(input, 'email'));
    await removeSecondFactors(platform, commandLineActor, email, readReason(input));
    return { text: `${email} now signs in with the password alone.`, json: { email } };
  },
};
