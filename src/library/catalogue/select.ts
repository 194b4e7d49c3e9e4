import type { Selection } from '../search/list-query.ts';
import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { whole } from './column.ts';
import { filterBits, knownFilterBits } from './filter-bits.ts';
import type { Test } from './fits.ts';
import type { Level } from './levels.ts';
import { selectBits } from './select-bits.ts';
import type { Broad, Found, Ranked, Selected } from './selected.ts';
import { chordOf, spotOf } from './spot.ts';
import { type Keyed, windowOf } from './window-of.ts';

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
  const ranks = Float64Array.from(ordinals, (ordinal) => (names[ordinal]!.startsWith(typed) ? 1 : 0));
  return { ordinals, ranks };
}

/** All that a search found. */
export function ordinalsOf(found: Found): ArrayLike<number> {
  return 'bits' in found ? found.bits.ordinals() : found.ordinals;
}

function selectFitting(
  catalogue: Catalogue,
  level: Level,
  selection: Selection,
  found: Ranked | undefined,
): Selected {
  const candidates = found ? found.ordinals : candidatesFor(catalogue, selection);
  const test = testFor(catalogue, level, selection, candidates.length);
  const [fitting, indexes] = [whole(), whole()];
  let index = 0;
  const add = (item: number) => {
    if (!test(item)) return;
    fitting.push(item);
    indexes.push(index);
  };
  for (; index < candidates.length; index += 1) level.each(candidates[index]!, add);
  const items = fitting.of.subarray(0, fitting.length);
  return {
    total: items.length,
    items: () => [...items],
    async window(window) {
      const keys = keysOf(catalogue, level, selection, items, found && { ...found, indexes: indexes.all() });
      if (!keys) return [...items.subarray(window.offset, window.offset + window.limit)];
      return windowOf({ items, ...keys }, level.compare, window);
    },
  };
}

/** Of so large a part of the library, all that filters let pass are found out at once, and kept for who filters so next. */
const largePart = 1 / 8;

function testFor(catalogue: Catalogue, level: Level, selection: Selection, candidates: number): Test {
  const find = candidates > catalogue.size * largePart ? filterBits : knownFilterBits;
  const bits = level.of === 'services' ? find(catalogue, selection) : undefined;
  return bits ? (item) => bits.has(item) : level.test(selection);
}

/** What counts more than names do; none for what is in the order of the names already. */
function keysOf(
  { medianDays }: Catalogue,
  level: Level,
  { sort, place, filters }: Selection,
  items: Uint32Array,
  found: Fitting | undefined,
): Omit<Keyed, 'items'> | undefined {
  const spot = place && spotOf(place);
  if (sort === 'relevance' && found) return byRank(found, spot && level.chordsTo(items, spot));
  if (sort === 'responsiveness')
    return { keys: Float64Array.from(items, (item) => medianDays.of[level.ownerOf(item)]!) };
  if (sort === 'distance' && spot) return { keys: level.chordsTo(items, spot) };
  const isByName = !found && !(place && filters.proximity !== undefined);
  return isByName ? undefined : { keys: new Float64Array(items.length) };
}

/** What a search found, and where in it each item stands that passed the filters. */
type Fitting = Ranked & { indexes: Uint32Array };

function byRank({ ranks, rankAt, indexes }: Fitting, chords: Float64Array | undefined): Omit<Keyed, 'items'> {
  const keys = new Float64Array(indexes.length);
  for (let at = 0; at < keys.length; at += 1) {
    keys[at] = -ranks[indexes[at]!]! * (chords ? worthAt(chords[at]!) : 1);
  }
  if (!rankAt) return { keys };
  return { keys, keyAt: (at) => -rankAt(indexes[at]!) * (chords ? worthAt(chords[at]!) : 1) };
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
