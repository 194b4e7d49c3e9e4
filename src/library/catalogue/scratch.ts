import type { Catalogue } from './catalogue.ts';

/** Ordinals, each of them once, in an array that is kept for the next search. */
export class OrdinalList {
  readonly of: Uint32Array;
  length = 0;

  constructor(most: number) {
    this.of = new Uint32Array(most);
  }

  push(ordinal: number): void {
    this.of[this.length] = ordinal;
    this.length += 1;
  }
}

/**
 * What a search writes down beside the services while it looks for them, kept for the next one: a mark that is not of
 * this search is as good as none. A search is done in one go, so that no two of them write at the same time.
 */
export class Scratch {
  readonly member: Uint32Array;
  readonly stage: Uint32Array;
  readonly sum: Float32Array;
  readonly best: Float32Array;
  readonly score: Float32Array;
  readonly mass: Float32Array;
  readonly staged: OrdinalList;
  /** The services that have enough of what is looked for so far, and those that have what is looked for now. */
  kept: OrdinalList;
  taken: OrdinalList;
  readonly #isTaken: Uint32Array;
  #taking = 0;
  #mark = 0;

  constructor(size: number) {
    this.member = new Uint32Array(size);
    this.stage = new Uint32Array(size);
    this.sum = new Float32Array(size);
    this.best = new Float32Array(size);
    this.score = new Float32Array(size);
    this.mass = new Float32Array(size);
    this.staged = new OrdinalList(size);
    this.kept = new OrdinalList(size);
    this.taken = new OrdinalList(size);
    this.#isTaken = new Uint32Array(size);
  }

  get size(): number {
    return this.member.length;
  }

  /** The first of so many marks that nobody has used. */
  marks(count = 1): number {
    const first = this.#mark + 1;
    this.#mark += count;
    return first;
  }

  get isUsedUp(): boolean {
    return this.#mark > 4_000_000_000;
  }

  takeNone(): void {
    this.#taking = this.marks();
    this.taken.length = 0;
  }

  /** Takes a service, with the best of what it is worth each time that it is taken. */
  take(ordinal: number, worth: number): void {
    if (this.#isTaken[ordinal] !== this.#taking) {
      this.#isTaken[ordinal] = this.#taking;
      this.best[ordinal] = worth;
      this.taken.push(ordinal);
    } else if (this.best[ordinal]! < worth) {
      this.best[ordinal] = worth;
    }
  }

  /** What was taken is what is kept from now on. */
  keepTaken(): void {
    [this.kept, this.taken] = [this.taken, this.kept];
  }
}

const scratches = new WeakMap<Catalogue, Scratch>();

export function scratchOf(catalogue: Catalogue): Scratch {
  const known = scratches.get(catalogue);
  if (known && known.size >= catalogue.size && !known.isUsedUp) return known;
  const scratch = new Scratch(Math.ceil(catalogue.size * 1.1));
  scratches.set(catalogue, scratch);
  return scratch;
}
