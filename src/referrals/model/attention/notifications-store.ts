import type { NotificationKind } from '../../../accounts/index.ts';
import { anyOfValuesSql, type Db, type Trx } from '../../../platform/database/index.ts';

/** Something about a referral that people of one side, or operators, have not been emailed about yet. */
export type PendingNotification = {
  id: string;
  referralId: string;
  kind: NotificationKind;
  side: NotificationSide;
  /** Who did it, and need not be told; null for the site itself. */
  actorId: string | null;
  at: Date;
};

type NotificationSide = 'provider' | 'referrer' | 'operators';

export async function insertNotifications(
  trx: Trx,
  notifications: readonly PendingNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  await trx
    .insertInto('pending_notifications')
    .values(
      notifications.map(({ id, referralId, kind, side, actorId, at }) => ({
        id,
        referral_id: referralId,
        kind,
        side,
        actor_id: actorId,
        at,
      })),
    )
    .execute();
}

/** The oldest that wait, by their ids. @param without those that have failed */
export async function listPendingNotifications(
  db: Db,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('pending_notifications')
    .select('id')
    .$if(without.length > 0, (query) =>
      query.where((each) => each.not(each('id', '=', anyOfValuesSql(without)))),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes these and returns them, without those that another process takes at the same time. */
export async function takeNotifications(trx: Trx, ids: readonly string[]): Promise<PendingNotification[]> {
  const free = trx
    .selectFrom('pending_notifications')
    .select('id')
    .where('id', '=', anyOfValuesSql(ids))
    .orderBy('id')
    .forUpdate()
    .skipLocked();
  const rows = await trx
    .deleteFrom('pending_notifications')
    .where('id', 'in', free)
    .returning(['id', 'referral_id as referralId', 'kind', 'side', 'actor_id as actorId', 'at'])
    .execute();
  return rows as PendingNotification[];
}
