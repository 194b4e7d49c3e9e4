import type { Selection } from '../search/list-query.ts';
import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import type { Level } from './levels.ts';
import { nearestServices } from './nearest.ts';
import type { Broad, Selected } from './selected.ts';
import { spotOf } from './spot.ts';
import { type Window, windowOf } from './window-of.ts';

/** Services that fit, with the search that found them where there was one. */
type Fitting = { bits: Bits; broad: Broad | undefined };

/** Services of which there may be very many: only as many are looked at as a page needs. */
export function selectBits(
  catalogue: Catalogue,
  level: Level,
  selection: Selection,
  { bits, broad }: Fitting,
): Selected {
  const { sort, place } = selection;
  const total = bits.count();
  return {
    total,
    items: () => bits.ordinals(),
    async window(window) {
      if (sort === 'distance' && place) return nearestServices(catalogue, bits, total, spotOf(place), window);
      if (sort === 'responsiveness') {
        const items = bits.ordinals();
        const keys = Float64Array.from(items, (ordinal) => catalogue.medianDays.of[ordinal]!);
        return windowOf({ items, keys }, level.compare, window);
      }
      return byName(catalogue, bits, sort === 'relevance' ? broad?.typed : undefined, window);
    },
  };
}

/** Those first whose names begin with what was typed, then the others. */
function byName(
  { byName: names }: Catalogue,
  bits: Bits,
  typed: string | undefined,
  { offset, limit }: Window,
): number[] {
  const page: number[] = [];
  let passed = 0;
  const walk = (begin: number, end: number) => {
    for (let at = begin; at < end && page.length < limit; at += 1) {
      const ordinal = names.ordinals[at]!;
      if (!bits.has(ordinal)) continue;
      if (passed >= offset) page.push(ordinal);
      passed += 1;
    }
  };
  const [from, to] = typed === undefined ? [0, 0] : names.startingWith(typed);
  walk(from, to);
  walk(0, from);
  walk(to, names.length);
  return page;
}
