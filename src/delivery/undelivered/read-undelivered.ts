import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { keyCursor, type PagedList, readKeyCursor } from '../../platform/http/index.ts';
import { isUuid, requireById } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { hideReceivers } from './hide-receivers.ts';
import {
  findUndelivered,
  type ListedAttempt,
  listAttempts,
  listUndelivered,
  type UndeliveredDelivery,
  type UndeliveredFilter,
} from './list-store.ts';

/** A page of the worklist: urgent or dangerous referrals first, then oldest first. @throws Problem `bad-request` for a wrong cursor. */
export async function readUndelivered(
  deps: Platform,
  caller: Caller,
  filter: UndeliveredFilter,
  { cursor, limit, ipAddress }: { cursor: string | undefined; limit: number; ipAddress: string },
): Promise<PagedList<UndeliveredDelivery>> {
  const after = readPosition(cursor);
  return inTransaction(deps.db, async (trx) => {
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'worklist.read',
    });
    const rows = await listUndelivered(trx, filter, { after, limit: limit + 1 });
    const items = await hideReceivers(trx, caller, rows.slice(0, limit));
    return { items, next_cursor: rows.length > limit ? cursorAfter(items.at(-1)!) : null };
  });
}

/** The form of a position: whether the last row of a page is pressing (1 or 0), when it was opened, and its delivery. */
const positionForm: Pick<RegExp, 'test'> = {
  test(key: string): boolean {
    const [pressing = '', openedAt = '', deliveryId = '', ...rest] = key.split(' ');
    return (
      /^[01]$/.test(pressing) &&
      !Number.isNaN(Date.parse(openedAt)) &&
      isUuid(deliveryId) &&
      rest.length === 0
    );
  },
};

function cursorAfter({ id, worklist, isPressing }: UndeliveredDelivery): string {
  return keyCursor(`${isPressing ? 1 : 0} ${worklist!.opened_at.toISOString()} ${id}`);
}

function readPosition(
  cursor: string | undefined,
): { pressing: boolean; openedAt: Date; deliveryId: string } | undefined {
  const [pressing, openedAt, deliveryId] = readKeyCursor(cursor, positionForm)?.split(' ') ?? [];
  return openedAt === undefined
    ? undefined
    : { pressing: pressing === '1', openedAt: new Date(openedAt), deliveryId: deliveryId! };
}

export type DeliveryInFull = UndeliveredDelivery & { attempts: ListedAttempt[] };

/** One delivery with all its attempts. @throws Problem `not-found`. */
export async function readDelivery(
  deps: Platform,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<DeliveryInFull> {
  return inTransaction(deps.db, async (trx) => {
    const delivery = await requireById(id, (id) => findUndelivered(trx, id));
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'delivery.read',
      subject: { type: 'referral', id: delivery.referral.id },
      details: { delivery: id },
    });
    const attempts = await listAttempts(trx, id);
    return (await hideReceivers(trx, caller, [{ ...delivery, attempts }]))[0]!;
  });
}
