import { sql } from 'kysely';
import { lockForImport, lockServices } from '../../library/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { FeedPosition } from './read-feed.ts';

export type SavedPosition = FeedPosition & { startedAt: string };
export type SavedFeed = { id: string; changedSince: Date | null; position: SavedPosition | null };

export async function findFeed(db: Db, name: string): Promise<SavedFeed | undefined> {
  const { rows } = await sql<SavedFeed>`
    select id, changed_since as "changedSince", position from library_sources where name = ${name}`.execute(
    db,
  );
  return rows[0];
}

export async function findHandledIds(db: Db, sourceId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select service_id as id from library_handled_records where source_id = ${sourceId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Saves how far an import got and which ids it saw, for the import that continues it. */
export async function savePosition(
  db: Db,
  name: string,
  position: SavedPosition,
  newIds: readonly string[],
): Promise<void> {
  await sql`
    with source as (
      update library_sources set position = ${JSON.stringify(position)}::jsonb where name = ${name} returning id)
    insert into library_handled_records (source_id, service_id)
    select source.id, given.id from source cross join unnest(${[...newIds]}::text[]) as given(id)
    on conflict do nothing`.execute(db);
}

/**
 * Forgets how far an earlier import got, because what it saw may be gone by now. With `readsEverything` it also forgets when the feed was
 * last read to its end.
 */
export async function restartFeed(
  db: Db,
  { name, readsEverything }: { name: string; readsEverything: boolean },
): Promise<void> {
  await sql`
    with source as (
      update library_sources set position = null,
        changed_since = case when ${readsEverything}::boolean then null else changed_since end
      where name = ${name} returning id)
    delete from library_handled_records where source_id in (select id from source)`.execute(db);
}

/** Stores that the feed was read to its end. The next import asks only for what changed since `changedSince`. */
export async function finishReading(db: Db, name: string, changedSince: Date): Promise<void> {
  await sql`
    with source as (
      update library_sources set position = null, changed_since = ${changedSince} where name = ${name} returning id)
    delete from library_handled_records where source_id in (select id from source)`.execute(db);
}

/** Which of these ids the library lacks, or made inactive when they vanished from this source. */
export async function findMissing(db: Db, sourceName: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select given.id from unnest(${[...ids]}::text[]) as given(id)
    left join services s on s.id = given.id
    left join library_sources o on o.id = s.source_id
    where s.id is null or (o.name = ${sourceName} and s.source_hash is null)`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Makes this feed the source of services that so far came only from a file. Otherwise nobody would notice when they vanish from the feed.
 * Services of other feeds stay as they are.
 */
export async function claimServicesOfFiles(trx: Trx, name: string, ids: readonly string[]): Promise<void> {
  await lockForImport(trx);
  const { rows } = await sql<{ id: string }>`
    select s.id from services s join library_sources o on o.id = s.source_id
    where s.id = any(${[...ids]}) and not o.is_feed`.execute(trx);
  const serviceIds = rows.map(({ id }) => id);
  await lockServices(trx, serviceIds);
  await sql`
    update services s set source_id = feed.id from library_sources feed, library_sources o
    where feed.name = ${name} and s.id = any(${serviceIds}) and o.id = s.source_id and not o.is_feed`.execute(
    trx,
  );
}
