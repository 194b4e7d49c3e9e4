import type { Db, Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { channelLabels } from './addresses.ts';
import {
  type AddressChangeKind,
  allChannels,
  insertAddressHistory,
  listAddressHistory,
  type Receiver,
} from './addresses-store.ts';
import { channelsInWords } from './channel-words.ts';

const purpose = 'delivery address history';

export type NewAddressChange = {
  channel: string;
  what: AddressChangeKind;
  from: string | null;
  to: string | null;
  by: string;
  at: Date;
};

/** The subject of an audit entry about an address. */
export function subjectOf(receiver: Receiver): { type: 'service' | 'practice'; id: string } {
  return 'serviceId' in receiver
    ? { type: 'service', id: receiver.serviceId }
    : { type: 'practice', id: receiver.odsCode };
}

/** Stores a change. Only this site can decrypt the old and the new address. */
export async function recordAddressChange(
  trx: Trx,
  { secrets }: Pick<Platform, 'secrets'>,
  receiver: Receiver,
  { channel, what, from, to, by, at }: NewAddressChange,
): Promise<void> {
  const id = newId(at.getTime());
  const sealed = secrets.seal(purpose, id, JSON.stringify({ from, to }));
  await insertAddressHistory(trx, receiver, { id, channel, at, actorName: by, what, sealed });
}

const actions: Readonly<Record<AddressChangeKind, string>> = {
  asked: 'Changed, to be confirmed',
  confirmed: 'Confirmed',
  removed: 'Removed',
  'taken-back': 'Change withdrawn',
  reordered: 'Changed',
};

const maxShown = 100;

type ReadDeps = Pick<Platform, 'secrets'> & { db: Db };

type StoredChange = NewAddressChange & { id: string };

/** Changes of a receiver's addresses and of the order of its channels, the newest first. */
export async function listAddressChanges(
  { db, secrets }: ReadDeps,
  receiver: Receiver,
): Promise<StoredChange[]> {
  const changes = await listAddressHistory(db, receiver, maxShown);
  return changes.map(({ actorName, sealed, ...change }) => {
    return { ...change, ...openChange(secrets, change.id, sealed), by: actorName };
  });
}

/** If the key is lost, the values are missing, but the rest of the history can still be read. */
function openChange(
  secrets: Platform['secrets'],
  id: string,
  sealed: Buffer,
): Pick<NewAddressChange, 'from' | 'to'> {
  try {
    return JSON.parse(secrets.open(purpose, id, sealed));
  } catch {
    return { from: null, to: null };
  }
}

/** The changes of addresses and channels, in words for a page. */
export async function readAddressHistory(deps: ReadDeps, receiver: Receiver) {
  const changes = await listAddressChanges(deps, receiver);
  return changes.map(({ channel, at, by, what, from, to }) => {
    const valueInWords = (value: string | null) =>
      value !== null && channel === allChannels ? channelsInWords(value.split(', ')).join(', then ') : value;
    return {
      at,
      by,
      name: channelLabels[channel] ?? channel,
      what: actions[what],
      from: valueInWords(from),
      to: valueInWords(to),
    };
  });
}
