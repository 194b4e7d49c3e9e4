import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { deleteMeanings } from './store.ts';

/**
 * From now on what is said means this no longer.
 * @returns false where it did not: somebody else was faster, or nothing was ticked.
 */
export async function removeSynonym(
  deps: Platform,
  actor: Actor,
  { saying, meanings }: { saying: string; meanings: readonly string[] },
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const removed = await deleteMeanings(trx, saying, meanings);
    if (removed.length === 0) return false;
    const at = deps.clock.now();
    const subject = { type: 'search-synonym', id: saying };
    await recordAudit(trx, {
      at,
      actor,
      action: 'search_synonym.removed',
      subject,
      details: { meanings: removed },
    });
    return true;
  });
}
