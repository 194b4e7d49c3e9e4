import type { FieldError } from '../../platform/problem/index.ts';
import type { Column } from '../import/read-csv.ts';
import { readPostcode } from './postcode.ts';

/** A postcode and its middle; null where the directory has the postcode and does not know where it is. */
export type PostcodePlace = { postcode: string; latitude: number | null; longitude: number | null };

/** By our names, and by those of the ONS postcode directory and of other lists. */
export const postcodeColumns: readonly Column[] = [
  { name: 'postcode', also: ['pcds', 'pcd8', 'pcd2', 'pcd7', 'pcd'], required: true },
  { name: 'latitude', also: ['lat'], required: true },
  { name: 'longitude', also: ['long', 'lon', 'lng'], required: true },
];

const decimal = /^[+-]?\d{1,3}(\.\d{1,15})?$/;
/** The United Kingdom with its islands. What lies elsewhere has its columns exchanged, or another thing in them. */
const bounds = { latitude: [49, 61], longitude: [-9, 2] } as const;
/** How the ONS postcode directory says that a postcode has no place on the map. */
const nowhere = 99.999999;

/** The postcode that a line tells of, or what is wrong with the line. */
export function postcodeFromLine(
  line: Readonly<Record<string, string>>,
): PostcodePlace | { errors: readonly FieldError[] } {
  const postcode = readPostcode(line.postcode ?? '')?.text;
  if (postcode !== undefined && Number(line.latitude) === nowhere)
    return { postcode, latitude: null, longitude: null };
  const latitude = degrees('latitude', line);
  const longitude = degrees('longitude', line);
  if (postcode !== undefined && typeof latitude === 'number' && typeof longitude === 'number')
    return { postcode, latitude, longitude };
  const wrong = { pointer: '/postcode', message: 'must be a full UK postcode such as ZT1 3GH' };
  const errors = [latitude, longitude].filter((each) => typeof each !== 'number');
  return { errors: postcode === undefined ? [wrong, ...errors] : errors };
}

function degrees(name: keyof typeof bounds, line: Readonly<Record<string, string>>): number | FieldError {
  const text = line[name] ?? '';
  if (!decimal.test(text))
    return { pointer: `/${name}`, message: 'must be a number of degrees such as 54.05' };
  const [least, most] = bounds[name];
  const number = Number(text);
  if (number >= least && number <= most) return number;
  return {
    pointer: `/${name}`,
    message: `must be from ${least} to ${most}: that is where the United Kingdom lies`,
  };
}
