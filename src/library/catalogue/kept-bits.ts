import { LRUCache } from 'lru-cache';
import { oneForEach } from '../../platform/one-for-each.ts';
import { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';

/** Many look for what is open on Tuesdays, for what is listed at all, or for pharmacies. */
const mostKept = 100;
const memoryOf = oneForEach(
  (_: Catalogue) => new LRUCache<string, { changes: number; bits: Bits }>({ max: mostKept }),
);

/** The services of a kind, found out once until a service changes. @param key is the same for the same kind alone */
export function keptBits(catalogue: Catalogue, key: string, fill: (bits: Bits) => void): Bits {
  const known = knownBits(catalogue, key);
  if (known) return known;
  const bits = new Bits(catalogue.size);
  fill(bits);
  memoryOf(catalogue).set(key, { changes: catalogue.changes, bits });
  return bits;
}

/** The same, where they were found out before. */
export function knownBits(catalogue: Catalogue, key: string): Bits | undefined {
  const known = memoryOf(catalogue).get(key);
  return known?.changes === catalogue.changes ? known.bits : undefined;
}
