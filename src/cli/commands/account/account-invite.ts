import { commandLineActor, inviteAccount, inviteAgain } from '../../../accounts/index.ts';
import { canonicalEmail } from '../../../platform/mail/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { type Command, requireOption } from '../../command.ts';
import {
  describeNewAccount,
  newAccountHelp,
  newAccountJsonShape,
  newAccountOptions,
  readNewAccount,
  readNewAccountOptions,
} from './new-account.ts';

export const accountInvite: Command = {
  usage:
    '--email E (--name N --role operator|referrer|provider|manager --organisation O [--api-access] | --again)',
  options: { ...newAccountOptions, again: { type: 'boolean' } },
  help: [
    '--email E            the email address to sign in with; the invitation goes there',
    '--name N             the name of the person',
    ...newAccountHelp,
    '--again              send a new link to somebody who has not used their invitation yet',
  ],
  positionals: [],
  jsonShape: `${newAccountJsonShape}; with --again { email }`,
  checkInput(input) {
    if (input.values.again === true) requireOption(input, 'email');
    else readNewAccountOptions(input);
  },
  async run({ platform }, input) {
    if (input.values.again === true) {
      const email = canonicalEmail(requireOption(input, 'email'));
      await inviteAgain(platform, commandLineActor, email);
      return { text: describeInvitation(platform.settings, email), json: { email } };
    }
    const account = await readNewAccount(platform.db, input);
    const id = await inviteAccount(platform, commandLineActor, account);
    return {
      text: describeInvitation(platform.settings, account.email),
      json: describeNewAccount(id, account),
    };
  },
};

function describeInvitation({ mode, baseUrl }: Settings, email: string): string {
  const queued = `The invitation to ${email} is queued. Its link works for seven days.`;
  if (mode === 'live') return `${queued} The site sends it as soon as it runs.`;
  return `${queued} This is a test site: it is not sent, but shown to operators on ${baseUrl}/outbox once the site runs.`;
}
