import { commandLine, findAccountByEmail, noSuchAccount, removeSecondFactors } from '../../accounts/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type Command, required } from '../command.ts';

export const accountRemoveSecondFactors: Command = {
  name: 'account remove-second-factors',
  summary: 'Let in somebody who lost their second factor; make sure first that it is them',
  usage: '--email E',
  options: { email: { type: 'string' } },
  help: ['--email E   the account’s e-mail address; its sessions end, and its holder is told by e-mail'],
  positionals: [],
  async run({ platform }, input) {
    const email = required(input, 'email').trim().toLowerCase();
    const account = await findAccountByEmail(platform.db, email);
    if (!account)
      throw new Problem(noSuchAccount, 'Check the e-mail address; `account list` shows all of them.');
    await removeSecondFactors(platform, commandLine, account.id);
    return { text: `${email} signs in with the password alone from now on.`, json: { email } };
  },
};
