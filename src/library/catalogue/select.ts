import type { Selection } from '../search/list-query.ts';
import type { Catalogue } from './catalogue.ts';
import type { Level } from './levels.ts';
import type { Found, Selected } from './selected.ts';
import { chordOf, spotOf } from './spot.ts';
import { windowOf } from './window-of.ts';

/** The items of a list that are wanted. */
export function select(
  catalogue: Catalogue,
  level: Level,
  selection: Selection,
  found: Found | undefined,
): Selected {
  const isFiltered = Object.values(selection.filters).some((each) => each !== undefined);
  const every = found || isFiltered ? undefined : level.every?.(selection);
  return every ?? selectFitting(catalogue, level, selection, found);
}

function selectFitting(
  catalogue: Catalogue,
  level: Level,
  selection: Selection,
  found: Found | undefined,
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
  found: Found | undefined,
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
