import { commandLineActor, disableAccount, enableAccount } from '../../../accounts/index.ts';
import { type Command, readReason, requireOption } from '../../command.ts';

export const accountDisable = switchCommand({ disabled: true });
export const accountEnable = switchCommand({ disabled: false });

function switchCommand({ disabled }: { disabled: boolean }): Command {
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
      const mustLeaveOperator = input.values['leaves-no-operator'] !== true;
      if (disabled)
        await disableAccount(platform, commandLineActor, email, readReason(input), { mustLeaveOperator });
      else await enableAccount(platform, commandLineActor, email, readReason(input));
      return { text: `${email} is ${disabled ? 'disabled' : 'enabled'}.`, json: { email, disabled } };
    },
  };
}
