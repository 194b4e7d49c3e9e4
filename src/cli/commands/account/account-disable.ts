import { commandLineActor, setDisabled } from '../../../accounts/index.ts';
import { type Command, readReason, requireOption } from '../../command.ts';

export const accountDisable = setDisabledCommand({ disabled: true });
export const accountEnable = setDisabledCommand({ disabled: false });

function setDisabledCommand({ disabled }: { disabled: boolean }): Command {
  return {
    usage: '--email E [--reason R]',
    options: { email: { type: 'string' }, reason: { type: 'string' } },
    help: ['--email E    the account’s email address', '--reason R   why, for the audit'],
    positionals: [],
    jsonShape: '{ email, disabled }',
    checkInput(input) {
      requireOption(input, 'email');
      readReason(input);
    },
    async run({ platform }, input) {
      const email = requireOption(input, 'email');
      await setDisabled(platform, commandLineActor, email, disabled, readReason(input));
      return { text: `${email} is ${disabled ? 'disabled' : 'enabled'}.`, json: { email, disabled } };
    },
  };
}
