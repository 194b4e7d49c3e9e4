import { flagOf, outside } from './flags-of.ts';
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

/**
 * All places but one are for jobs that speak to others. A receiver has one of them; or several, as long as it answers,
 * and nobody else waits: of those that answer each has a turn before one has its next, or a slow one with many jobs, the
 * oldest of all, would always be next. The last one is never for those that kept the site waiting: what waits for them, try after
 * try, is older than all else and would always be next. `look` has the workers look that found no job before.
 */
export function createLanes(places: number, look: () => void): Lanes {
  const most = Math.max(places - 1, 1);
  const turns = createTurns(patienceMs);
  const taken = new Set<Place>();
  const answeredAtMs = new Map<string, number>();
  const silent = new Set<string>();
  /** Those that answered since everybody who waits had a turn. */
  const hadTurn = new Set<string>();
  let aloneUntilMs = 0;
  /** Whether the pick that is under way leaves out one that answers. */
  let leavesOut = false;

  const isTrusted = (receiver: string) =>
    performance.now() - (answeredAtMs.get(receiver) ?? -trustMs) < trustMs;
  const keepsWaiting = ({ receiver, sinceMs }: Place) =>
    silent.has(receiver) || performance.now() - sinceMs > patienceMs;

  function thoseThatWait(): Set<string> {
    const waiting = new Set([
      ...[...taken].map(({ receiver }) => receiver),
      ...[...hadTurn].filter(isTrusted),
    ]);
    const trusted = [...waiting].filter(isTrusted);
    leavesOut = trusted.length > 0 && performance.now() >= aloneUntilMs;
    if (!leavesOut) for (const receiver of trusted) waiting.delete(receiver);
    const isLast = [...taken].filter(keepsWaiting).length >= Math.max(most - 1, 1);
    return isLast ? new Set([...waiting, ...silent]) : waiting;
  }

  function judge({ receiver, sinceMs }: Place): void {
    const nowMs = performance.now();
    const wasTrusted = isTrusted(receiver);
    for (const [each, atMs] of answeredAtMs) if (nowMs - atMs >= trustMs) answeredAtMs.delete(each);
    if (nowMs - sinceMs > patienceMs) {
      answeredAtMs.delete(receiver);
      silent.add(receiver);
      return;
    }
    answeredAtMs.set(receiver, nowMs);
    hadTurn.add(receiver);
    silent.delete(receiver);
    if (!wasTrusted) look();
  }

  return {
    async forbidden() {
      await turns.take();
      leavesOut = false;
      return taken.size >= most ? [outside] : [...thoseThatWait()].map(flagOf);
    },
    none() {
      turns.giveBack();
      if (leavesOut) {
        aloneUntilMs = performance.now() + aloneMs;
        hadTurn.clear();
      }
      return leavesOut;
    },
    async during(payload, run) {
      const { receiver } = (payload ?? {}) as { receiver?: string };
      if (receiver === undefined) {
        turns.giveBack();
        return run();
      }
      const place = { receiver, sinceMs: performance.now() };
      taken.add(place);
      turns.giveBack();
      try {
        await run();
      } finally {
        taken.delete(place);
        judge(place);
      }
    },
  };
}
