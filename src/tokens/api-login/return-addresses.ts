import { type Actor, auditRefusals, recordAudit } from '../../audit/index.ts';
import {
  cachedUntilNotice,
  type Db,
  inTransaction,
  type Notices,
  notify,
} from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { readReturnAddress, withoutLoopbackPort } from './return-address.ts';
import { deleteReturnAddress, insertReturnAddress, listReturnAddresses } from './return-addresses-store.ts';

/** The notice that a return address was registered or removed. */
const returnAddressesChanged = 'return-addresses';

/** @returns a function that says whether pages of an origin may call the API: whether a return address there is registered. */
export function createOriginCheck(db: Db, notices: Notices, mode: Settings['mode']) {
  const origins = cachedUntilNotice(db, notices, returnAddressesChanged, () => readOrigins(db, mode));
  return async (origin: string): Promise<boolean> => (await origins.get()).has(withoutLoopbackPort(origin));
}

async function readOrigins(db: Db, mode: Settings['mode']): Promise<ReadonlySet<string>> {
  const registered = await listReturnAddresses(db);
  const addresses = registered.map(({ address }) => readReturnAddress(address, mode));
  // A live site that was copied from a test site may list addresses on somebody's computer; they do not count.
  return new Set(addresses.flatMap((address) => ('origin' in address ? [address.origin] : [])));
}

/**
 * Registers a return address: users may be sent to it with a token, and pages of its origin may call the API.
 * @returns it as registered, a loopback address without its port. @throws Problem `unprocessable`.
 */
export async function registerReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return auditRefusals(deps, { actor, action: 'return_address.registered' }, async () => {
    const parsed = readReturnAddress(text, deps.settings.mode);
    if ('fault' in parsed) throw notRegistered(parsed.fault);
    const { address } = parsed;
    const at = deps.clock.now();
    await inTransaction(deps.db, async (trx) => {
      const added = await insertReturnAddress(trx, { address, addedAt: at, addedBy: actor.name });
      if (!added) throw notRegistered('is registered already');
      const subject = { type: 'return-address', id: address };
      await recordAudit(trx, { at, actor, action: 'return_address.registered', subject });
      await notify(trx, returnAddressesChanged, '');
    });
    return address;
  });
}

function notRegistered(message: string): Problem {
  const errors = [{ pointer: '/address', message }];
  return new Problem(unprocessable, 'The return address was not registered.', { errors });
}

/**
 * Removes a return address: nobody is sent to it from now on, and pages of its origin may not call the API, unless another
 * address of that origin is registered. Tokens that it got before work until they expire.
 * @returns it as it was registered. @throws Problem `not-found`.
 */
export async function removeReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return auditRefusals(deps, { actor, action: 'return_address.removed' }, async () => {
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
