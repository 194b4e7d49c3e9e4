import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { lasting, outside, type RunsHow, reading, receiverFlag } from './flags.ts';

/** Decides which jobs a process may pick next, so that receivers who hang never hold all of its slots. */
export type Slots = {
  /** The flags of the jobs that have to wait. Until this pick has ended, no other one begins. */
  forbiddenFlags(): Promise<string[]>;
  /** The pick found no job. @returns whether another one, now, may find one. */
  pickedNothing(): boolean;
  /** Runs the job that was picked. */
  run(payload: unknown, work: () => Promise<void>): Promise<void>;
};

/** A job that calls a receiver now. */
type Call = { receiver: string; sinceMs: number };

/** Longer than a healthy receiver takes, and shorter than the ten seconds after which a call is given up. */
const slowAfterMs = 5000;
/** How long a receiver that answered is expected to answer again. */
const trustMs = 10_000;
/** Imported files that are read at once. */
const maxLasting = 2;
/** Slots of their own for jobs that read feeds, one for each source: they mostly wait for the network. */
export const readingSlots = 4;

/**
 * One slot is never for jobs that call others, and jobs that read feeds have their own, so that some work always goes on.
 * In the rest:
 * - A receiver that has not answered lately has one slot. One that has may take more, but it lets every other receiver
 *   have a turn first.
 * - The last slot is never for a receiver that was slow, as long as the others are held by receivers that may be slow too.
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
  /** The receivers that let the others have a turn. */
  const hadTurn = new Set<string>();
  let lastingNow = 0;
  /** The receivers that the current pick leaves out only so that others have a turn. */
  let lettingOthersGo: string[] = [];

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
      lettingOthersGo = [];
      if (calls.size >= maxCalls) flags.push(outside);
      else {
        const busy = busyReceivers();
        lettingOthersGo = [...hadTurn].filter((receiver) => !busy.has(receiver));
        flags.push(...[...busy, ...lettingOthersGo].map(receiverFlag));
      }
      if (lastingNow >= maxLasting) flags.push(lasting);
      if (sources.size >= readingSlots) flags.push(reading);
      return flags;
    },
    pickedNothing() {
      picks.end();
      for (const receiver of lettingOthersGo) hadTurn.delete(receiver);
      return lettingOthersGo.length > 0;
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

/** One after the other. A turn that is never ended, as when a connection hangs, holds the next one up for `maxMs` only. */
export function createTurns(maxMs: number): { begin(): Promise<void>; end(): void } {
  let last: Promise<void> | undefined;
  let end = () => {};
  return {
    async begin() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      if (before) await within(maxMs, before);
      end = () => {
        if (last === promise) last = undefined;
        resolve();
      };
    },
    end: () => end(),
  };
}

/** Waits until this has ended, however it does, but no longer than `ms`. */
export async function within(ms: number, ending: Promise<unknown>): Promise<void> {
  await Promise.race([ending.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}
