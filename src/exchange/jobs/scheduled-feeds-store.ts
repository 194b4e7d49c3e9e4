import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** A feed that the site imports by itself. `name` is its address without anything secret. */
export type ScheduledFeed = {
  name: string;
  everyDays: number;
  accountId: string;
  scheduledBy: string;
  nextAt: Date;
};
export type SealedFeed = ScheduledFeed & { addressSealed: Buffer };

const columnsSql = sql`
  name, every_days as "everyDays", account_id as "accountId", scheduled_by as "scheduledBy", next_at as "nextAt"`;

export async function listScheduledFeeds(db: Db): Promise<ScheduledFeed[]> {
  const { rows } = await sql<ScheduledFeed>`select ${columnsSql} from scheduled_feeds order by name`.execute(
    db,
  );
  return rows;
}

export async function isScheduledFeed(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from scheduled_feeds where name = ${name}`.execute(db);
  return rows.length === 1;
}

/** Stores when a feed is imported, or replaces what was stored of it. */
export async function saveScheduledFeed(trx: Trx, feed: SealedFeed, at: Date): Promise<void> {
  await sql`
    insert into scheduled_feeds (name, address_sealed, every_days, account_id, scheduled_by, next_at, created_at)
    values (${feed.name}, ${feed.addressSealed}, ${feed.everyDays}, ${feed.accountId}, ${feed.scheduledBy}, ${feed.nextAt}, ${at})
    on conflict (name) do update set address_sealed = excluded.address_sealed, every_days = excluded.every_days,
      account_id = excluded.account_id, scheduled_by = excluded.scheduled_by, next_at = excluded.next_at`.execute(
    trx,
  );
}

/** @returns false if it was not scheduled. */
export async function deleteScheduledFeed(trx: Trx, name: string): Promise<boolean> {
  const { rows } = await sql`delete from scheduled_feeds where name = ${name} returning name`.execute(trx);
  return rows.length === 1;
}

/** Locks the feeds that are due, so that two processes do not import one twice. */
export async function lockDueFeeds(trx: Trx, now: Date): Promise<SealedFeed[]> {
  const { rows } = await sql<SealedFeed>`
    select ${columnsSql}, address_sealed as "addressSealed" from scheduled_feeds
    where next_at <= ${now} order by name for update`.execute(trx);
  return rows;
}

export async function saveNextImport(trx: Trx, name: string, nextAt: Date): Promise<void> {
  await sql`update scheduled_feeds set next_at = ${nextAt} where name = ${name}`.execute(trx);
}

/** Whether an import of this feed waits or runs. */
export async function isBeingImported(trx: Trx, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from library_imports
    where source_name = ${name} and not dry_run and state in ('waiting', 'running') limit 1`.execute(trx);
  return rows.length === 1;
}

/** Whether the last import of this feed that the site started before this one failed, too. */
export async function hasFailedBefore(trx: Trx, name: string, importId: string): Promise<boolean> {
  const { rows } = await sql<{ state: string }>`
    select state from library_imports
    where source_name = ${name} and is_scheduled and id <> ${importId} and ended_at is not null
    order by created_at desc, id desc limit 1`.execute(trx);
  return rows[0]?.state === 'failed';
}
