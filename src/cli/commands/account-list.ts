import { listAccounts } from '../../accounts/index.ts';
import { listKeyUses } from '../../tokens/index.ts';
import type { Command } from '../command.ts';

export const accountList: Command = {
  name: 'account list',
  summary: 'List the accounts',
  usage: '',
  options: {},
  help: [],
  positionals: [],
  async run({ platform }) {
    const accounts = await listAccounts(platform.db);
    const uses = await listKeyUses(
      platform.db,
      accounts.map(({ id }) => id),
    );
    const json = accounts.map((account) => ({
      id: account.id,
      email: account.email,
      name: account.name,
      role: account.roles.join(','),
      organisation: account.organisation?.name ?? null,
      api_access: account.apiAccess,
      keys_last_used_at: uses.get(account.id)?.lastUsedAt?.toISOString() ?? null,
      disabled: account.disabledAt !== null,
      created_at: account.createdAt.toISOString(),
    }));
    const lines = json.map(({ email, role, organisation, api_access, keys_last_used_at, disabled }) =>
      [
        email,
        role,
        organisation ?? '-',
        api_access ? 'API access' : 'no API access',
        keys_last_used_at ? `keys last used ${keys_last_used_at}` : 'keys never used',
        disabled ? 'disabled' : 'active',
      ].join('  '),
    );
    return { text: lines.length > 0 ? lines.join('\n') : 'There are no accounts.', json };
  },
};
