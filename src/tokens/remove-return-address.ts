import { type Actor, orRecordRefusal, recordAudit } from '../audit/index.ts';
import { inTransaction, notify } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { withoutLoopbackPort } from './return-address.ts';
import { deleteReturnAddress } from './return-addresses-store.ts';
import { returnAddressesChanged } from './return-origins.ts';

/**
 * From now on nobody is sent to this address, and pages of its origin call the API no longer unless another address of
 * theirs is registered. Tokens that it was given before work until their end.
 * @returns it as it was registered. @throws Problem `not-found`.
 */
export async function removeReturnAddress(deps: Platform, actor: Actor, text: string): Promise<string> {
  return orRecordRefusal(deps, { actor, action: 'return_address.removed' }, async () => {
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
