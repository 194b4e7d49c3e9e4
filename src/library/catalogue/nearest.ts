import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { floats, whole } from './column.ts';
import { chordBetween, nearestChords } from './fits.ts';
import { scratchOf } from './scratch.ts';
import type { Spot } from './spot.ts';
import { type Keyed, type Window, windowOf } from './window-of.ts';

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
  if (near) return windowOf(near, compare, window);
  const items = services.ordinals();
  return windowOf({ items, keys: nearestChords(catalogue, items, spot) }, compare, window);
}

/**
 * How far so many of them are, of which none of the others is nearer than the nearest so many; undefined where that is too
 * far to look.
 */
function around(catalogue: Catalogue, wanted: Bits, spot: Spot, count: number): Keyed | undefined {
  const { grid, owner } = catalogue;
  const scratch = scratchOf(catalogue);
  const { member, stage } = scratch;
  const mark = scratch.marks();
  const [items, chords] = [whole(), floats()];
  const measure = (place: number) => {
    const service = owner.of[place]!;
    if (!wanted.has(service)) return;
    const chord = chordBetween(catalogue, place, spot);
    if (member[service] !== mark) {
      member[service] = mark;
      stage[service] = items.length;
      items.push(service);
      chords.push(chord);
    } else if (chord < chords.of[stage[service]!]!) {
      chords.of[stage[service]!] = chord;
    }
  };
  const isEnough = (metres: number) => {
    if (items.length < count) return false;
    let near = 0;
    for (let at = 0; at < chords.length; at += 1) if (chords.of[at]! <= metres) near += 1;
    return near >= count;
  };
  return grid.around(spot, measure, isEnough) ? { items: items.all(), keys: chords.all() } : undefined;
}
