import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** An entry as the lists of those who keep it show it. */
export type ListedEntry = {
  id: string;
  /** By which its list is in order: its name there, or the day of its last check, empty where there was none. */
  key: string;
  name: string;
  status: string;
  organization: string | null;
  /** Such as 2026-11-21; null where nobody ever said that the entry is right. */
  assuredOn: string | null;
  capacity: string | null;
  waitingTime: string | null;
  saidAt: Date | null;
};

export type ListPart = {
  /** Null for the services of all. */
  organizationId: string | null;
  /** As the last entry of the page before was then: it may have been checked or deleted since. */
  after: Pick<ListedEntry, 'key' | 'id'> | undefined;
  limit: number;
};

/**
 * Whose entries: those of one source; or those that somebody keeps here, which are the entries without a source, and what
 * was said here of anybody's room.
 */
export type EntryOwner = { sourceId: string } | 'here';

type Overdue = { checkedBefore: string; saidBefore: Date };

const never = sql`'-infinity'::date`;
const columns = sql`
  s.id, s.name, s.status, o.name as organization, s.assured_on as "assuredOn", c.status as capacity,
  c.waiting_time as "waitingTime", c.set_at as "saidAt"`;
const tables = sql`
  services s left join organizations o on o.id = s.organization_id left join service_capacity c on c.service_id = s.id`;

/** What is to be checked again, longest overdue first: entries never checked, or not since; and room said long ago. */
export async function listOverdue(
  db: Db,
  { keeper, checkedBefore, saidBefore, ...part }: ListPart & Overdue & { keeper?: EntryOwner | undefined },
): Promise<ListedEntry[]> {
  const overdue = sql`${isOverdue({ checkedBefore, saidBefore })} and ${ownedBy(keeper, saidBefore)}`;
  return list(db, part, overdue, {
    key: sql`coalesce(s.assured_on, ${never})`,
    text: sql`coalesce(s.assured_on::text, '')`,
    read: (text) => sql`coalesce(${text || null}::date, ${never})`,
  });
}

/** The sources with entries to be checked, most of them first. */
export async function countOverdueBySource(
  db: Db,
  overdue: Overdue,
): Promise<{ id: string; name: string; count: number }[]> {
  const { rows } = await sql<{ id: string; name: string; count: number }>`
    select x.id, x.name, count(*)::int as count
    from ${tables} join library_sources x on x.id = s.source_id where ${isOverdue(overdue)}
    group by x.id, x.name order by count(*) desc, x.name`.execute(db);
  return rows;
}

function isOverdue({ checkedBefore, saidBefore }: Overdue): RawBuilder<unknown> {
  return sql`s.status in ('active', 'temporarily closed')
    and (s.assured_on is null or s.assured_on < ${checkedBefore}::date or c.set_at < ${saidBefore})`;
}

function ownedBy(keeper: EntryOwner | undefined, saidBefore: Date): RawBuilder<unknown> {
  if (keeper === undefined) return sql`true`;
  if (keeper === 'here') return sql`(s.source_id is null or c.set_at < ${saidBefore})`;
  return sql`s.source_id = ${keeper.sourceId}`;
}

/** All services, by name. */
export async function listEntries(db: Db, part: ListPart): Promise<ListedEntry[]> {
  return list(db, part, sql`true`, {
    key: sql`s.sort_name`,
    text: sql`s.sort_name`,
    read: (text) => sql`${text}`,
  });
}

/** What a list is in order by, the same as text, and how that is read again. */
type Order = {
  key: RawBuilder<unknown>;
  text: RawBuilder<unknown>;
  read(text: string): RawBuilder<unknown>;
};

async function list(
  db: Db,
  { organizationId, after, limit }: ListPart,
  condition: RawBuilder<unknown>,
  { key, text, read }: Order,
): Promise<ListedEntry[]> {
  const own = organizationId === null ? sql`true` : sql`s.organization_id = ${organizationId}`;
  const rest = after ? sql`(${key}, s.id) > (${read(after.key)}, ${after.id})` : sql`true`;
  const { rows } = await sql<ListedEntry>`
    select ${columns}, ${text} as key from ${tables} where ${condition} and ${own} and ${rest}
    order by ${key}, s.id limit ${limit}`.execute(db);
  return rows;
}
