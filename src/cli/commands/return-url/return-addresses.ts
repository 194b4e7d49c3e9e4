import { commandLineActor } from '../../../accounts/index.ts';
import { listReturnAddresses, registerReturnAddress, removeReturnAddress } from '../../../tokens/index.ts';
import type { Command } from '../../command.ts';

const urlCommand = {
  usage: 'URL',
  options: {},
  help: ['URL   origin and path, such as https://client.example/signed-in, without a query'],
  positionals: ['URL'],
  jsonShape: '{ address, registered }',
} as const;

export const returnAddressAdd: Command = {
  ...urlCommand,
  async run({ platform }, { positionals }) {
    const address = await registerReturnAddress(platform, commandLineActor, positionals[0]!);
    // Only addresses on the user's own computer may be http.
    const portNote = address.startsWith('http://') ? ', with any port' : '';
    return { text: `${address} is registered${portNote}.`, json: { address, registered: true } };
  },
};

export const returnAddressRemove: Command = {
  ...urlCommand,
  async run({ platform }, { positionals }) {
    const address = await removeReturnAddress(platform, commandLineActor, positionals[0]!);
    return { text: `${address} is no longer registered.`, json: { address, registered: false } };
  },
};

export const returnAddressList: Command = {
  usage: '',
  options: {},
  help: [],
  positionals: [],
  jsonShape: '[{ address, added_at, added_by }]',
  async run({ platform }) {
    const addresses = await listReturnAddresses(platform.db);
    const json = addresses.map(({ address, addedAt, addedBy }) => ({
      address,
      added_at: addedAt.toISOString(),
      added_by: addedBy,
    }));
    const lines = json.map(
      ({ address, added_at, added_by }) => `${address}  added ${added_at} by ${added_by}`,
    );
    return { text: lines.length > 0 ? lines.join('\n') : 'No return address is registered.', json };
  },
};
