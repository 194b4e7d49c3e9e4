import { type Actor, recordAudit, withRefusalAudit } from '../../audit/index.ts';
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
import {
  deleteReturnAddress,
  findLocalhostRule,
  insertReturnAddress,
  isRegisteredReturnAddress,
  listReturnAddresses,
  setLocalhostRule,
} from './return-addresses-store.ts';
import { loopbackOrigins, type ReturnUrl, readReturnAddress, withoutLoopbackPort } from './return-url.ts';

/** The notice that a return address was registered or removed. */
const returnAddressesChanged = 'return-addresses';

/** @returns a function that says whether pages of an origin may call the API: whether a return address there is registered. */
export function createOriginCheck(db: Db, notices: Notices, mode: Settings['mode']) {
  const origins = cachedUntilNotice(db, notices, returnAddressesChanged, () => readOrigins(db, mode));
  return async (origin: string): Promise<boolean> => (await origins.get()).has(withoutLoopbackPort(origin));
}

async function readOrigins(db: Db, mode: Settings['mode']): Promise<ReadonlySet<string>> {
  const addresses = await listReturnAddresses(db);
  // A live site that was copied from a test site may list addresses on somebody's computer; they do not count.
  const origins = addresses.flatMap(({ address }) => {
    const parsed = readReturnAddress(address, mode);
    return 'error' in parsed ? [] : [parsed.origin];
  });
  const isLocalhostAllowed = mode === 'test' && (await findLocalhostRule(db)) !== undefined;
  return new Set([...origins, ...(isLocalhostAllowed ? loopbackOrigins : [])]);
}

/** Whether users may be sent to this address with a token. */
export async function mayReturnTo(
  db: Db,
  { address, origin }: ReturnUrl,
  mode: Settings['mode'],
): Promise<boolean> {
  if (await isRegisteredReturnAddress(db, address)) return true;
  const isLocal = loopbackOrigins.includes(withoutLoopbackPort(origin));
  return mode === 'test' && isLocal && (await findLocalhostRule(db)) !== undefined;
}

/**
 * On a test site: allows everybody to use any address of their own computer as a return address, or ends that.
 * @throws Problem `not-found` on a live site.
 */
export async function setLocalhostAllowed(deps: Platform, actor: Actor, isAllowed: boolean): Promise<void> {
  if (deps.settings.mode !== 'test') throw new Problem(notFound);
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    if (!(await setLocalhostRule(trx, isAllowed ? { at, by: actor.name } : null))) return;
    const subject = { type: 'return-address', id: 'localhost' };
    const action = `return_address.localhost_${isAllowed ? 'allowed' : 'refused'}` as const;
    await recordAudit(trx, { at, actor, action, subject });
    await notify(trx, returnAddressesChanged, '');
  });
}

/**
 * Registers a return address: users may be sent to it with a token, and pages of its origin may call the API.
 * @returns it as registered, a loopback address without its port. @throws Problem `unprocessable`.
 */
export async function registerReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return withRefusalAudit(deps, { actor, action: 'return_address.registered' }, async () => {
    const parsed = readReturnAddress(text, deps.settings.mode);
    if ('error' in parsed) throw registrationProblem(parsed.error);
    const { address } = parsed;
    const at = deps.clock.now();
    await inTransaction(deps.db, async (trx) => {
      const isNew = await insertReturnAddress(trx, { address, addedAt: at, addedBy: actor.name });
      if (!isNew) throw registrationProblem('is registered already');
      const subject = { type: 'return-address', id: address };
      await recordAudit(trx, { at, actor, action: 'return_address.registered', subject });
      await notify(trx, returnAddressesChanged, '');
    });
    return address;
  });
}

function registrationProblem(message: string): Problem {
  const errors = [{ pointer: '/address', message }];
  return new Problem(unprocessable, 'The return address was not registered.', { errors });
}

/**
 * Removes a return address: nobody is sent to it any more. Pages of its origin may no longer call the API, unless another address
 * of that origin is registered. The client's tokens work until they expire.
 * @returns it as it was registered. @throws Problem `not-found`.
 */
export async function removeReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return withRefusalAudit(deps, { actor, action: 'return_address.removed' }, async () => {
    const address = text.replace(/^http:\/\/[^/]+/, withoutLoopbackPort);
    await inTransaction(deps.db, async (trx) => {
      // PostgreSQL refuses a zero byte.
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
