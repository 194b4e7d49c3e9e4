import type { Postcode } from './postcode.ts';

/** Ten digits, and two letters after each. */
const unitsOfDistrict = 10 * 26 * 26;
const firstLetter = 'A'.charCodeAt(0);

/**
 * Which postcodes a file had already. A whole country's 2.7 million take 3 megabytes: a bit for each that a district
 * can have.
 */
export class SeenPostcodes {
  readonly #districts = new Map<string, Uint8Array>();

  /** @returns false where the postcode was added before. */
  add({ text, district }: Postcode): boolean {
    const [digit, first, second] = [...text.slice(-3)] as [string, string, string];
    const unit = (Number(digit) * 26 + letter(first)) * 26 + letter(second);
    const bits = this.#districts.get(district) ?? new Uint8Array(unitsOfDistrict / 8);
    this.#districts.set(district, bits);
    const bit = 1 << (unit % 8);
    const seen = (bits[unit >> 3]! & bit) !== 0;
    bits[unit >> 3]! |= bit;
    return !seen;
  }
}

function letter(text: string): number {
  return text.charCodeAt(0) - firstLetter;
}
