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
  asked: Selection,
  found: Found | undefined,
): Selected {
  const ranked = found && 'ordinals' in found ? found : undefined;
  const broad = found && 'bits' in found ? found : undefined;
  // What so many have is best where it is nearest.
  const isNearestBest = broad && asked.place && asked.sort === 'relevance';
  const selection: Selection = isNearestBest ? { ...asked, sort: 'distance' } : asked;
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
  const spot = place && spotOf(place);
  if (sort === 'relevance' && found && spot)
    return (item, index) => -found.rankAt(index) * worthAt(level.chordTo(item, spot));
  if (sort === 'relevance' && found) return (_, index) => -found.rankAt(index);
  if (sort === 'responsiveness') return (item) => medianDays.of[level.ownerOf(item)]!;
  if (sort === 'distance' && spot) return (item) => level.chordTo(item, spot);
  return found || (place && filters.proximity !== undefined) ? () => 0 : undefined;
}

const halfAsGoodMetres = 8000;
/** What has no place, such as a telephone line, reaches everybody, and yet meets nobody. */
const nowhereMetres = 3000;

/** What a match is worth so far away: half of it after some five miles, a third after ten. */
function worthAt(chord: number): number {
  const metres = chord === Infinity ? nowhereMetres : chord;
  return 1 / (1 + metres / halfAsGoodMetres);
}

/** The services that may fit where nothing is searched for: by name, or those that are near. */
function candidatesFor(catalogue: Catalogue, { place, filters }: Selection): Uint32Array | readonly number[] {
  const { byName, grid, owner } = catalogue;
  const near =
    place && filters.proximity !== undefined && grid.within(spotOf(place), chordOf(filters.proximity));
  return near ? [...new Set(near.map((at) => owner.of[at]!))] : byName.ordinals.subarray(0, byName.length);
}
