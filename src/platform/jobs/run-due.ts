import { sql } from 'kysely';
import { type Db, inTransaction } from '../database/index.ts';
import { flagsOf } from './flags-of.ts';

/** What happens by the clock: every so many minutes, counted from midnight, and so many minutes after that. */
type Scheduled = {
  job: string;
  everyMinutes: number;
  atMinute: number;
  maxAttempts: number;
  /** Whose system it speaks to. */
  receiver?: string;
};
export type Schedule = readonly Scheduled[];

/** A database's clock that was set back by less than this stands where the other processes' turns are under way. */
const setBackMinutes = 5;

/**
 * Adds the jobs whose time has come, once for all processes. One that was missed is made up for, and has not to be made up
 * for a hundred times. The time is the database's: graphile-worker's own cron goes by the machine's clock, so that one
 * machine whose clock was a day ahead kept every process from looking after anything for a day. When a job had its
 * last turn stands in that cron's table.
 */
export async function runDue(db: Db, schedule: Schedule): Promise<void> {
  const jobs = schedule.map(({ receiver, ...times }) => {
    const payload = { receiver };
    return { ...times, payload, flags: flagsOf(payload) };
  });
  await inTransaction(db, async (trx) => {
    await sql`
      with due as (
        select job, payload, flags, "maxAttempts" as max_attempts, to_timestamp(
          floor((extract(epoch from now()) / 60 - "atMinute") / "everyMinutes") * "everyMinutes" * 60 + "atMinute" * 60) as at
        from json_to_recordset(${JSON.stringify(jobs)}::json)
          as s("job" text, "everyMinutes" int, "atMinute" int, "maxAttempts" int, payload json, flags text[])),
      -- What was never there before has its first turn next time.
      first as (
        insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
        select job, at, at from due on conflict do nothing),
      turns as (
        update graphile_worker._private_known_crontabs as known set last_execution = due.at
        from due where known.identifier = due.job
          and (coalesce(last_execution, known_since) < due.at
            or last_execution > due.at + ${setBackMinutes} * interval '1 minute')
        returning due.job, due.payload, due.flags, due.max_attempts)
      select graphile_worker.add_job(job, payload, max_attempts => max_attempts, job_key => job, flags => flags) from turns`.execute(
      trx,
    );
  });
}
