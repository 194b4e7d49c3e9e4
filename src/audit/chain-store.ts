import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import type { Link } from './chain.ts';

/**
 * An entry as one text that is the same on every machine: every column in its order, the time in UTC with microseconds,
 * and `jsonb` as PostgreSQL orders it. A test checks that every column of the table is here. The signature is not: the
 * links of entries from before there were signatures must stay valid.
 */
const canonicalFormSql = sql<string | null>`
  case when e.id is not null then json_build_array(
    e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US BC'), e.actor_id, e.actor_name, e.actor_role,
    e.organisation, e.action, e.subject_type, e.subject_id, e.outcome, e.address, e.details)::text end`;

/** An entry's signature; null in entries from before there were signatures. */
const signatureSql = sql`e.writer, e.number, e.code`;

/** A time for people. It is text, because somebody who tampers may write one that JavaScript cannot hold, such as infinity. */
const readableTimeSql = (time: RawBuilder<unknown>) =>
  sql<string | null>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')`;

export async function hasUnsealedEntries(db: Db): Promise<boolean> {
  const row = await db.selectFrom('audit_unsealed').select('entry_id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export type UnsealedEntry = {
  id: number;
  /** Null if the entry has been deleted. */
  canonical: string | null;
  hasLink: boolean;
  /** Whether the entry with the number before it, of the same writer, exists. */
  hasPredecessor: boolean;
  /** Whether an earlier entry has the same signature. */
  isDuplicate: boolean;
} & SignedColumns;

export type SignedColumns = { writer: string | null; number: number | null; code: Buffer | null };

/** Takes the oldest entries off the queue of those that wait for their link. */
export async function takeUnsealed(trx: Trx, limit: number): Promise<UnsealedEntry[]> {
  const { rows } = await sql<UnsealedEntry>`
    with due as (
      delete from audit_unsealed
      where entry_id in (select entry_id from audit_unsealed order by entry_id limit ${limit})
      returning entry_id)
    select due.entry_id as id, ${canonicalFormSql} as canonical, l.position is not null as "hasLink", ${signatureSql},
      e.number = 1 or exists (
        select from audit_entries p where p.writer = e.writer and p.number = e.number - 1) as "hasPredecessor",
      exists (
        select from audit_entries p where p.writer = e.writer and p.number = e.number and p.code = e.code and p.id < e.id) as "isDuplicate"
    from due left join audit_entries e on e.id = due.entry_id left join audit_links l on l.entry_id = due.entry_id
    order by due.entry_id`.execute(trx);
  return rows;
}

export async function insertLinks(
  trx: Trx,
  links: readonly (Link & { entryId: number })[],
  at: Date,
): Promise<void> {
  const rows = links.map(({ position, entryId, hash }) => ({
    position,
    entry_id: entryId,
    hash: hash.toString('hex'),
  }));
  await sql`
    insert into audit_links (position, entry_id, hash, sealed_at)
    select position, entry_id, decode(hash, 'hex'), ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as link(position bigint, entry_id bigint, hash text)`.execute(
    trx,
  );
}

export async function findLastLink(db: Db): Promise<Link | undefined> {
  const newestFirst = db.selectFrom('audit_links').orderBy('position', 'desc').limit(1);
  return newestFirst.select(['position', 'hash']).executeTakeFirst();
}

export async function findLinkHash(db: Db, position: number): Promise<Buffer | undefined> {
  const links = db.selectFrom('audit_links').where('position', '=', position);
  return (await links.select('hash').executeTakeFirst())?.hash;
}

export type LinkWithEntry = Link & {
  entryId: number;
  /** Null if the entry has been deleted. */
  canonical: string | null;
  /** When it happened; if the entry has been deleted, when it was sealed. */
  at: string | null;
} & SignedColumns;

/** The links after a position, in order, each with what its entry says now. */
export async function listLinksAfter(db: Db, position: number, limit: number): Promise<LinkWithEntry[]> {
  const { rows } = await sql<LinkWithEntry>`
    select l.position, l.hash, l.entry_id as "entryId", ${canonicalFormSql} as canonical, ${signatureSql},
      ${readableTimeSql(sql`coalesce(e.at, l.sealed_at)`)} as at
    from (select * from audit_links where position > ${position} order by position limit ${limit}) l
    left join audit_entries e on e.id = l.entry_id
    order by l.position`.execute(db);
  return rows;
}

/** An entry without a link that is older than `before`, or is not waiting for one. The site did not write such an entry. */
export async function findUnsealedEntry(
  db: Db,
  before: Date,
): Promise<{ entryId: number; at: string | null } | undefined> {
  const { rows } = await sql<{ entryId: number; at: string | null }>`
    select e.id as "entryId", ${readableTimeSql(sql`e.at`)} as at
    from audit_entries e left join audit_unsealed u on u.entry_id = e.id
    where not exists (select from audit_links l where l.entry_id = e.id)
      and (u.entry_id is null or e.at < ${before})
    order by e.id limit 1`.execute(db);
  return rows[0];
}

/** Whether the first entry of the chain has no signature, and when the first signed entry was written. */
export async function findFirstSigned(db: Db): Promise<{ beganUnsigned: boolean; at: Date | null }> {
  const { rows } = await sql<{ beganUnsigned: boolean; at: Date | null }>`
    select
      -- An empty chain counts as begun unsigned.
      coalesce((select e.writer is null from audit_links l join audit_entries e on e.id = l.entry_id
       order by l.position limit 1), true) as "beganUnsigned",
      (select e.at from audit_links l join audit_entries e on e.id = l.entry_id
       where e.writer is not null order by l.position limit 1) as at`.execute(db);
  return rows[0]!;
}

/** @returns those of these entries that are not in the database. */
export async function findMissing(
  db: Db,
  entries: readonly { writer: string; number: number }[],
): Promise<{ writer: string; number: number }[]> {
  if (entries.length === 0) return [];
  const { rows } = await sql<{ writer: string; number: number }>`
    select w.writer, w.number from json_to_recordset(${JSON.stringify(entries)}::json) as w(writer uuid, number bigint)
    where not exists (select from audit_entries e where e.writer = w.writer and e.number = w.number)`.execute(
    db,
  );
  return rows;
}
