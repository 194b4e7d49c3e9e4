import type { Catalogue } from './catalogue.ts';
import { chordBetween, nearestChord } from './fits.ts';
import type { Spot } from './spot.ts';
import { type Window, windowOf } from './window-of.ts';

/** The services that are nearest, whatever they are; those of which nobody knows where they are come last. */
export async function nearestServices(
  catalogue: Catalogue,
  spot: Spot,
  window: Window,
): Promise<readonly number[]> {
  const items = around(catalogue, spot, window.offset + window.limit) ?? every(catalogue);
  const keys = items.map((ordinal) => nearestChord(catalogue, ordinal, spot));
  return windowOf({ items, keys }, (one, other) => catalogue.byName.compare(one, other), window);
}

/** So many services that none of the others is nearer than all of them; undefined where that is too far to look. */
function around(catalogue: Catalogue, spot: Spot, count: number): number[] | undefined {
  const { grid, owner, isLive } = catalogue;
  const services = (places: readonly number[], reach: number) => {
    const near = places.filter(
      (at) => isLive.of[owner.of[at]!] === 1 && chordBetween(catalogue, at, spot) <= reach,
    );
    return new Set(near.map((at) => owner.of[at]!));
  };
  const isEnough = (places: readonly number[], reach: number) =>
    places.length >= count && services(places, reach).size >= count;
  const places = grid.around(spot, isEnough);
  return places && [...services(places, Infinity)];
}

function every({ isLive, size }: Catalogue): number[] {
  const all: number[] = [];
  for (let ordinal = 0; ordinal < size; ordinal += 1) if (isLive.of[ordinal] === 1) all.push(ordinal);
  return all;
}
