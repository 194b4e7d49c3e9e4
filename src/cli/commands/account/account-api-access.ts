import { commandLineActor, setApiAccess } from '../../../accounts/index.ts';
import { type Command, type Input, readReason, requireOption, UsageError } from '../../command.ts';

export const accountApiAccess: Command = {
  usage: 'on|off --email E [--reason R]',
  options: { email: { type: 'string' }, reason: { type: 'string' } },
  help: ['--email E    the account’s email address', '--reason R   why, for the audit'],
  positionals: ['on|off'],
  jsonShape: '{ email, api_access }',
  checkInput(input) {
    readSwitch(input);
  },
  async run({ platform }, input) {
    const { email, on, reason } = readSwitch(input);
    await setApiAccess(platform, commandLineActor, email, { isAllowed: on, reason });
    return { text: `API access of ${email} is ${on ? 'on' : 'off'}.`, json: { email, api_access: on } };
  },
};

/** Reads whether to switch API access on or off, for which account, and why. @throws UsageError */
function readSwitch(input: Input) {
  const [word = ''] = input.positionals;
  if (!['on', 'off'].includes(word))
    throw new UsageError('say on or off, without dashes: account api-access on --email E');
  return { on: word === 'on', email: requireOption(input, 'email'), reason: readReason(input) };
}
