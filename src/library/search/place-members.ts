import type { Db } from '../../platform/database/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Level } from '../catalogue/levels.ts';
import { metresOf, spotOf } from '../catalogue/spot.ts';
import { digitsOf } from './digits-of.ts';
import { findAreaMembers } from './documents-store.ts';
import type { Place } from './filters.ts';

/**
 * What the answer of each item says of the place that was asked for, as JSON text that begins with a comma: how far it is,
 * and whether it is in an area that the service serves.
 */
export async function placeMembers(
  db: Db,
  catalogue: Catalogue,
  level: Level,
  place: Place | undefined,
  items: readonly number[],
): Promise<string[]> {
  if (!place) return items.map(() => '');
  const spot = spotOf(place);
  const idOf = (item: number) => catalogue.ids.at(level.ownerOf(item));
  const outlined = items.filter((item) => catalogue.hasAreas.of[level.ownerOf(item)] === 1);
  const areas = outlined.length > 0 ? await findAreaMembers(db, outlined.map(idOf), place) : undefined;
  const chords = level.chordsTo(items, spot);
  return items.map((item, index) => {
    const chord = chords[index]!;
    const distance = chord === Infinity ? '' : `,"distance_metres":${digitsOf(Math.round(metresOf(chord)))}`;
    return distance + (areas?.get(idOf(item)) ?? '');
  });
}

/** A JSON text with more members. */
export function joined(document: string, members: string): string {
  return members === '' ? document : `${document.slice(0, -1)}${members}}`;
}
