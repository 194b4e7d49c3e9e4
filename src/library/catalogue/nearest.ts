import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { chordBetween, nearestChord } from './fits.ts';
import type { Spot } from './spot.ts';
import { type Window, windowOf } from './window-of.ts';

/** So few are measured one by one before anybody has looked around. */
const fewServices = 1000;

/** Of these services the nearest; those of which nobody knows where they are come last. */
export async function nearestServices(
  catalogue: Catalogue,
  services: Bits,
  spot: Spot,
  window: Window,
): Promise<readonly number[]> {
  const near =
    services.count() > fewServices
      ? around(catalogue, services, spot, window.offset + window.limit)
      : undefined;
  const items = near ?? services.ordinals();
  const keys = items.map((ordinal) => nearestChord(catalogue, ordinal, spot));
  return windowOf({ items, keys }, (one, other) => catalogue.byName.compare(one, other), window);
}

/** So many of them that none of the others is nearer than all these; undefined where that is too far to look. */
function around(catalogue: Catalogue, wanted: Bits, spot: Spot, count: number): number[] | undefined {
  const { grid, owner } = catalogue;
  const services = (places: readonly number[], reach: number) => {
    const near = places.filter(
      (at) => wanted.has(owner.of[at]!) && chordBetween(catalogue, at, spot) <= reach,
    );
    return new Set(near.map((at) => owner.of[at]!));
  };
  const isEnough = (places: readonly number[], reach: number) =>
    places.length >= count && services(places, reach).size >= count;
  const places = grid.around(spot, isEnough);
  return places && [...services(places, Infinity)];
}
