import { LRUCache } from 'lru-cache';
import { oneForEach } from '../../platform/one-for-each.ts';
import type { Which } from '../search/filters.ts';
import { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { passes, serviceTests } from './fits.ts';

/** Filters that are kept: many look for what is open on Tuesdays, or for what is listed at all. */
const mostKept = 50;
const memoryOf = oneForEach(
  (_: Catalogue) => new LRUCache<string, { changes: number; bits: Bits }>({ max: mostKept }),
);

/** The services that filters let pass; undefined around a place, which is another one with each who asks. */
export function filterBits(catalogue: Catalogue, which: Which): Bits | undefined {
  if (which.filters.proximity !== undefined) return undefined;
  const memory = memoryOf(catalogue);
  const key = JSON.stringify([which.filters, which.today]);
  const known = memory.get(key);
  if (known?.changes === catalogue.changes) return known.bits;
  const bits = new Bits(catalogue.size);
  const test = passes(serviceTests(catalogue, which));
  for (let ordinal = 0; ordinal < catalogue.size; ordinal += 1) if (test(ordinal)) bits.set(ordinal);
  memory.set(key, { changes: catalogue.changes, bits });
  return bits;
}
