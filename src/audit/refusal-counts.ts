import { callWindows } from '../platform/http/index.ts';

/** More refusals of one action in a minute, from everywhere, would fill the database and tell nothing new. */
const maxPerMinute = 60;

/** How many refused things of one kind are named for each account in a minute; the rest are only counted. */
const maxNamed = 10;

const windowMs = 60_000;

type Window = { endsAtMs: number; named: Set<string>; others: number };

/** Counts what this process refused in the last minute, so that nobody can fill the audit with refusals. */
export class RefusalCounts {
  readonly #calls = callWindows();
  readonly #windows = new Map<string, Window>();

  /** Counts a refusal. @returns whether it is the first of this action and `who` in a minute, and one of the first sixty. */
  isWorthRecording(action: string, who: string, nowMs: number): boolean {
    if (this.#calls.count(JSON.stringify([action, who]), nowMs).calls > 1) return false;
    return this.#calls.count(action, nowMs).calls <= maxPerMinute;
  }

  /**
   * Counts a refused thing.
   * @returns how many tries in the minute before have no entry; undefined where this one needs no entry either.
   */
  countObject(accountId: string, subject: { type: string; id: string }, nowMs: number): number | undefined {
    const key = `${accountId} ${subject.type}`;
    const last = this.#windows.get(key);
    const isOver = last === undefined || nowMs >= last.endsAtMs;
    const window = isOver ? this.#begin(key, nowMs) : last;
    if (window.named.size >= maxNamed || window.named.has(subject.id)) {
      window.others += 1;
      return undefined;
    }
    window.named.add(subject.id);
    return isOver ? (last?.others ?? 0) : 0;
  }

  /** Forgets windows that have ended, with their counts, so that the map does not grow without limit. */
  #begin(key: string, nowMs: number): Window {
    this.#windows.delete(key);
    for (const [oldKey, old] of this.#windows) {
      if (nowMs < old.endsAtMs) break;
      this.#windows.delete(oldKey);
    }
    const window = { endsAtMs: nowMs + windowMs, named: new Set<string>(), others: 0 };
    this.#windows.set(key, window);
    return window;
  }
}
