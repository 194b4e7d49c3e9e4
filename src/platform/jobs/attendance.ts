import { sql } from 'kysely';
import pg from 'pg';
import { type Database, type Db, inTransaction } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';

/**
 * Which workers are alive. A worker locks the job it runs; one that is killed leaves it locked, and the queue itself
 * would give it up only after four hours. So each process writes down its workers' names and holds a database lock,
 * which ends with its connection: whoever finds names without that lock frees their jobs.
 */
export type Attendance = { name(workerId: string): void; healthy(): boolean; leave(): Promise<void> };

const lookEveryMs = 15_000;
const returnAfterMs = 500;

export async function attend(database: Database, processId: string, log: Log): Promise<Attendance> {
  const { db } = database;
  const presence = await bePresent(database.connection, processId);
  await freeJobsOfTheDead(db);
  const timer = setInterval(() => {
    freeJobsOfTheDead(db).catch((error) => log.warn({ error: describeError(error) }, 'worker attendance'));
  }, lookEveryMs).unref();
  const names: Promise<unknown>[] = [];
  return {
    name(workerId) {
      names.push(
        sql`insert into job_workers (worker_id, process_id) values (${workerId}, ${processId})`.execute(db),
      );
    },
    healthy: presence.held,
    async leave() {
      clearInterval(timer);
      await Promise.allSettled(names);
      await sql`delete from job_workers where process_id = ${processId}`.execute(db);
      await presence.end();
    },
  };
}

/** Holds the process's lock on a connection of its own, and takes it again when the database comes back. */
async function bePresent(connection: pg.ClientConfig, processId: string) {
  let holder: pg.Client | undefined;
  let ended = false;
  const hold = async () => {
    const client = new pg.Client({ ...connection, application_name: 'onward worker' });
    client.on('error', () => undefined);
    client.on('end', () => {
      holder = undefined;
      if (!ended) setTimeout(() => hold().catch(() => client.emit('end')), returnAfterMs).unref();
    });
    await client.connect();
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [processId]);
    holder = client;
  };
  await hold();
  return {
    held: () => holder !== undefined,
    async end() {
      ended = true;
      await holder?.end();
    },
  };
}

async function freeJobsOfTheDead(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`
      with dead as (
        delete from job_workers where process_id in (
          select process_id from (select distinct process_id from job_workers) as processes
          where pg_try_advisory_xact_lock(hashtextextended(process_id, 0)))
        returning worker_id),
      nameless as (
        -- Killed between taking its first job and writing down its name.
        select distinct locked_by as worker_id from graphile_worker.jobs
        where locked_at < now() - interval '1 minute' and locked_by not in (select worker_id from job_workers)),
      stale as (select worker_id from dead union select worker_id from nameless)
      select graphile_worker.force_unlock_workers(array_agg(worker_id)) from stale having count(*) > 0`.execute(
      trx,
    );
  });
}
