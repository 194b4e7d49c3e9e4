import { commandLineActor, setDisabled } from '../../../accounts/index.ts';
import { type Command, readReason, requireOption } from '../../command.ts';

export const accountDisable = setDisabledCommand({ disabled: true });
export const accountEnable = setDisabledCommand({ disabled: false });

function setDisabledCommand({ disabled }: { disabled: boolean }): Command {
  return {
    usage: `--email E [--reason R]${disabled ? ' [--leaves-no-operator]' : ''}`,
    options: {
      email: { type: 'string' },
      reason: { type: 'string' },
      ...(disabled && { 'leaves-no-operator': { type: 'boolean' } }),
    },
    help: [
      '--email E    the account’s email address',
      '--reason R   why, for the audit',
      ...(disabled
        ? [
            '--leaves-no-operator',
            '             disable the last operator who can sign in, for example a stolen account',
          ]
        : []),
    ],
    positionals: [],
    jsonShape: '{ email, disabled }',
    checkInput(input) {
      requireOption(input, 'email');
      readReason(input);
    },
    async run({ platform }, input) {
      const email = requireOption(input, 'email');
      const mustLeaveOperator = disabled && input.values['leaves-no-operator'] !== true;
      await setDisabled(platform, commandLineActor, email, disabled, readReason(input), {
        mustLeaveOperator,
      });
      return { text: `${email} is ${disabled ? 'disabled' : 'enabled'}.`, json: { email, disabled } };
    },
  };
}
