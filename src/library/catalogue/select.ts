import type { Selection } from '../search/list-query.ts';
import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { filterBits } from './filter-bits.ts';
import type { Level } from './levels.ts';
import { selectBits } from './select-bits.ts';
import type { Broad, Found, Ranked, Selected } from './selected.ts';
import { chordOf, spotOf } from './spot.ts';
import { windowOf } from './window-of.ts';

/** The items of a list that are wanted. */
export function select(
  catalogue: Catalogue,
  level: Level,
  selection: Selection,
  found: Found | undefined,
): Selected {
  const ranked = found && 'ordinals' in found ? found : undefined;
  const broad = found && 'bits' in found ? found : undefined;
  const bits = ranked || level.of === 'places' ? undefined : fittingBits(catalogue, selection, broad);
  if (bits) return selectBits(catalogue, level, selection, { bits, broad });
  return selectFitting(catalogue, level, selection, broad ? rankedBroad(catalogue, broad) : ranked);
}

function fittingBits(catalogue: Catalogue, selection: Selection, broad: Broad | undefined): Bits | undefined {
  const passing = filterBits(catalogue, selection);
  return passing && broad ? broad.bits.and(passing) : passing;
}

function rankedBroad({ names }: Catalogue, { bits, typed }: Broad): Ranked {
  const ordinals = bits.ordinals();
  return { ordinals, rankAt: (index) => (names[ordinals[index]!]!.startsWith(typed) ? 1 : 0) };
}

/** All that a search found. */
export function ordinalsOf(found: Found): readonly number[] {
  return 'bits' in found ? found.bits.ordinals() : found.ordinals;
}

function selectFitting(
  catalogue: Catalogue,
  level: Level,
  selection: Selection,
  found: Ranked | undefined,
): Selected {
  const test = level.test(selection);
  const keyOf = keyFor(catalogue, level, selection, found);
  const candidates = found ? found.ordinals : candidatesFor(catalogue, selection);
  const items: number[] = [];
  const keys: number[] = [];
  for (const [index, ordinal] of candidates.entries()) {
    level.each(ordinal, (item) => {
      if (!test(item)) return;
      items.push(item);
      if (keyOf) keys.push(keyOf(item, index));
    });
  }
  return {
    total: items.length,
    items: () => items,
    async window(window) {
      if (keyOf) return windowOf({ items, keys }, level.compare, window);
      return items.slice(window.offset, window.offset + window.limit);
    },
  };
}

type KeyOf = (item: number, index: number) => number;

/** What counts more than names do; none for what is in the order of the names already. */
function keyFor(
  { medianDays }: Catalogue,
  level: Level,
  { sort, place, filters }: Selection,
  found: Ranked | undefined,
): KeyOf | undefined {
  if (sort === 'relevance' && found) return (_, index) => -found.rankAt(index);
  if (sort === 'responsiveness') return (item) => medianDays.of[level.ownerOf(item)]!;
  if (sort === 'distance' && place) {
    const spot = spotOf(place);
    return (item) => level.chordTo(item, spot);
  }
  return found || (place && filters.proximity !== undefined) ? () => 0 : undefined;
}

/** The services that may fit where nothing is searched for: by name, or those that are near. */
function candidatesFor(catalogue: Catalogue, { place, filters }: Selection): Uint32Array | readonly number[] {
  const { byName, grid, owner } = catalogue;
  const near =
    place && filters.proximity !== undefined && grid.within(spotOf(place), chordOf(filters.proximity));
  return near ? [...new Set(near.map((at) => owner.of[at]!))] : byName.ordinals.subarray(0, byName.length);
}
