import type { Which } from '../search/filters.ts';
import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { passes, serviceTests } from './fits.ts';
import { keptBits, knownBits } from './kept-bits.ts';

/** The services that filters let pass; undefined around a place, which is another one with each who asks. */
export function filterBits(catalogue: Catalogue, which: Which): Bits | undefined {
  if (which.filters.proximity !== undefined) return undefined;
  return keptBits(catalogue, keyOf(which), (bits) => {
    const test = passes(serviceTests(catalogue, which));
    for (let ordinal = 0; ordinal < catalogue.size; ordinal += 1) if (test(ordinal)) bits.set(ordinal);
  });
}

/** The same, where they were found out before. */
export function knownFilterBits(catalogue: Catalogue, which: Which): Bits | undefined {
  return which.filters.proximity === undefined ? knownBits(catalogue, keyOf(which)) : undefined;
}

const keyOf = ({ filters, today }: Which) => JSON.stringify([filters, today]);
