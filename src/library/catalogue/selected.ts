import type { Window } from './window-of.ts';

/** The services that a search found, some that are gone among them, and how well each fits. */
export type Found = { ordinals: readonly number[]; rankAt(index: number): number };

/** What fits: how many items there are, and any window on them in their order; `items` in none. */
export type Selected = {
  total: number;
  items(): readonly number[];
  window(window: Window): Promise<readonly number[]>;
};
