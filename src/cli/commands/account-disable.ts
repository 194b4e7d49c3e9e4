import { commandLine, setDisabled } from '../../accounts/index.ts';
import { type Command, required } from '../command.ts';
import { reasonOf } from '../reason-of.ts';

export const accountDisable = command(true);
export const accountEnable = command(false);

function command(disabled: boolean): Command {
  return {
    name: disabled ? 'account disable' : 'account enable',
    summary: disabled
      ? 'Disable an account; its sessions and tokens end at once'
      : 'Enable a disabled account',
    usage: '--email E [--reason R]',
    options: { email: { type: 'string' }, reason: { type: 'string' } },
    help: ['--email E    the account’s e-mail address', '--reason R   why, for the audit'],
    positionals: [],
    answers: '{ email, disabled }',
    async run({ platform }, input) {
      const email = required(input, 'email');
      await setDisabled(platform, commandLine, email, disabled, reasonOf(input));
      return { text: `${email} is ${disabled ? 'disabled' : 'enabled'}.`, json: { email, disabled } };
    },
  };
}
