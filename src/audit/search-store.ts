import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/index.ts';

export type AuditFilter = {
  /** Who did it: one of these accounts, or an actor without an account who has exactly this name. */
  actor?: { ids: readonly string[]; name: string } | undefined;
  action?: string | undefined;
  /** Only these actions, and what they have in common, such as `accounts`. */
  group?: { readonly name: string; readonly actions: readonly string[] } | undefined;
  subjectId?: string | undefined;
  outcome?: 'done' | 'refused' | undefined;
  ipAddress?: string | undefined;
  /** The first and the last day, such as `2026-11-21`, in UK time. */
  from?: string | undefined;
  to?: string | undefined;
};

export type StoredAuditEntry = {
  id: number;
  at: Date;
  actorId: string | null;
  actorName: string;
  actorRole: string | null;
  organisation: string | null;
  action: string;
  subjectType: string | null;
  subjectId: string | null;
  outcome: 'done' | 'refused';
  ipAddress: string | null;
  details: Record<string, unknown>;
  /** Its place in the chain; null while it waits to be sealed. */
  position: number | null;
};

/** The action of entries that record a search of the audit. A search leaves them out unless it names this action. */
export const auditRead = 'audit.read';

const entriesWithPositionSql = sql`
  e.id, e.at, e.actor_id as "actorId", e.actor_name as "actorName", e.actor_role as "actorRole", e.organisation,
  e.action, e.subject_type as "subjectType", e.subject_id as "subjectId", e.outcome, e.address as "ipAddress", e.details, l.position
  from audit_entries e left join audit_links l on l.entry_id = e.id`;

/**
 * The entries before `beforeId`, newest first. Indexes find them by time, action, account or subject. By IP address or outcome alone, the
 * query reads all entries from the newest.
 */
export async function listEntries(
  db: Db,
  filter: AuditFilter,
  beforeId: number | undefined,
  limit: number,
): Promise<StoredAuditEntry[]> {
  const conditions = filterConditionsSql(filter);
  if (beforeId !== undefined)
    conditions.push(sql`(e.at, e.id) < ((select at from audit_entries where id = ${beforeId}), ${beforeId})`);
  const newestSql = sql`where ${sql.join(conditions, sql` and `)} order by e.at desc, e.id desc limit ${limit}`;
  // The newest of each action are read from the index; a scan by time would read all entries if these actions are rare.
  const inGroupSql = sql`
    where e.id in (
      select found.id from unnest(${filter.group?.actions ?? []}::text[]) as wanted (action) cross join lateral (
        select e.id from audit_entries e
        where e.action = wanted.action and ${sql.join(conditions, sql` and `)}
        order by e.at desc, e.id desc limit ${limit}) as found)
    order by e.at desc, e.id desc limit ${limit}`;
  const { rows } = await sql<StoredAuditEntry>`
    select ${entriesWithPositionSql} ${filter.group ? inGroupSql : newestSql}`.execute(db);
  return rows;
}

function filterConditionsSql(filter: AuditFilter): RawBuilder<unknown>[] {
  const { actor, action, subjectId, outcome, ipAddress: address, from, to } = filter;
  const conditions = [action === undefined ? sql`e.action <> ${auditRead}` : sql`e.action = ${action}`];
  if (actor)
    conditions.push(
      sql`(e.actor_id = any(${actor.ids}::uuid[]) or (e.actor_name = ${actor.name} and e.actor_id is null))`,
    );
  // The index begins with the type, and there are few types.
  if (subjectId !== undefined)
    conditions.push(
      sql`e.subject_type = any(array(${distinctValuesSql(sql`subject_type`)})) and e.subject_id = ${subjectId}`,
    );
  if (outcome) conditions.push(sql`e.outcome = ${outcome}`);
  if (address !== undefined) conditions.push(sql`e.address = ${address}`);
  if (from) conditions.push(sql`e.at >= ${midnightSql(from)}`);
  if (to) conditions.push(sql`e.at < ${midnightSql(to, sql`+ 1`)}`);
  return conditions;
}

/** When a day begins in the United Kingdom. */
export function midnightSql(day: string, later = sql``): RawBuilder<unknown> {
  return sql`((${day}::date ${later})::timestamp at time zone 'Europe/London')`;
}

/** Every action that has an entry. */
export async function listActions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`${distinctValuesSql(sql`action`)}`.execute(db);
  return rows.map(({ value }) => value);
}

/** The distinct values of a column that begins an index. It jumps through the index; `distinct` would read all rows. */
function distinctValuesSql(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with recursive jump as (
      (select ${column} as value from audit_entries where ${column} is not null order by ${column} limit 1)
      union all
      select (select ${column} from audit_entries where ${column} > jump.value order by ${column} limit 1)
      from jump where jump.value is not null)
    select value from jump where value is not null`;
}

/** The newest entry of an action. */
export async function findLatestEntry(db: Db, action: string): Promise<StoredAuditEntry | undefined> {
  const [latest] = await listEntries(db, { action }, undefined, 1);
  return latest;
}

/** How many of an account’s newest entries are searched for what it did last. */
const maxNewestEntries = 300;

/** The ids of the subjects of an account’s latest entries of this action, the latest first, each once. */
export async function listLastSubjects(
  db: Db,
  { accountId, action, limit }: { accountId: string; action: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject_id as subject
    from (
      select id, action, subject_id, outcome from audit_entries where actor_id = ${accountId}
      order by id desc limit ${maxNewestEntries}) as newest
    where action = ${action} and outcome = 'done' and subject_id is not null
    group by subject_id order by max(id) desc limit ${limit}`.execute(db);
  return rows.map(({ subject }) => subject);
}

/** Whether an account has done this since a time; to be refused does not count. */
export async function hasDoneSince(
  db: Db,
  { accountId, action, since }: { accountId: string; action: string; since: Date },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from audit_entries
      where actor_id = ${accountId} and action = ${action} and at > ${since} and outcome = 'done') as found`.execute(
    db,
  );
  return rows[0]!.found;
}

/** All entries about one subject, in the order in which they were written. */
export async function listEntriesAbout(db: Db, type: string, id: string): Promise<StoredAuditEntry[]> {
  const { rows } = await sql<StoredAuditEntry>`
    select ${entriesWithPositionSql} where e.subject_type = ${type} and e.subject_id = ${id} order by e.id`.execute(
    db,
  );
  return rows;
}
