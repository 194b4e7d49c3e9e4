import { sql } from 'kysely';
import { type Db, inTransaction } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { flagsOf } from './flags.ts';

/** A job that is added every `everyMinutes`, counted from the start of 1970 in UTC, and `atMinute` minutes after that. */
type ScheduledJob = {
  job: string;
  everyMinutes: number;
  atMinute: number;
  maxAttempts: number;
  /** The system that it calls. */
  receiver?: string;
};
export type Schedule = readonly ScheduledJob[];

type Times = Pick<ScheduledJob, 'everyMinutes' | 'atMinute'>;

const hourInMinutes = 60;
const dayInMinutes = 24 * hourInMinutes;

export const hourlyAt = (minute: number): Times => ({ everyMinutes: hourInMinutes, atMinute: minute });

/** @param time in UTC, such as `06:14` */
export const dailyAt = (time: string): Times => ({ everyMinutes: dayInMinutes, atMinute: minuteOfDay(time) });

/** @param time in UTC, such as `06:20` */
export function mondaysAt(time: string): Times {
  // Weeks are counted from Thursday, 1 January 1970, and Monday is four days later.
  return { everyMinutes: 7 * dayInMinutes, atMinute: 4 * dayInMinutes + minuteOfDay(time) };
}

function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * hourInMinutes + minutes!;
}

/** If the clock was set back further than this, a job’s last turn is believed to be wrong, and the job is added now. */
const setBackMinutes = 5;

/**
 * Adds the jobs that are due, once for all processes. A job that missed several of its times is added once.
 * It goes by the database's clock, since a machine whose clock is a day ahead would add tomorrow's jobs today.
 */
export async function addDueJobs(db: Db, schedule: Schedule): Promise<void> {
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
      -- A job that is new here is added at its next time.
      new_jobs as (insert into job_turns (job, last_turn) select job, at from due on conflict do nothing),
      added as (
        update job_turns set last_turn = due.at from due
        where job_turns.job = due.job
          and (last_turn < due.at or last_turn > due.at + ${setBackMinutes} * interval '1 minute')
        returning due.job, due.payload, due.flags, due.max_attempts)
      select graphile_worker.add_job(job, payload, max_attempts => max_attempts, job_key => job, flags => flags) from added`.execute(
      trx,
    );
  });
}

const checkEveryMs = 5000;

/** Keeps adding the jobs that are due, until it is stopped. */
export function startSchedule(db: Db, schedule: Schedule, log: Log): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const check = async () => {
    await addDueJobs(db, schedule).catch((error) =>
      log.warn({ error: describeError(error) }, 'the scheduled jobs could not be added'),
    );
    if (!isStopped) timer = setTimeout(() => void check(), checkEveryMs).unref();
  };
  if (schedule.length > 0) void check();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
