import { commandLine, inviteAccount, inviteAgain, roles } from '../../accounts/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type Command, required, UsageError } from '../command.ts';
import { resolveOrganisation } from '../resolve-organisation.ts';

export const accountInvite: Command = {
  name: 'account invite',
  summary: 'Make an account and e-mail its holder a link to choose a password',
  usage: '--email E (--name N --role operator|referrer|provider --organisation O [--api-access] | --again)',
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    organisation: { type: 'string' },
    'api-access': { type: 'boolean' },
    again: { type: 'boolean' },
  },
  help: [
    '--email E            the e-mail address to sign in with; the invitation goes there',
    '--name N             the name of the person',
    '--role R             operator, referrer or provider',
    '--organisation O     its organisation: the id in the library, or the exact name',
    '--api-access         switch API access on',
    '--again              send a new link to somebody who was invited and has not come yet',
  ],
  positionals: [],
  async run({ platform }, input) {
    const email = canonicalEmail(required(input, 'email'));
    if (input.values.again === true) {
      await inviteAgain(platform, commandLine, email);
      return { text: inWords(platform.settings, email), json: { email } };
    }
    const role = roles.find((each) => each === input.values.role);
    if (!role) throw new UsageError('--role must be operator, referrer or provider');
    const name = required(input, 'name');
    const organisation = await resolveOrganisation(platform.db, role, required(input, 'organisation'));
    const apiAccess = input.values['api-access'] === true;
    const id = await inviteAccount(platform, commandLine, {
      email,
      name,
      roles: [role],
      organisation,
      apiAccess,
    });
    const json = { id, email, name, role, organisation: organisation?.name, api_access: apiAccess };
    return { text: inWords(platform.settings, email), json };
  },
};

function inWords({ mode, baseUrl }: Settings, email: string): string {
  const queued = `The invitation to ${email} is queued. Its link works for seven days.`;
  if (mode === 'live') return `${queued} The site sends it as soon as it runs.`;
  return `${queued} This is a test site: it is not sent, but shown to operators on ${baseUrl}/outbox once the site runs.`;
}
