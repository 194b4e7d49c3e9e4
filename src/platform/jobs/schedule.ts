import { sql } from 'kysely';
import { type Db, inTransaction } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { flagsOf } from './flags.ts';

/** A job that is due every `everyMinutes`, counted from the start of 1970 in UTC, and `offsetMinutes` after that. */
type ScheduledJob = {
  name: string;
  everyMinutes: number;
  offsetMinutes: number;
  maxAttempts: number;
  /** The system that it calls. */
  system?: string;
};
export type Schedule = readonly ScheduledJob[];

type Times = Pick<ScheduledJob, 'everyMinutes' | 'offsetMinutes'>;

const hourInMinutes = 60;
const dayInMinutes = 24 * hourInMinutes;

export const hourlyAt = (minute: number): Times => ({ everyMinutes: hourInMinutes, offsetMinutes: minute });

/** @param time in UTC, such as `06:14` */
export const dailyAt = (time: string): Times => ({
  everyMinutes: dayInMinutes,
  offsetMinutes: minuteOfDay(time),
});

/** @param time in UTC, such as `06:20` */
export function mondaysAt(time: string): Times {
  // Weeks are counted from Thursday, 1 January 1970, and Monday is four days later.
  return { everyMinutes: 7 * dayInMinutes, offsetMinutes: 4 * dayInMinutes + minuteOfDay(time) };
}

function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * hourInMinutes + minutes!;
}

/**
 * Clocks of database servers may differ by this much. If the time for which a job was last added is further ahead, it came from a
 * wrong clock, and the job is added now.
 */
const clockToleranceMinutes = 5;

/**
 * Adds the jobs that are due, once for all processes. A job that missed several of its times is added once.
 * It goes by the database's clock, since a machine whose clock is a day ahead would add tomorrow's jobs today.
 */
export async function addDueJobs(db: Db, schedule: Schedule): Promise<void> {
  const jobs = schedule.map(({ system, ...times }) => {
    const payload = { receiver: system };
    return { ...times, payload, flags: flagsOf(payload) };
  });
  await inTransaction(db, async (trx) => {
    await sql`
      with due as (
        select name, payload, flags, "maxAttempts" as max_attempts, to_timestamp(
          floor((extract(epoch from now()) / 60 - "offsetMinutes") / "everyMinutes") * "everyMinutes" * 60 + "offsetMinutes" * 60) as at
        from json_to_recordset(${JSON.stringify(jobs)}::json)
          as s(name text, "everyMinutes" int, "offsetMinutes" int, "maxAttempts" int, payload json, flags text[])),
      -- A job that is new here is added at its next time.
      new_jobs as (insert into job_turns (job, last_turn) select name, at from due on conflict do nothing),
      added as (
        update job_turns set last_turn = due.at from due
        where job_turns.job = due.name
          and (last_turn < due.at or last_turn > due.at + ${clockToleranceMinutes} * interval '1 minute')
        returning due.name, due.payload, due.flags, due.max_attempts)
      select graphile_worker.add_job(name, payload, max_attempts => max_attempts, job_key => name, flags => flags) from added`.execute(
      trx,
    );
  });
}

const pollEveryMs = 5000;

/** Keeps adding the jobs that are due, until it is stopped. */
export function startSchedule(db: Db, schedule: Schedule, log: Log): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const check = async () => {
    await addDueJobs(db, schedule).catch((error) =>
      log.warn({ error: describeError(error) }, 'the scheduled jobs could not be added'),
    );
    if (!isStopped) timer = setTimeout(() => void check(), pollEveryMs).unref();
  };
  if (schedule.length > 0) void check();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
