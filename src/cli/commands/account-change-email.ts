import { changeEmail, commandLine } from '../../accounts/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import { type Command, readReason, required } from '../command.ts';

export const accountChangeEmail: Command = {
  usage: '--email E --to N [--reason R]',
  options: { email: { type: 'string' }, to: { type: 'string' }, reason: { type: 'string' } },
  help: [
    '--email E    the account’s email address now; its sessions end',
    '--to N       the new one; both are told by email',
    '--reason R   why, for the audit',
  ],
  positionals: [],
  answers: '{ email }',
  check: (input) => [required(input, 'email'), required(input, 'to'), readReason(input)],
  async run({ platform }, input) {
    const from = required(input, 'email');
    const email = canonicalEmail(required(input, 'to'));
    await changeEmail(platform, commandLine, from, email, readReason(input));
    return { text: `The account signs in with ${email} from now on.`, json: { email } };
  },
};
