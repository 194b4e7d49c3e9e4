import { type Db, type Notices, untilNews } from '../platform/database/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { readReturnAddress, withoutLoopbackPort } from './return-address.ts';
import { listReturnAddresses } from './return-addresses-store.ts';

/** The topic of the news that a return address was registered or removed. */
export const returnAddressesChanged = 'return-addresses';

/** The origins of the registered return addresses, whose pages may call the API. */
export function createReturnOrigins(db: Db, notices: Notices, mode: Settings['mode']) {
  const origins = untilNews(notices, returnAddressesChanged, () => readOrigins(db, mode));
  return async (origin: string): Promise<boolean> => has(await origins.get(), origin);
}

function has(origins: ReadonlySet<string>, origin: string): boolean {
  return origins.has(withoutLoopbackPort(origin));
}

async function readOrigins(db: Db, mode: Settings['mode']): Promise<ReadonlySet<string>> {
  const registered = await listReturnAddresses(db);
  const readings = registered.map(({ address }) => readReturnAddress(address, mode));
  // On a live site an address on this computer, from a copied test site, counts for nothing.
  return new Set(readings.flatMap((reading) => ('origin' in reading ? [reading.origin] : [])));
}
