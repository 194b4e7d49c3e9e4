import type { Catalogue } from './catalogue.ts';

/**
 * What a search writes down beside the services while it looks for them, kept for the next one: a mark that is not of
 * this search is as good as none. A search is done in one go, so that no two of them write at the same time.
 */
export class Scratch {
  readonly member: Uint32Array;
  readonly stage: Uint32Array;
  readonly sum: Float32Array;
  readonly taken: Uint32Array;
  readonly best: Float32Array;
  readonly score: Float32Array;
  readonly mass: Float32Array;
  #mark = 0;

  constructor(size: number) {
    this.member = new Uint32Array(size);
    this.stage = new Uint32Array(size);
    this.taken = new Uint32Array(size);
    this.sum = new Float32Array(size);
    this.best = new Float32Array(size);
    this.score = new Float32Array(size);
    this.mass = new Float32Array(size);
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
}

const scratches = new WeakMap<Catalogue, Scratch>();

export function scratchOf(catalogue: Catalogue): Scratch {
  const known = scratches.get(catalogue);
  if (known && known.member.length >= catalogue.size && !known.isUsedUp) return known;
  const scratch = new Scratch(Math.ceil(catalogue.size * 1.1));
  scratches.set(catalogue, scratch);
  return scratch;
}
