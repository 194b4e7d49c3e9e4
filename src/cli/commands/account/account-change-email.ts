import { changeEmail, commandLineActor } from '../../../accounts/index.ts';
import { canonicalEmail } from '../../../platform/mail/index.ts';
import { type Command, readReason, requireOption } from '../../command.ts';

export const accountChangeEmail: Command = {
  usage: '--email E --to N [--reason R]',
  options: { email: { type: 'string' }, to: { type: 'string' }, reason: { type: 'string' } },
  help: [
    '--email E    the account’s current email address; its sessions end',
    '--to N       the new address; both addresses get an email',
    '--reason R   why, for the audit',
  ],
  positionals: [],
  jsonShape: '{ email }',
  checkInput(input) {
    requireOption(input, 'email');
    requireOption(input, 'to');
    readReason(input);
  },
  async run({ platform }, input) {
    const from = requireOption(input, 'email');
    const email = canonicalEmail(requireOption(input, 'to'));
    await changeEmail(platform, commandLineActor, from, email, readReason(input));
    return { text: `The account now signs in with ${email}.`, json: { email } };
  },
};
