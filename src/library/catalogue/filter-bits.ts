import { LRUCache } from 'lru-cache';
import type { Which } from '../search/filters.ts';
import { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { passes, serviceTests } from './fits.ts';

/** Filters that are kept: many look for what is open on Tuesdays, or for what is listed at all. */
const mostKept = 50;
const memories = new WeakMap<Catalogue, LRUCache<string, { changes: number; bits: Bits }>>();

/** The services that filters let pass; undefined around a place, which is another one with each who asks. */
export function filterBits(catalogue: Catalogue, which: Which): Bits | undefined {
  if (which.filters.proximity !== undefined) return undefined;
  const memory = memories.get(catalogue) ?? new LRUCache({ max: mostKept });
  memories.set(catalogue, memory);
  const key = JSON.stringify([which.filters, which.today]);
  const known = memory.get(key);
  if (known?.changes === catalogue.changes) return known.bits;
  const bits = new Bits(catalogue.size);
  const test = passes(serviceTests(catalogue, which));
  for (let ordinal = 0; ordinal < catalogue.size; ordinal += 1) if (test(ordinal)) bits.set(ordinal);
  memory.set(key, { changes: catalogue.changes, bits });
  return bits;
}
