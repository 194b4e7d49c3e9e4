import { fullName, listAccounts } from '../../../accounts/index.ts';
import { findKeyActivity } from '../../../tokens/index.ts';
import type { Command } from '../../command.ts';

export const accountList: Command = {
  usage: '',
  options: {},
  help: [],
  positionals: [],
  jsonShape:
    '[{ id, email, name, type, role, organisation, api_access, keys_last_used_at, state, disabled, created_at }]; type is person or system, state is invited, active or disabled',
  async run({ platform }) {
    const accounts = await listAccounts(platform.db);
    const keyActivity = await findKeyActivity(
      platform.db,
      accounts.map(({ id }) => id),
    );
    const json = accounts.map((account) => ({
      id: account.id,
      email: account.email,
      name: fullName(account),
      type: account.isSystem ? 'system' : 'person',
      role: account.roles.join(','),
      organisation: account.organisation?.name ?? null,
      api_access: account.hasApiAccess,
      keys_last_used_at: keyActivity.get(account.id)?.lastUsedAt?.toISOString() ?? null,
      state: stateOf(account),
      disabled: account.disabledAt !== null,
      created_at: account.createdAt.toISOString(),
    }));
    const lines = json.map(
      ({ email, name, type, role, organisation, api_access, keys_last_used_at, state }) =>
        [
          type === 'system' ? `${email} (${name})` : email,
          role,
          organisation ?? '-',
          api_access ? 'API access' : 'no API access',
          keys_last_used_at ? `keys last used ${keys_last_used_at}` : 'keys never used',
          state,
        ].join('  '),
    );
    return { text: lines.length > 0 ? lines.join('\n') : 'There are no accounts.', json };
  },
};

function stateOf({ disabledAt, invited }: { disabledAt: Date | null; invited: boolean }) {
  if (disabledAt !== null) return 'disabled';
  return invited ? 'invited' : 'active';
}
