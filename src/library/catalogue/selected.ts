import type { Bits } from './bits.ts';
import type { Window } from './window-of.ts';

/** The services that a search found, some that are gone among them. */
export type Found = Ranked | Broad;

/** How well each of them fits. */
export type Ranked = {
  ordinals: ArrayLike<number>;
  ranks: Float64Array;
  /** Where `ranks` are only the most that they may be: the rank of the service that stands there. */
  rankAt?(index: number): number;
};

/** So many that only how their names begin counts. */
export type Broad = { bits: Bits; typed: string };

/** What fits: how many items there are, and any window on them in their order; `items` in none. */
export type Selected = {
  total: number;
  items(): readonly number[];
  window(window: Window): Promise<readonly number[]>;
};
