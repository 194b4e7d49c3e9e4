import { commandLine, setApiAccess } from '../../accounts/index.ts';
import { type Command, required, UsageError } from '../command.ts';
import { reasonOf } from '../reason-of.ts';

export const accountApiAccess: Command = {
  name: 'account api-access',
  summary: 'Switch an account’s API access on or off; off ends its access tokens at once',
  usage: 'on|off --email E [--reason R]',
  options: { email: { type: 'string' }, reason: { type: 'string' } },
  help: ['--email E    the account’s e-mail address', '--reason R   why, for the audit'],
  positionals: ['on|off'],
  answers: '{ email, api_access }',
  async run({ platform }, input) {
    const [word] = input.positionals;
    if (word !== 'on' && word !== 'off') throw new UsageError('say on or off');
    const email = required(input, 'email');
    await setApiAccess(platform, commandLine, email, word === 'on', reasonOf(input));
    return { text: `API access of ${email} is ${word}.`, json: { email, api_access: word === 'on' } };
  },
};
