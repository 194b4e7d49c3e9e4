import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { chordBetween, nearestChord } from './fits.ts';
import type { Spot } from './spot.ts';
import { type Window, windowOf } from './window-of.ts';

/** So few are measured one by one before anybody has looked around. */
const fewServices = 1000;

/** Of these services the nearest; those of which nobody knows where they are come last. @param total of them */
export async function nearestServices(
  catalogue: Catalogue,
  services: Bits,
  total: number,
  spot: Spot,
  window: Window,
): Promise<readonly number[]> {
  const compare = (one: number, other: number) => catalogue.byName.compare(one, other);
  const near =
    total > fewServices ? around(catalogue, services, spot, window.offset + window.limit) : undefined;
  if (near) {
    const [items, chords] = [[...near.keys()], [...near.values()]];
    return windowOf({ items, keyAt: (at) => chords[at]! }, compare, window);
  }
  const items = services.ordinals();
  return windowOf({ items, keyAt: (at) => nearestChord(catalogue, items[at]!, spot) }, compare, window);
}

/**
 * How far so many of them are, of which none of the others is nearer than the nearest so many; undefined where that is too
 * far to look.
 */
function around(
  catalogue: Catalogue,
  wanted: Bits,
  spot: Spot,
  count: number,
): Map<number, number> | undefined {
  const { grid, owner } = catalogue;
  const chords = new Map<number, number>();
  const measure = (place: number) => {
    const service = owner.of[place]!;
    if (!wanted.has(service)) return;
    const chord = chordBetween(catalogue, place, spot);
    const known = chords.get(service);
    if (known === undefined || chord < known) chords.set(service, chord);
  };
  const isEnough = (metres: number) => {
    if (chords.size < count) return false;
    let near = 0;
    for (const chord of chords.values()) if (chord <= metres) near += 1;
    return near >= count;
  };
  return grid.around(spot, measure, isEnough) ? chords : undefined;
}
