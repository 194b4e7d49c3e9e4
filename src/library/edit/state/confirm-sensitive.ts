import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { confirmSensitiveMark } from '../../write/mark-sensitive-store.ts';
import { openForEdit } from '../edit-service.ts';

/**
 * Confirms that a service is sensitive, as its words suggested. It does nothing if somebody has decided that before.
 * @returns whether it was confirmed now. @throws Problem `not-found`, `forbidden`.
 */
export function confirmSensitive(
  deps: Platform,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<boolean> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    if (!(await confirmSensitiveMark(trx, id, at))) return false;
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service.referral_settings_changed',
      subject: { type: 'service', id },
      details: { sensitive: true, confirmed: true },
    });
    return true;
  });
}
