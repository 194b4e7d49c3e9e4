import { sql } from 'kysely';
import { isEnabledOperatorSql, operatorWithFewestSql } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';

export const unmatchedKinds = ['unexplained-message', 'given-up-job'] as const;
export type UnmatchedKind = (typeof unmatchedKinds)[number];
type Person = { id: string; name: string };

export type UnmatchedItem = {
  id: string;
  kind: UnmatchedKind;
  /** The id of its message or job. */
  subject: string;
  what: string;
  opened_at: Date;
  owner: Person | null;
  closed_at: Date | null;
  /** `resolved` when its message or job had gone by itself; otherwise somebody closed it. */
  closed_as: 'done' | 'retried' | 'resolved' | null;
  closed_by: Person | null;
  closing_words: string | null;
  /** Who has read the message, in the order in which they did. */
  read_by: { id: string; name: string; at: string }[];
};

const personSql = (column: string, name: string) => sql`
  case when ${sql.ref(column)} is not null then json_build_object('id', ${sql.ref(column)}, 'name', ${sql.ref(name)}) end`;
const columnsSql = sql`
  e.id, e.kind, e.subject, e.what, e.opened_at, ${personSql('e.owner_id', 'o.name')} as owner, e.closed_at, e.closed_as,
  ${personSql('e.closed_by', 'c.name')} as closed_by, e.closing_words,
  (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'at', r.read_at) order by r.read_at), '[]')
    from unmatched_reads r join accounts a on a.id = r.account_id where r.item_id = e.id) as read_by`;
const withPeopleSql = sql`
  unmatched_items e left join accounts o on o.id = e.owner_id left join accounts c on c.id = e.closed_by`;

/** A page of the open items, the oldest first; or of the closed ones, the newest first. */
export async function listUnmatched(
  db: Db,
  page: { open: boolean; after: string | undefined; limit: number },
): Promise<UnmatchedItem[]> {
  const after =
    page.after === undefined
      ? sql``
      : page.open
        ? sql`and e.id > ${page.after}`
        : sql`and e.id < ${page.after}`;
  const { rows } = await sql<UnmatchedItem>`
    select ${columnsSql} from ${withPeopleSql}
    where ${page.open ? sql`e.closed_at is null` : sql`e.closed_at is not null`} ${after}
    order by e.id ${page.open ? sql`` : sql`desc`} limit ${page.limit}`.execute(db);
  return rows;
}

/** How many items are open. */
export async function countUnmatched(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from unmatched_items where closed_at is null`.execute(db);
  return rows[0]!.count;
}

export async function findUnmatched(db: Db, id: string): Promise<UnmatchedItem | undefined> {
  const { rows } =
    await sql<UnmatchedItem>`select ${columnsSql} from ${withPeopleSql} where e.id = ${id}`.execute(db);
  return rows[0];
}

/** Locks an open item. @returns its kind and the id of its message or job; undefined if it is closed. */
export async function lockOpen(
  trx: Trx,
  id: string,
): Promise<{ kind: UnmatchedKind; subject: string } | undefined> {
  const { rows } = await sql<{ kind: UnmatchedKind; subject: string }>`
    select kind, subject from unmatched_items where id = ${id} and closed_at is null for update`.execute(trx);
  return rows[0];
}

const nextOwnerSql = operatorWithFewestSql(sql`unmatched_items`, sql`w.closed_at is null`);

type NewUnmatchedItem = { id: string; kind: UnmatchedKind; subject: string; what: string };

/** Stores an item, unless one is open for its message or job. A closed item is opened again. @returns whether it was stored or opened. */
export async function openUnmatched(
  trx: Trx,
  { id, kind, subject, what }: NewUnmatchedItem,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into unmatched_items as e (id, kind, subject, what, opened_at, owner_id)
    values (${id}, ${kind}, ${subject}, ${what}, ${at}, ${nextOwnerSql})
    on conflict (kind, subject) do update set opened_at = excluded.opened_at, what = excluded.what,
      owner_id = coalesce((select a.id from accounts a where a.id = e.owner_id and ${isEnabledOperatorSql}), excluded.owner_id),
      closed_at = null, closed_as = null, closed_by = null,
      closing_words = null
    where e.closed_at is not null returning 1`.execute(trx);
  return rows.length > 0;
}

/** Closes items whose job or message has gone by itself. */
export async function closeVanished(
  trx: Trx,
  kind: UnmatchedKind,
  presentSubjects: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    update unmatched_items set closed_at = ${at}, closed_as = 'resolved'
    where closed_at is null and kind = ${kind} and subject <> all(${presentSubjects}::text[])`.execute(trx);
}

/** Gives open items whose owner is no longer an operator to others, one by one, each to the operator who has the fewest open items. */
export async function reassignItems(trx: Trx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select e.id from unmatched_items e
    where e.closed_at is null and not exists (select from accounts a where a.id = e.owner_id and ${isEnabledOperatorSql})
    order by e.id for update of e`.execute(trx);
  for (const { id } of rows)
    await sql`update unmatched_items set owner_id = ${nextOwnerSql} where id = ${id}`.execute(trx);
}

type FirstReading = { itemId: string; accountId: string; at: Date };

/** Notes that somebody has read a message; their first reading stays. */
export async function insertReading(trx: Trx, { itemId, accountId, at }: FirstReading): Promise<void> {
  await sql`
    insert into unmatched_reads (item_id, account_id, read_at) values (${itemId}, ${accountId}, ${at})
    on conflict do nothing`.execute(trx);
}

export async function hasRead(trx: Trx, itemId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from unmatched_reads where item_id = ${itemId} and account_id = ${accountId}`.execute(trx);
  return rows.length > 0;
}

/** How somebody closed an item: what they did, and their note about it. */
type Closing = { as: 'done' | 'retried'; by: string; words: string | null };

export async function closeUnmatched(
  trx: Trx,
  id: string,
  { as, by, words }: Closing,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('unmatched_items')
    .set({ closed_at: at, closed_as: as, closed_by: by, closing_words: words })
    .where('id', '=', id)
    .execute();
}

/** How many items each owner got in the run of the job at this time. */
export async function countNewByOwner(trx: Trx, at: Date): Promise<{ email: string; count: number }[]> {
  const { rows } = await sql<{ email: string; count: number }>`
    select a.email, count(*)::int as count from unmatched_items e join accounts a on a.id = e.owner_id
    where e.closed_at is null and e.opened_at = ${at} group by a.email`.execute(trx);
  return rows;
}

const closedItemLifetimeMs = 365 * dayMs;

/** Deletes items that were closed a year ago; the audit keeps them. */
export async function deleteOldUnmatched(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - closedItemLifetimeMs);
  await db.deleteFrom('unmatched_items').where('closed_at', '<', before).execute();
}
