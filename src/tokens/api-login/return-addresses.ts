import { type Actor, audited, recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction, type Notices, notify, untilNews } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { readReturnAddress, withoutLoopbackPort } from './return-address.ts';
import { deleteReturnAddress, insertReturnAddress, listReturnAddresses } from './return-addresses-store.ts';

/** The topic of the news that a return address was registered or removed. */
const returnAddressesChanged = 'return-addresses';

/** The origins of the registered return addresses, whose pages may call the API. */
export function createReturnOrigins(db: Db, notices: Notices, mode: Settings['mode']) {
  const origins = untilNews(db, notices, returnAddressesChanged, () => readOrigins(db, mode));
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

/**
 * Lets users be sent to this address with a token of theirs, and pages of its origin call the API.
 * @returns it as registered: one on this computer without its port. @throws Problem `unprocessable`.
 */
export async function registerReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return audited(deps, { actor, action: 'return_address.registered' }, async () => {
    const reading = readReturnAddress(text, deps.settings.mode);
    if ('fault' in reading) throw refused(reading.fault);
    const { address } = reading;
    const at = deps.clock.now();
    await inTransaction(deps.db, async (trx) => {
      const added = await insertReturnAddress(trx, { address, addedAt: at, addedBy: actor.name });
      if (!added) throw refused('is registered already');
      const subject = { type: 'return-address', id: address };
      await recordAudit(trx, { at, actor, action: 'return_address.registered', subject });
      await notify(trx, returnAddressesChanged, '');
    });
    return address;
  });
}

function refused(message: string): Problem {
  const errors = [{ pointer: '/address', message }];
  return new Problem(unprocessable, 'The return address was not registered.', { errors });
}

/**
 * From now on nobody is sent to this address, and pages of its origin call the API no longer unless another address of
 * theirs is registered. Tokens that it was given before work until their end.
 * @returns it as it was registered. @throws Problem `not-found`.
 */
export async function removeReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return audited(deps, { actor, action: 'return_address.removed' }, async () => {
    const address = text.replace(/^http:\/\/[^/]+/, withoutLoopbackPort);
    await inTransaction(deps.db, async (trx) => {
      if (text.includes('\0') || !(await deleteReturnAddress(trx, address)))
        throw new Problem(
          notFound,
          'This return address is not registered; it must be written as in the list.',
        );
      const at = deps.clock.now();
      const subject = { type: 'return-address', id: address };
      await recordAudit(trx, { at, actor, action: 'return_address.removed', subject });
      await notify(trx, returnAddressesChanged, '');
    });
    return address;
  });
}
