import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { externalCallFlag, feedFlag, longJobFlag, receiverFlag, type SchedulingHints } from './flags.ts';

/** Decides which jobs a process may pick next, so that receivers that hang never hold all of its slots. */
export type Slots = {
  /** The flags of the jobs that must wait. No other pick begins until this one has ended. */
  forbiddenFlags(): Promise<string[]>;
  /** To be called when the pick found no job. @returns whether to pick again at once. */
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
 * One slot is never for jobs that call others, and jobs that read feeds have their own slots, so that some work always goes on.
 * For the other slots:
 * - A receiver that has not answered lately has one slot. A receiver that answered lately may use more than one, after every
 *   other waiting receiver has had one.
 * - When only one slot is left, it is kept from receivers that have been slow.
 * `pickAgain` wakes the workers that found no job.
 */
export function createSlots(slots: number, pickAgain: () => void): Slots {
  const maxCalls = Math.max(slots - 1, 1);
  const picks = createMutex(slowAfterMs);
  const withSlot = pLimit(slots);
  const calls = new Set<Call>();
  const sources = new Set<string>();
  const receivers = rememberAnswers();
  /** Receivers that have had a slot, and wait until the other waiting receivers have had one. */
  const servedReceivers = new Set<string>();
  let longJobs = 0;
  /** Receivers that the current pick leaves out only because they have had a slot. */
  let leftOutOnceServed: string[] = [];

  const mayBeSlow = ({ receiver, sinceMs }: Call) =>
    !receivers.isTrusted(receiver) || performance.now() - sinceMs > slowAfterMs;

  function busyReceivers(): Set<string> {
    const busy = new Set<string>();
    for (const { receiver } of calls) if (!receivers.isTrusted(receiver)) busy.add(receiver);
    const isLastSlot = [...calls].filter(mayBeSlow).length >= Math.max(maxCalls - 1, 1);
    if (isLastSlot) for (const receiver of receivers.slow) busy.add(receiver);
    return busy;
  }

  async function runFeedJob(source: string, work: () => Promise<void>): Promise<void> {
    sources.add(source);
    picks.end();
    try {
      await work();
    } finally {
      sources.delete(source);
    }
  }

  return {
    async forbiddenFlags() {
      await picks.begin();
      const flags = [...sources].map(receiverFlag);
      leftOutOnceServed = [];
      if (calls.size >= maxCalls) flags.push(externalCallFlag);
      else {
        const busy = busyReceivers();
        leftOutOnceServed = [...servedReceivers].filter((receiver) => !busy.has(receiver));
        flags.push(...[...busy, ...leftOutOnceServed].map(receiverFlag));
      }
      if (longJobs >= maxLongJobs) flags.push(longJobFlag);
      if (sources.size >= feedSlots) flags.push(feedFlag);
      return flags;
    },
    handleEmptyPick() {
      picks.end();
      for (const receiver of leftOutOnceServed) servedReceivers.delete(receiver);
      return leftOutOnceServed.length > 0;
    },
    async run(payload, work) {
      const { receiver, lasting } = (payload ?? {}) as SchedulingHints;
      if (lasting && receiver !== undefined) return runFeedJob(receiver, work);
      const call = receiver === undefined ? undefined : { receiver, sinceMs: performance.now() };
      if (call) {
        calls.add(call);
        servedReceivers.add(call.receiver);
      }
      if (lasting) longJobs += 1;
      picks.end();
      try {
        await withSlot(work);
      } finally {
        if (lasting) longJobs -= 1;
        if (call) {
          calls.delete(call);
          if (receivers.recordEnd(call) === 'trusted again') pickAgain();
        }
      }
    },
  };
}

/** Remembers which receivers have answered lately, and which were slow. */
function rememberAnswers() {
  const answeredAtMs = new Map<string, number>();
  const slow = new Set<string>();
  const isTrusted = (receiver: string) =>
    performance.now() - (answeredAtMs.get(receiver) ?? -trustMs) < trustMs;
  return {
    isTrusted,
    slow: slow as ReadonlySet<string>,
    /** Records that a call has ended, and whether its receiver answered. */
    recordEnd({ receiver, sinceMs }: Call): 'slow' | 'trusted' | 'trusted again' {
      const nowMs = performance.now();
      const wasTrusted = isTrusted(receiver);
      for (const [each, atMs] of answeredAtMs) if (nowMs - atMs >= trustMs) answeredAtMs.delete(each);
      if (nowMs - sinceMs > slowAfterMs) {
        answeredAtMs.delete(receiver);
        slow.add(receiver);
        return 'slow';
      }
      answeredAtMs.set(receiver, nowMs);
      slow.delete(receiver);
      return wasTrusted ? 'trusted' : 'trusted again';
    },
  };
}

/** Lets one holder in at a time. One that never ends, because a connection hangs, delays the next by `maxMs` at most. */
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

/** Waits until it settles, but at most `ms`. */
export async function waitAtMost(ms: number, ending: Promise<unknown>): Promise<void> {
  await Promise.race([ending.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}
