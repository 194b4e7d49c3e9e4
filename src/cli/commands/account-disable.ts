import { commandLine, setDisabled } from '../../accounts/index.ts';
import { type Command, required } from '../command.ts';
import { reasonOf } from '../reason-of.ts';

export const accountDisable = command(true);
export const accountEnable = command(false);

function command(disabled: boolean): Command {
  return {
    usage: '--email E [--reason R]',
    options: { email: { type: 'string' }, reason: { type: 'string' } },
    help: ['--email E    the account’s email address', '--reason R   why, for the audit'],
    positionals: [],
    answers: '{ email, disabled }',
    check: (input) => [required(input, 'email'), reasonOf(input)],
    async run({ platform }, input) {
      const email = required(input, 'email');
      await setDisabled(platform, commandLine, email, disabled, reasonOf(input));
      return { text: `${email} is ${disabled ? 'disabled' : 'enabled'}.`, json: { email, disabled } };
    },
  };
}
