import { createBatchLoader } from '../../platform/concurrency/batch-loader.ts';
import type { Db } from '../../platform/database/index.ts';
import { type Postcode, readDistrict, readPostcode } from './postcode.ts';
import { findCentre, findPostcodes, hasPostcode, type Point } from './postcodes-store.ts';

/** Where a postcode is, and how precisely: its own centre, or that of its sector or district. */
export type PostcodeLocation = Postcode & Point & { readonly precision: 'postcode' | 'sector' | 'district' };

// Calls in one turn of the event loop share a query; no answer is kept.
const loaders = new WeakMap<Db, (postcode: string) => Promise<Point | undefined>>();

function findPostcode(db: Db, postcode: string): Promise<Point | undefined> {
  const load = loaders.get(db) ?? createBatchLoader((postcodes) => findPostcodes(db, postcodes));
  loaders.set(db, load);
  return load(postcode);
}

/** Finds a typed postcode; undefined if it is not a postcode, or not even its district is known. */
export async function locate(db: Db, typed: string): Promise<PostcodeLocation | undefined> {
  const postcode = readPostcode(typed);
  if (!postcode) return undefined;
  const exact = await findPostcode(db, postcode.text);
  if (exact) return { ...postcode, ...exact, precision: 'postcode' };
  const sector = await findCentre(db, postcode.sector);
  if (sector) return { ...postcode, ...sector, precision: 'sector' };
  const district = await findDistrictCentre(db, postcode.district);
  return district && { ...postcode, ...district, precision: 'district' };
}

/** Whether a typed postcode is one that this site knows. A site without postcodes knows all. */
export async function isKnownPostcode(db: Db, typed: string): Promise<boolean> {
  const postcode = readPostcode(typed);
  return postcode !== undefined && (await hasPostcode(db, postcode.text));
}

/** A place to search near: a postcode, or its first half, which reveals less about a person. */
export type SearchedPlace = Omit<PostcodeLocation, 'sector'>;

export async function locatePlace(db: Db, typed: string): Promise<SearchedPlace | undefined> {
  const district = readDistrict(typed);
  if (district === undefined) return locate(db, typed);
  const centre = await findDistrictCentre(db, district);
  return centre && { text: district, district, ...centre, precision: 'district' };
}

/** The centre of a district such as ZT1. */
function findDistrictCentre(db: Db, district: string): Promise<Point | undefined> {
  return findCentre(db, `${district} `);
}
