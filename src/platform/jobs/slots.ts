import pLimit from 'p-limit';
import { waitAtMost } from '../concurrency/wait-at-most.ts';
import { externalCallFlag, feedFlag, longJobFlag, type SchedulingHints, systemFlag } from './flags.ts';

/**
 * Decides which jobs a process may pick next, so that systems that hang never hold all of its slots. graphile-worker calls these for
 * each pick: `forbiddenFlags` first, then `run` if it found a job, or `endPickWithoutJob` if it found none or failed.
 */
export type Slots = {
  /** The flags of the jobs that must wait. */
  forbiddenFlags(): Promise<string[]>;
  /** @returns whether to pick again at once. */
  endPickWithoutJob(): boolean;
  /** Runs the picked job. */
  run(payload: unknown, work: () => Promise<void>): Promise<void>;
};

/** A running job that calls a system. */
type Call = { system: string; sinceMs: number };

/** Longer than a healthy system takes, and shorter than the timeout of a call (ten seconds). */
const slowAfterMs = 5000;
/** For how long after an answer we expect a system to answer again. */
const trustMs = 10_000;
/** Long jobs without a system, such as file imports, that run at once. */
const maxLongJobs = 2;
/** Slots of their own for jobs that read feeds, one for each source: they mostly wait for the network. */
export const feedSlots = 4;

/**
 * One pick at a time, because each pick depends on what the picks before it have started: a pick begins with `forbiddenFlags`, and
 * ends when `run` has noted its job, or with `endPickWithoutJob`. `pickAgain` wakes the pickers that found no job.
 */
export function createSlots(slotCount: number, pickAgain: () => void): Slots {
  const jobs = trackRunningJobs(Math.max(slotCount - 1, 1), pickAgain);
  const withSlot = pLimit(slotCount);
  const picks = createMutexWithTimeout(slowAfterMs);
  return {
    async forbiddenFlags() {
      await picks.begin();
      return jobs.flagsToSkip();
    },
    endPickWithoutJob() {
      picks.end();
      return jobs.startNextRound();
    },
    async run(payload, work) {
      const job = jobs.add((payload ?? {}) as SchedulingHints);
      picks.end();
      try {
        if (job.hasOwnSlot) await work();
        else await withSlot(work);
      } finally {
        job.remove();
      }
    },
  };
}

/**
 * The running jobs, and which further jobs may run beside them. At most `maxCalls` of them call others, and jobs that read feeds
 * have their own slots, so that some work always goes on. For the calls:
 * - A system that has not answered lately has one slot. One that answered lately may use more than one, after every other system
 *   with waiting jobs has had one.
 * - When calls that may be slow hold all slots but one, that one is kept from systems that have been slow.
 */
function trackRunningJobs(maxCalls: number, pickAgain: () => void) {
  const calls = new Set<Call>();
  /** The systems whose feeds are being read. */
  const feedSystems = new Set<string>();
  let longJobs = 0;
  const history = createAnswerHistory();
  /** Systems that have had a slot in this round: the other systems with waiting jobs come first. */
  const servedSystems = new Set<string>();
  /** Systems that the current pick skips only because they were served. */
  let skippedAsServed: string[] = [];

  const mayBeSlow = ({ system, sinceMs }: Call) =>
    !history.isTrusted(system) || performance.now() - sinceMs > slowAfterMs;

  function systemsToSkip(): Set<string> {
    const skipped = new Set<string>();
    for (const { system } of calls) if (!history.isTrusted(system)) skipped.add(system);
    const isOneSlotLeft = [...calls].filter(mayBeSlow).length >= Math.max(maxCalls - 1, 1);
    if (isOneSlotLeft) for (const system of history.slow) skipped.add(system);
    return skipped;
  }

  function addFeed(system: string) {
    feedSystems.add(system);
    return { hasOwnSlot: true, remove: () => void feedSystems.delete(system) };
  }

  function addCall(system: string) {
    const call = { system, sinceMs: performance.now() };
    calls.add(call);
    servedSystems.add(system);
    const remove = () => {
      calls.delete(call);
      if (history.recordEnd(call)) pickAgain();
    };
    return { hasOwnSlot: false, remove };
  }

  function addLongJob() {
    longJobs += 1;
    const remove = () => {
      longJobs -= 1;
    };
    return { hasOwnSlot: false, remove };
  }

  return {
    flagsToSkip(): string[] {
      const flags = [...feedSystems].map(systemFlag);
      skippedAsServed = [];
      if (calls.size >= maxCalls) flags.push(externalCallFlag);
      else {
        const skipped = systemsToSkip();
        skippedAsServed = [...servedSystems].filter((system) => !skipped.has(system));
        flags.push(...[...skipped, ...skippedAsServed].map(systemFlag));
      }
      if (longJobs >= maxLongJobs) flags.push(longJobFlag);
      if (feedSystems.size >= feedSlots) flags.push(feedFlag);
      return flags;
    },
    /** Lets the served systems in again. @returns false if the last pick skipped none of them. */
    startNextRound(): boolean {
      for (const system of skippedAsServed) servedSystems.delete(system);
      return skippedAsServed.length > 0;
    },
    add({ receiver: system, lasting }: SchedulingHints): { hasOwnSlot: boolean; remove(): void } {
      if (system !== undefined) return lasting ? addFeed(system) : addCall(system);
      return lasting ? addLongJob() : { hasOwnSlot: false, remove: () => undefined };
    },
  };
}

/** Remembers which systems have answered lately, and which were slow. */
function createAnswerHistory() {
  const answeredAtMs = new Map<string, number>();
  const slow = new Set<string>();
  const isTrusted = (system: string) => performance.now() - (answeredAtMs.get(system) ?? -trustMs) < trustMs;
  return {
    isTrusted,
    slow: slow as ReadonlySet<string>,
    /** Records that a call has ended. @returns whether its system is trusted again. */
    recordEnd({ system, sinceMs }: Call): boolean {
      const nowMs = performance.now();
      const wasTrusted = isTrusted(system);
      for (const [each, atMs] of answeredAtMs) if (nowMs - atMs >= trustMs) answeredAtMs.delete(each);
      if (nowMs - sinceMs > slowAfterMs) {
        answeredAtMs.delete(system);
        slow.add(system);
        return false;
      }
      answeredAtMs.set(system, nowMs);
      slow.delete(system);
      return !wasTrusted;
    },
  };
}

/**
 * Lets one holder in at a time. One that never ends, because a connection hangs, delays the next by `maxMs` at most. If it ends later,
 * it ends the current holder’s turn early, and two may run at once. That does no harm.
 */
export function createMutexWithTimeout(maxMs: number): { begin(): Promise<void>; end(): void } {
  let last: Promise<void> | undefined;
  let end = () => {};
  return {
    async begin() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      if (before) await waitAtMost(maxMs, before);
      end = () => {
        if (last === promise) last = undefined;
        resolve();
      };
    },
    end: () => end(),
  };
}
