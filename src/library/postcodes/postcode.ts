/** A full UK postcode in its standard form, with its sector and district. */
export type Postcode = {
  /** The postcode in capital letters with one space: `ZT1 3GH`. */
  readonly text: string;
  /** The sector, such as `ZT1 3`: some thousands of homes. */
  readonly sector: string;
  /** The district, such as `ZT1`: a town or a part of one. */
  readonly district: string;
};

/** Characters of a typed postcode: enough for every postcode with spaces around it. */
const maxLength = 30;
/**
 * GIR and NPT are older than the pattern of the other districts. There is no flag `u`, because with it `i` would accept the
 * Kelvin sign as a K.
 */
const shape = /^\s*([A-Z]{1,2}[0-9][A-Z0-9]?|GIR|NPT)\s*([0-9])([A-Z]{2})\s*$/i;
const districtShape = /^\s*([A-Z]{1,2}[0-9][A-Z0-9]?)\s*$/i;

/** Reads a typed postcode in any case, with or without its space; undefined if it is not a postcode. */
export function readPostcode(text: string): Postcode | undefined {
  if (text.length > maxLength) return undefined;
  const [, outward, digit, letters] = shape.exec(text) ?? [];
  if (outward === undefined) return undefined;
  const district = outward.toUpperCase();
  return { text: `${district} ${digit}${letters!.toUpperCase()}`, sector: `${district} ${digit}`, district };
}

/** A postcode, or what somebody typed as one, for comparing: in capital letters and without spaces. */
export function compactPostcode(typed: string): string {
  return typed.replaceAll(/\s/g, '').toUpperCase();
}

/** Reads a postcode or its first half, wherever it is; undefined for anything else. */
export function readPostcodeText(text: string): Pick<Postcode, 'text' | 'district'> | undefined {
  const district = readDistrict(text);
  return district === undefined ? readPostcode(text) : { text: district, district };
}

/** Reads the first half of a postcode, in capital letters; undefined for anything else, including a full postcode. */
export function readDistrict(text: string): string | undefined {
  return text.length > maxLength ? undefined : districtShape.exec(text)?.[1]?.toUpperCase();
}
