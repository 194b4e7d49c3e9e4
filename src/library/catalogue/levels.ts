import type { Which } from '../search/filters.ts';
import type { Catalogue } from './catalogue.ts';
import { chordBetween, nearestChords, passes, placeTest, serviceTests, type Test } from './fits.ts';
import type { Spot } from './spot.ts';

/** What a list is of: services, or their places one by one. An item is an ordinal, or the number of a place. */
export type Level = {
  of: 'services' | 'places';
  test(which: Which): Test;
  /** The items of a service, in their order. */
  each(ordinal: number, visit: (item: number) => void): void;
  ownerOf(item: number): number;
  /** How far each of these items is; infinitely where nobody knows. */
  chordsTo(items: ArrayLike<number>, spot: Spot): Float64Array;
  compare(one: number, other: number): number;
};

export function ofServices(catalogue: Catalogue): Level {
  const { byName } = catalogue;
  return {
    of: 'services',
    test: (which) => passes(serviceTests(catalogue, which)),
    each: (ordinal, visit) => visit(ordinal),
    ownerOf: (item) => item,
    chordsTo: (ordinals, spot) => nearestChords(catalogue, ordinals, spot),
    compare: (one, other) => byName.compare(one, other),
  };
}

export function ofPlaces(catalogue: Catalogue): Level {
  const { owner, firstPlace, byName } = catalogue;
  return {
    of: 'places',
    test: (which) => placeTest(catalogue, which),
    each(ordinal, visit) {
      for (let at = firstPlace.of[ordinal]!; at < firstPlace.of[ordinal + 1]!; at += 1) visit(at);
    },
    ownerOf: (item) => owner.of[item]!,
    chordsTo(places, spot) {
      const chords = new Float64Array(places.length);
      for (let at = 0; at < places.length; at += 1) {
        const chord = chordBetween(catalogue, places[at]!, spot);
        chords[at] = Number.isNaN(chord) ? Infinity : chord;
      }
      return chords;
    },
    compare: (one, other) => byName.compare(owner.of[one]!, owner.of[other]!) || one - other,
  };
}
