import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { lasting, outside, type RunsHow, reading, receiverFlag } from './flags.ts';

/** Decides which jobs a process may pick next, so that receivers that hang never hold all of its slots. */
export type Slots = {
  /** The flags of the jobs that must wait. No other pick begins until this one has ended. */
  forbiddenFlags(): Promise<string[]>;
  /** To be called when the pick found no job. @returns whether another pick may find one now. */
  pickedNothing(): boolean;
  /** Runs the picked job. */
  run(payload: unknown, work: () => Promise<void>): Promise<void>;
};

/** A running job that calls a receiver. */
type Call = { receiver: string; sinceMs: number };

/** Longer than a healthy receiver takes, and shorter than the timeout of a call (ten seconds). */
const slowAfterMs = 5000;
/** For how long we expect a receiver that has answered to answer again. */
const trustMs = 10_000;
/** How many imported files are read at once. */
const maxLasting = 2;
/** Slots of their own for jobs that read feeds, one for each source: they mostly wait for the network. */
export const readingSlots = 4;

/**
 * One slot is never for jobs that call others, and jobs that read feeds have their own slots, so that some work always goes on.
 * For the other slots:
 * - A receiver that has not answered lately has one slot. One that has may take more, but every other receiver has a turn
 *   first.
 * - While receivers that may be slow hold all but the last slot, a receiver that was slow does not get that one.
 * `pickAgain` wakes the workers that found no job.
 */
export function createSlots(slots: number, pickAgain: () => void): Slots {
  const maxCalls = Math.max(slots - 1, 1);
  const picks = createTurns(slowAfterMs);
  const withSlot = pLimit(slots);
  const calls = new Set<Call>();
  const sources = new Set<string>();
  const answeredAtMs = new Map<string, number>();
  const slow = new Set<string>();
  /** Receivers that have had their turn, and wait until the others have had theirs. */
  const hadTurn = new Set<string>();
  let lastingNow = 0;
  /** Receivers that the current pick leaves out only because they have had their turn. */
  let waitingForOthers: string[] = [];

  const isTrusted = (receiver: string) =>
    performance.now() - (answeredAtMs.get(receiver) ?? -trustMs) < trustMs;
  const mayBeSlow = ({ receiver, sinceMs }: Call) =>
    !isTrusted(receiver) || performance.now() - sinceMs > slowAfterMs;

  function busyReceivers(): Set<string> {
    const busy = new Set<string>();
    for (const { receiver } of calls) if (!isTrusted(receiver)) busy.add(receiver);
    const isLastSlot = [...calls].filter(mayBeSlow).length >= Math.max(maxCalls - 1, 1);
    if (isLastSlot) for (const receiver of slow) busy.add(receiver);
    return busy;
  }

  function judge({ receiver, sinceMs }: Call): void {
    const nowMs = performance.now();
    const wasTrusted = isTrusted(receiver);
    for (const [each, atMs] of answeredAtMs) if (nowMs - atMs >= trustMs) answeredAtMs.delete(each);
    if (nowMs - sinceMs > slowAfterMs) {
      answeredAtMs.delete(receiver);
      slow.add(receiver);
      return;
    }
    answeredAtMs.set(receiver, nowMs);
    slow.delete(receiver);
    if (!wasTrusted) pickAgain();
  }

  async function runReading(source: string, work: () => Promise<void>): Promise<void> {
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
      waitingForOthers = [];
      if (calls.size >= maxCalls) flags.push(outside);
      else {
        const busy = busyReceivers();
        waitingForOthers = [...hadTurn].filter((receiver) => !busy.has(receiver));
        flags.push(...[...busy, ...waitingForOthers].map(receiverFlag));
      }
      if (lastingNow >= maxLasting) flags.push(lasting);
      if (sources.size >= readingSlots) flags.push(reading);
      return flags;
    },
    pickedNothing() {
      picks.end();
      for (const receiver of waitingForOthers) hadTurn.delete(receiver);
      return waitingForOthers.length > 0;
    },
    async run(payload, work) {
      const { receiver, lasting: isLasting } = (payload ?? {}) as RunsHow;
      if (isLasting && receiver !== undefined) return runReading(receiver, work);
      const call = receiver === undefined ? undefined : { receiver, sinceMs: performance.now() };
      if (call) {
        calls.add(call);
        hadTurn.add(call.receiver);
      }
      if (isLasting) lastingNow += 1;
      picks.end();
      try {
        await withSlot(work);
      } finally {
        if (isLasting) lastingNow -= 1;
        if (call) {
          calls.delete(call);
          judge(call);
        }
      }
    },
  };
}

/** One turn at a time. A turn that never ends, because a connection hangs, delays the next one by `maxMs` at most. */
export function createTurns(maxMs: number): { begin(): Promise<void>; end(): void } {
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

/** Waits until this has ended, well or badly, but at most `ms`. */
export async function waitAtMost(ms: number, ending: Promise<unknown>): Promise<void> {
  await Promise.race([ending.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}
