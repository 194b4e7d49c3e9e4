import { type Kysely, sql } from 'kysely';

/** When each job of the schedule had its last turn. Until now graphile-worker's own table said so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table job_turns (job text primary key, last_turn timestamptz not null)`.execute(db);
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('graphile_worker._private_known_crontabs') is not null as "isThere"`.execute(db);
  if (!rows[0]!.isThere) return;
  await sql`
    insert into job_turns (job, last_turn)
    select identifier, last_execution from graphile_worker._private_known_crontabs where last_execution is not null`.execute(
    db,
  );
}
