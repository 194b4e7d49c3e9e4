import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { lockDelivery, type NoticedDelivery } from '../news-store.ts';

/** Who sees to which delivery, and from where. */
export type Act = { caller: Caller; id: string; address: string };

/** Does something about a delivery, with its audit, in one transaction. @throws Problem `not-found`, and those of the work. */
export function actOnDelivery(
  deps: Platform,
  { caller, id, address }: Act,
  { action, details }: { action: `delivery.${string}`; details?: Record<string, unknown> },
  work: (trx: Trx, delivery: NoticedDelivery, at: Date) => Promise<void>,
): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const delivery = isUuid(id) ? await lockDelivery(trx, id) : undefined;
    if (!delivery) throw new Problem(notFound);
    const at = deps.clock.now();
    await work(trx, delivery, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action,
      subject: { type: 'referral', id: delivery.referralId },
      details: { delivery: id, ...details },
    });
  });
}
