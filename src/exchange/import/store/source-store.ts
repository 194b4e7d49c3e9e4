import { sql } from 'kysely';
import { lockForImport, lockServices } from '../../../library/index.ts';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';

/** The source of this name. It is created when it is first used, but not by a dry run. */
export async function findOrMakeSource(
  db: Db,
  { name, isFeed, dryRun }: { name: string; isFeed: boolean; dryRun: boolean },
  at: Date,
): Promise<string | undefined> {
  if (!dryRun) {
    await sql`
      insert into library_sources (id, name, is_feed, created_at)
      values (${newId(at.getTime())}, ${name}, ${isFeed}, ${at})
      on conflict (name) do nothing`.execute(db);
  }
  const { rows } = await sql<{ id: string }>`select id from library_sources where name = ${name}`.execute(db);
  return rows[0]?.id;
}

/** Not *running*, which an import is. */
const isInUseSql = sql`status in ('active', 'temporarily closed')`;

/** The open and temporarily closed services of a source that are not among its `ids`. Those saved since the import began are left out. */
export async function findVanished(
  db: Db,
  sourceId: string,
  ids: readonly string[],
  since: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from services s left join unnest(${ids}::text[]) as given(id) on given.id = s.id
    where s.source_id = ${sourceId} and ${isInUseSql} and s.updated_at <= ${since} and given.id is null
    order by s.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Counts the services that this import saved and whose organisation is unknown, with the first of their ids. */
export async function findWithoutOrganization(
  db: Db,
  at: Date,
  max: number,
): Promise<{ count: number; ids: string[] }> {
  const { rows } = await sql<{ count: number; ids: string[] }>`
    select count(*), coalesce((array_agg(s.id order by s.id))[:${max}::int], '{}') as ids
    from services s left join organizations o on o.id = s.organization_id
    where s.updated_at = ${at} and s.organization_id is not null and o.id is null`.execute(db);
  return rows[0]!;
}

export async function countInUse(db: Db, sourceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from services where source_id = ${sourceId} and ${isInUseSql}`.execute(db);
  return rows[0]!.count;
}

/** Stores the source of services, and what it says of them. */
export async function setSource(
  trx: Trx,
  sourceId: string,
  rows: readonly { id: string; sourceHash: string }[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await lockForImport(trx);
  await lockServices(trx, ids);
  await sql`
    update services s set source_id = ${sourceId}, source_hash = given.hash
    from unnest(${ids}::text[], ${rows.map(({ sourceHash }) => sourceHash)}::text[]) as given(id, hash)
    where s.id = given.id`.execute(trx);
}
