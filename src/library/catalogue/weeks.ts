import type { Range } from '../hours/week.ts';
import { Column } from './column.ts';

/**
 * The different weeks in which services are open, each kept once: a country's pharmacies share a few thousand. A week is
 * its number, and a list of minutes at which it opens and closes in turn.
 */
export class Weeks {
  readonly #numbers = new Map<string, number>();
  readonly #begins = new Column((length) => new Uint32Array(length));
  readonly #minutes = new Column((length) => new Uint16Array(length));

  constructor() {
    this.#begins.push(0);
  }

  get count(): number {
    return this.#begins.length - 1;
  }

  /** @param text as PostgreSQL writes an `int4multirange` */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.count;
    for (const minute of rangesIn(text).flat()) this.#minutes.push(minute);
    this.#begins.push(this.#minutes.length);
    this.#numbers.set(text, number);
    return number;
  }

  overlaps(week: number, wanted: readonly Range[]): boolean {
    const minutes = this.#minutes.of;
    const end = this.#begins.of[week + 1]!;
    for (let at = this.#begins.of[week]!; at < end; at += 2) {
      for (const [from, to] of wanted) {
        if (minutes[at]! < to && from < minutes[at + 1]!) return true;
      }
    }
    return false;
  }
}

/** The ranges of a multirange as PostgreSQL writes it: `{[540,1020),[1980,2460)}`. */
export function rangesIn(text: string): Range[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)] as const);
}
