import pLimit from 'p-limit';
import { waitAtMost } from '../concurrency/wait-at-most.ts';
import { externalCallFlag, feedFlag, longJobFlag, receiverFlag, type SchedulingHints } from './flags.ts';

/**
 * Decides which jobs a process may pick next, so that receivers that hang never hold all of its slots. graphile-worker calls these
 * for each pick: `forbiddenFlags` first, then `run` if it found a job, or `handleEmptyPick` if it did not.
 */
export type Slots = {
  /** The flags of the jobs that must wait. */
  forbiddenFlags(): Promise<string[]>;
  /** @returns whether to pick again at once. */
  handleEmptyPick(): boolean;
  /** Runs the picked job. */
  run(payload: unknown, work: () => Promise<void>): Promise<void>;
};

/** A running job that calls a receiver. */
type Call = { receiver: string; sinceMs: number };

/** Longer than a healthy receiver takes, and shorter than the timeout of a call (ten seconds). */
const slowAfterMs = 5000;
/** For how long we expect a receiver that has answered to answer again. */
const trustMs = 10_000;
/** Long jobs without a receiver, such as file imports, that run at once. */
const maxLongJobs = 2;
/** Slots of their own for jobs that read feeds, one for each source: they mostly wait for the network. */
export const feedSlots = 4;

/**
 * One pick at a time, because each pick depends on what the picks before it have started: a pick begins with `forbiddenFlags`, and
 * ends when `run` has noted its job, or with `handleEmptyPick`. `pickAgain` wakes the workers that found no job.
 */
export function createSlots(slotCount: number, pickAgain: () => void): Slots {
  const jobs = createRunningJobs(Math.max(slotCount - 1, 1), pickAgain);
  const withSlot = pLimit(slotCount);
  const picks = createMutex(slowAfterMs);
  return {
    async forbiddenFlags() {
      await picks.begin();
      return jobs.flagsToSkip();
    },
    handleEmptyPick() {
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
 * - A receiver that has not answered lately has one slot. A receiver that answered lately may use more than one, after every
 *   other waiting receiver has had one.
 * - When only one slot is left, it is kept from receivers that have been slow.
 */
function createRunningJobs(maxCalls: number, pickAgain: () => void) {
  const calls = new Set<Call>();
  /** The sources of the feeds that are being read. */
  const sources = new Set<string>();
  let longJobs = 0;
  const receivers = createAnswerHistory();
  /** Receivers that have had a slot in this round: the other waiting receivers come first. */
  const served = new Set<string>();
  /** Receivers that the current pick skips only because they were served. */
  let skippedAsServed: string[] = [];

  const mayBeSlow = ({ receiver, sinceMs }: Call) =>
    !receivers.isTrusted(receiver) || performance.now() - sinceMs > slowAfterMs;

  function receiversToSkip(): Set<string> {
    const skipped = new Set<string>();
    for (const { receiver } of calls) if (!receivers.isTrusted(receiver)) skipped.add(receiver);
    const onlyOneSlotIsSurelyFree = [...calls].filter(mayBeSlow).length >= Math.max(maxCalls - 1, 1);
    if (onlyOneSlotIsSurelyFree) for (const receiver of receivers.slow) skipped.add(receiver);
    return skipped;
  }

  function addFeed(source: string) {
    sources.add(source);
    return { hasOwnSlot: true, remove: () => void sources.delete(source) };
  }

  function addCall(receiver: string) {
    const call = { receiver, sinceMs: performance.now() };
    calls.add(call);
    served.add(receiver);
    const remove = () => {
      calls.delete(call);
      if (receivers.recordEnd(call)) pickAgain();
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
      const flags = [...sources].map(receiverFlag);
      skippedAsServed = [];
      if (calls.size >= maxCalls) flags.push(externalCallFlag);
      else {
        const skipped = receiversToSkip();
        skippedAsServed = [...served].filter((receiver) => !skipped.has(receiver));
        flags.push(...[...skipped, ...skippedAsServed].map(receiverFlag));
      }
      if (longJobs >= maxLongJobs) flags.push(longJobFlag);
      if (sources.size >= feedSlots) flags.push(feedFlag);
      return flags;
    },
    /** Lets the served receivers in again. @returns false if the last pick skipped none of them. */
    startNextRound(): boolean {
      for (const receiver of skippedAsServed) served.delete(receiver);
      return skippedAsServed.length > 0;
    },
    add({ receiver, lasting }: SchedulingHints): { hasOwnSlot: boolean; remove(): void } {
      if (receiver !== undefined) return lasting ? addFeed(receiver) : addCall(receiver);
      return lasting ? addLongJob() : { hasOwnSlot: false, remove: () => undefined };
    },
  };
}

/** Remembers which receivers have answered lately, and which were slow. */
function createAnswerHistory() {
  const answeredAtMs = new Map<string, number>();
  const slow = new Set<string>();
  const isTrusted = (receiver: string) =>
    performance.now() - (answeredAtMs.get(receiver) ?? -trustMs) < trustMs;
  return {
    isTrusted,
    slow: slow as ReadonlySet<string>,
    /** Records that a call has ended. @returns whether its receiver is trusted again. */
    recordEnd({ receiver, sinceMs }: Call): boolean {
      const nowMs = performance.now();
      const wasTrusted = isTrusted(receiver);
      for (const [each, atMs] of answeredAtMs) if (nowMs - atMs >= trustMs) answeredAtMs.delete(each);
      if (nowMs - sinceMs > slowAfterMs) {
        answeredAtMs.delete(receiver);
        slow.add(receiver);
        return false;
      }
      answeredAtMs.set(receiver, nowMs);
      slow.delete(receiver);
      return !wasTrusted;
    },
  };
}

/**
 * Lets one holder in at a time. One that never ends, because a connection hangs, delays the next by `maxMs` at most. If it ends after
 * that, it ends the turn of another, which then runs beside the next: that is accepted.
 */
export function createMutex(maxMs: number): { begin(): Promise<void>; end(): void } {
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
