import { createCallWindows } from '../platform/concurrency/call-windows.ts';
import { minuteMs } from '../platform/durations.ts';

/** More refusals of one action in a minute, from everywhere, would fill the database and tell nothing new. */
const maxPerMinute = 60;

/** How many refused things of one kind are named for each account in a minute; the rest are only counted. */
const maxNamed = 10;

const windowMs = minuteMs;

type Window = { endsAtMs: number; named: Set<string>; others: number };

/** Counts what this process refused in the last minute, so that nobody can fill the audit with refusals. */
export class RefusalCounts {
  readonly #calls = createCallWindows();
  readonly #windows = new Map<string, Window>();

  /** Counts a refusal. @returns whether it needs an entry: it is the first of this action and `who` in a minute, and one of the first sixty. */
  countRefusal(action: string, who: string, nowMs: number): boolean {
    if (this.#calls.count(JSON.stringify([action, who]), nowMs).calls > 1) return false;
    return this.#calls.count(action, nowMs).calls <= maxPerMinute;
  }

  /**
   * Counts a refused thing.
   * @returns whether this refusal needs an entry, and how many in the minute before it got none.
   */
  countObject(
    accountId: string,
    subject: { type: string; id: string },
    nowMs: number,
  ): { needsEntry: boolean; unrecorded: number } {
    const key = `${accountId} ${subject.type}`;
    const last = this.#windows.get(key);
    const isOver = last === undefined || nowMs >= last.endsAtMs;
    const window = isOver ? this.#begin(key, nowMs) : last;
    if (window.named.size >= maxNamed || window.named.has(subject.id)) {
      window.others += 1;
      return { needsEntry: false, unrecorded: 0 };
    }
    window.named.add(subject.id);
    return { needsEntry: true, unrecorded: isOver ? (last?.others ?? 0) : 0 };
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
