/** A full UK postcode in its one written form, and the larger areas that it lies in. */
export type Postcode = {
  /** Capital letters and one space: `ZT1 3GH`. */
  readonly text: string;
  /** Some thousands of homes: `ZT1 3`. */
  readonly sector: string;
  /** A town or a part of it: `ZT1`. */
  readonly district: string;
};

/** Long enough for every postcode with spaces around it, so that nothing longer is looked at. */
const maxLength = 30;
/**
 * Two districts are older than the pattern of the others. The flag `u` is left out with care: with it, `i` would take
 * the Kelvin sign for a K.
 */
const shape = /^\s*([A-Z]{1,2}[0-9][A-Z0-9]?|GIR|NPT)\s*([0-9])([A-Z]{2})\s*$/i;
const districtShape = /^\s*([A-Z]{1,2}[0-9][A-Z0-9]?)\s*$/i;

/** The postcode that was typed, in small letters or capital ones, with or without its space; none where it is no postcode. */
export function readPostcode(text: string): Postcode | undefined {
  if (text.length > maxLength) return undefined;
  const [, outward, digit, letters] = shape.exec(text) ?? [];
  if (outward === undefined) return undefined;
  const district = outward.toUpperCase();
  return { text: `${district} ${digit}${letters!.toUpperCase()}`, sector: `${district} ${digit}`, district };
}

/** The first half of a postcode, in capital letters; none where the text is something else, also a full postcode. */
export function readDistrict(text: string): string | undefined {
  return text.length > maxLength ? undefined : districtShape.exec(text)?.[1]?.toUpperCase();
}
