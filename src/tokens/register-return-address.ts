import { type Actor, orRecordRefusal, recordAudit } from '../audit/index.ts';
import { inTransaction, notify } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { readReturnAddress } from './return-address.ts';
import { insertReturnAddress } from './return-addresses-store.ts';
import { returnAddressesChanged } from './return-origins.ts';

/**
 * Lets users be sent to this address with a token of theirs, and pages of its origin call the API.
 * @returns it as registered: one on this computer without its port. @throws Problem `unprocessable`.
 */
export async function registerReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return orRecordRefusal(deps, { actor, action: 'return_address.registered' }, async () => {
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
