import { createCallWindows } from '../platform/concurrency/call-windows.ts';
import { minuteMs } from '../platform/durations.ts';

/** More refusals of one action in a minute, by whomever, would fill the database and say nothing new. */
const maxPerMinute = 60;

/** How many things of one kind get an entry for each account in a minute; other refusals are only counted. */
const maxEntries = 10;

const windowMs = minuteMs;

/** The ids that got an entry in this minute, and how many refusals got none. */
type Window = { endsAtMs: number; recordedIds: Set<string>; unrecorded: number };

/** Counts what this process refused in the last minute, so that nobody can fill the audit with refusals. */
export class RefusalCounts {
  readonly #calls = createCallWindows();
  readonly #windows = new Map<string, Window>();

  /** Counts a refusal. @returns whether it needs an entry: the first of this action and `who` in a minute, and one of its first sixty. */
  countRefusal(action: string, who: string, nowMs: number): boolean {
    if (this.#calls.count(JSON.stringify([action, who]), nowMs).calls > 1) return false;
    return this.#calls.count(action, nowMs).calls <= maxPerMinute;
  }

  /**
   * Counts a refusal of a thing that belongs to others.
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
    const window = isOver ? this.#startWindow(key, nowMs) : last;
    if (window.recordedIds.size >= maxEntries || window.recordedIds.has(subject.id)) {
      window.unrecorded += 1;
      return { needsEntry: false, unrecorded: 0 };
    }
    window.recordedIds.add(subject.id);
    return { needsEntry: true, unrecorded: isOver ? (last?.unrecorded ?? 0) : 0 };
  }

  /** Starts a window, and forgets those that have ended, so that the map does not grow without limit. */
  #startWindow(key: string, nowMs: number): Window {
    this.#windows.delete(key);
    for (const [oldKey, old] of this.#windows) {
      if (nowMs < old.endsAtMs) break;
      this.#windows.delete(oldKey);
    }
    const window = { endsAtMs: nowMs + windowMs, recordedIds: new Set<string>(), unrecorded: 0 };
    this.#windows.set(key, window);
    return window;
  }
}
