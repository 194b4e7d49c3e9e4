import type { Actor } from '../../audit/index.ts';
import {
  comparePostcodes,
  type Decile,
  type Postcode,
  type PostcodePlace,
  readPostcode,
  saveDeciles,
  savePostcodes,
} from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import type { ImportDeps, ImportRecordsOptions } from '../import/import-records.ts';
import type { Bytes } from '../import/read/bytes.ts';
import type { ImportResult } from '../import/report/import-report.ts';
import { type Column, importCsv } from './import-csv.ts';

/**
 * Imports the positions of postcodes. A second import of the same file changes nothing, and postcodes that a file lacks
 * stay. With `dryRun` nothing is written, and the numbers say what would change.
 * @throws Problem `unprocessable` if the first line does not name the columns.
 */
export function importPostcodes(
  deps: ImportDeps,
  actor: Actor,
  source: Bytes,
  options: ImportRecordsOptions = {},
): Promise<ImportResult> {
  const earlierPostcodes = new SeenPostcodes();
  const { db } = deps;
  const postcodes = {
    fileKind: 'postcodes' as const,
    columns: postcodeColumns,
    // A batch has some hundred kilobytes, and its statement takes some tens of milliseconds.
    batchSize: 5000,
    action: 'postcodes.imported' as const,
    read(values: Readonly<Record<string, string>>) {
      const place = withDeprivation(postcodeFromLine(values), values);
      if ('errors' in place) return { ...place, id: readPostcode(values.postcode ?? '')?.text };
      if (earlierPostcodes.add(readPostcode(place.postcode)!)) return place;
      const message = 'is on an earlier line too';
      return { id: place.postcode, errors: [{ pointer: '/postcode', message }] };
    },
    save: (batch: readonly ListedPostcode[]) => {
      if (options.dryRun) return comparePostcodes(db, batch);
      return inTransaction(db, async (trx) => {
        const counts = await savePostcodes(trx, batch);
        const deciles = batch.flatMap(({ deprivation }) => (deprivation ? [deprivation] : []));
        await saveDeciles(trx, deciles, deps.clock.now());
        return counts;
      });
    },
  };
  return importCsv(deps, actor, source, postcodes, options);
}

/** Our names, and those of the ONS postcode directory and other lists. */
const postcodeColumns: readonly Column[] = [
  { name: 'postcode', also: ['pcds', 'pcd8', 'pcd2', 'pcd7', 'pcd'], required: true },
  { name: 'latitude', also: ['lat'], required: true },
  { name: 'longitude', also: ['long', 'lon', 'lng'], required: true },
  { name: 'imd_decile' },
  { name: 'imd_year' },
];

type ListedPostcode = PostcodePlace & { deprivation?: Decile };
type LineErrors = { errors: readonly FieldError[] };

/** Adds the decile of deprivation of a line, which may have none. */
function withDeprivation(
  place: PostcodePlace | LineErrors,
  { imd_decile: decile = '', imd_year: year = '' }: Readonly<Record<string, string>>,
): ListedPostcode | LineErrors {
  if ('errors' in place || (decile === '' && year === '')) return place;
  if (!/^([1-9]|10)$/.test(decile))
    return {
      errors: [{ pointer: '/imd_decile', message: 'must be from 1 to 10, with 1 the most deprived' }],
    };
  if (!/^20\d\d$/.test(year))
    return { errors: [{ pointer: '/imd_year', message: 'must be the year of the index, such as 2025' }] };
  return { ...place, deprivation: { postcode: place.postcode, decile: Number(decile), year: Number(year) } };
}

const decimal = /^[+-]?\d{1,3}(\.\d{1,15})?$/;
/** The United Kingdom with its islands. A position elsewhere means that columns are swapped or wrong. */
const bounds = { latitude: [49, 61], longitude: [-9, 2] } as const;
/** The ONS postcode directory writes this latitude for a postcode without a position. */
const noPositionLatitude = 99.999999;

/** The postcode on a line, or what is wrong with the line. */
function postcodeFromLine(
  line: Readonly<Record<string, string>>,
): PostcodePlace | { errors: readonly FieldError[] } {
  const postcode = readPostcode(line.postcode ?? '')?.text;
  if (postcode !== undefined && Number(line.latitude) === noPositionLatitude)
    return { postcode, latitude: null, longitude: null };
  const latitude = readDegrees('latitude', line);
  const longitude = readDegrees('longitude', line);
  if (postcode !== undefined && typeof latitude === 'number' && typeof longitude === 'number')
    return { postcode, latitude, longitude };
  const postcodeError = { pointer: '/postcode', message: 'must be a full UK postcode such as ZT1 3GH' };
  const errors = [latitude, longitude].filter((each) => typeof each !== 'number');
  return { errors: postcode === undefined ? [postcodeError, ...errors] : errors };
}

function readDegrees(name: keyof typeof bounds, line: Readonly<Record<string, string>>): number | FieldError {
  const text = line[name] ?? '';
  if (!decimal.test(text))
    return { pointer: `/${name}`, message: 'must be a number of degrees such as 54.05' };
  const [min, max] = bounds[name];
  const number = Number(text);
  if (number >= min && number <= max) return number;
  return {
    pointer: `/${name}`,
    message: `must be from ${min} to ${max}: that is where the United Kingdom lies`,
  };
}

/** How many postcodes a district can have: a digit, then two letters. */
const unitsOfDistrict = 10 * 26 * 26;
const firstLetter = 'A'.charCodeAt(0);

/**
 * The postcodes that a file had so far, with a bit for each possible postcode of a district. The country's 2.7 million postcodes take
 * 3 megabytes.
 */
export class SeenPostcodes {
  readonly #districts = new Map<string, Uint8Array>();

  /** @returns false if the postcode was added before. */
  add({ text, district }: Postcode): boolean {
    const [digit, first, second] = [...text.slice(-3)] as [string, string, string];
    const unit = (Number(digit) * 26 + letter(first)) * 26 + letter(second);
    const bits = this.#districts.get(district) ?? new Uint8Array(unitsOfDistrict / 8);
    this.#districts.set(district, bits);
    const bit = 1 << (unit % 8);
    const isRepeat = (bits[unit >> 3]! & bit) !== 0;
    bits[unit >> 3]! |= bit;
    return !isRepeat;
  }
}

function letter(text: string): number {
  return text.charCodeAt(0) - firstLetter;
}
