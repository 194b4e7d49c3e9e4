import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';

/** The source of this name, which is made when it is first used; a dry run makes none. */
export async function useSource(
  db: Db,
  name: string,
  at: Date,
  dryRun: boolean,
): Promise<string | undefined> {
  if (!dryRun) {
    await sql`
      insert into library_sources (id, name, created_at) values (${newId(at.getTime())}, ${name}, ${at})
      on conflict (name) do nothing`.execute(db);
  }
  const { rows } = await sql<{ id: string }>`select id from library_sources where name = ${name}`.execute(db);
  return rows[0]?.id;
}

const running = sql`status in ('active', 'temporarily closed')`;

/** What the source does not have any more, but for what came in or changed since its reading began. */
export async function findVanished(
  db: Db,
  sourceId: string,
  entries: readonly string[],
  since: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from services s left join unnest(${entries}::text[]) as given(id) on given.id = s.id
    where s.source_id = ${sourceId} and ${running} and s.updated_at <= ${since} and given.id is null
    order by s.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The services that an import wrote at this moment whose organisation is not in the library. */
export async function findWithoutOrganization(
  db: Db,
  at: Date,
  max: number,
): Promise<{ count: number; some: string[] }> {
  const { rows } = await sql<{ count: number; some: string[] }>`
    select count(*), coalesce((array_agg(s.id order by s.id))[:${max}::int], '{}') as some
    from services s left join organizations o on o.id = s.organization_id
    where s.updated_at = ${at} and s.organization_id is not null and o.id is null`.execute(db);
  return rows[0]!;
}

export async function countRunning(db: Db, sourceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from services where source_id = ${sourceId} and ${running}`.execute(db);
  return rows[0]!.count;
}

export async function forgetHashes(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`update services set source_hash = null where id = any(${ids})`.execute(trx);
}

/** Remembers of what is the same as before where it comes from, where that was not known yet. */
export async function adopt(
  trx: Trx,
  sourceId: string,
  rows: readonly { id: string; sourceHash: string }[],
): Promise<void> {
  await sql`
    update services s set source_id = ${sourceId}, source_hash = given.hash
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ sourceHash }) => sourceHash)}::text[])
      as given(id, hash)
    where s.id = given.id`.execute(trx);
}
