import { flagOf, lasting, type Manner, outside } from './flags-of.ts';
import { createTurns } from './turns.ts';

/** Who may be spoken to, so that some who take a call and then say nothing never have all places of a process. */
export type Lanes = {
  /** Before a job is picked: the flags of those that have to wait. Until it is, nobody else picks one. */
  forbidden(): Promise<string[]>;
  /** After that: there was no job. @returns whether there may be one at a second look, at once. */
  none(): boolean;
  /** Or there was this one. */
  during(payload: unknown, run: () => Promise<void>): Promise<void>;
};

type Place = { receiver: string; sinceMs: number };

/** Less than the shortest time after which a call is given up, ten seconds, and more than what answers takes. */
const patienceMs = 5000;
/** For how long one that answered is trusted to answer again. */
const trustMs = 10_000;
/** For how long it holds that nobody else waits: to find that out, the queue looks through all jobs that do. */
const aloneMs = 100;
/** Lasting jobs of a process at once: what is asked for next waits for none of them. */
const mostLasting = 2;

/**
 * All places but one are for jobs that speak to others. A receiver has one of them; or several, as long as it answers,
 * and nobody else waits: each has a turn before one has its next, or one with many jobs, the oldest of all, would always be
 * next. The last one is never for those that kept the site waiting, where the rest speak to such or to nobody known: what waits
 * for them, try after try, is older than all else. `look` has the workers look that found no job before.
 */
export function createLanes(places: number, look: () => void): Lanes {
  const most = Math.max(places - 1, 1);
  const turns = createTurns(patienceMs);
  const taken = new Set<Place>();
  const answeredAtMs = new Map<string, number>();
  const silent = new Set<string>();
  /** Those that had a turn since everybody else who waits had one. */
  const hadTurn = new Set<string>();
  let aloneUntilMs = 0;
  let nowLasting = 0;
  /** Those that the pick which is under way leaves out so that others go first. */
  let leftOut: string[] = [];

  const isTrusted = (receiver: string) =>
    performance.now() - (answeredAtMs.get(receiver) ?? -trustMs) < trustMs;
  const mayKeepWaiting = ({ receiver, sinceMs }: Place) =>
    !isTrusted(receiver) || performance.now() - sinceMs > patienceMs;

  function thoseThatWait(): Set<string> {
    const spokenTo = [...taken].map(({ receiver }) => receiver);
    const waiting = new Set(spokenTo.filter((receiver) => !isTrusted(receiver)));
    const isLast = [...taken].filter(mayKeepWaiting).length >= Math.max(most - 1, 1);
    if (isLast) for (const receiver of silent) waiting.add(receiver);
    const isAlone = performance.now() < aloneUntilMs;
    leftOut = [...new Set([...spokenTo, ...hadTurn])].filter(
      (receiver) => !(waiting.has(receiver) || (isAlone && isTrusted(receiver))),
    );
    return new Set([...waiting, ...leftOut]);
  }

  function judge({ receiver, sinceMs }: Place): void {
    const nowMs = performance.now();
    const wasTrusted = isTrusted(receiver);
    for (const [each, atMs] of answeredAtMs) if (nowMs - atMs >= trustMs) answeredAtMs.delete(each);
    hadTurn.add(receiver);
    if (nowMs - sinceMs > patienceMs) {
      answeredAtMs.delete(receiver);
      silent.add(receiver);
      return;
    }
    answeredAtMs.set(receiver, nowMs);
    silent.delete(receiver);
    if (!wasTrusted) look();
  }

  return {
    async forbidden() {
      await turns.take();
      leftOut = [];
      const flags = taken.size >= most ? [outside] : [...thoseThatWait()].map(flagOf);
      return nowLasting < mostLasting ? flags : [...flags, lasting];
    },
    none() {
      turns.giveBack();
      if (leftOut.length === 0) return false;
      aloneUntilMs = performance.now() + aloneMs;
      for (const receiver of leftOut) hadTurn.delete(receiver);
      return true;
    },
    async during(payload, run) {
      const { receiver, lasting: isLasting } = (payload ?? {}) as Manner;
      const place = receiver === undefined ? undefined : { receiver, sinceMs: performance.now() };
      if (place) taken.add(place);
      if (isLasting) nowLasting += 1;
      turns.giveBack();
      try {
        await run();
      } finally {
        if (isLasting) nowLasting -= 1;
        if (place) {
          taken.delete(place);
          judge(place);
        }
      }
    },
  };
}
