import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newReference } from './reference.ts';

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Luhn's check over the whole reference, as a client system would do it: every second value doubled, from the right. */
function isRight(reference: string): boolean {
  const values = [...reference.replace('-', '')].reverse().map((letter) => letters.indexOf(letter));
  const digits = values.map((value, place) => (place % 2 === 0 ? value : value * 2));
  const sum = digits.reduce((total, digit) => total + Math.floor(digit / 32) + (digit % 32), 0);
  return !values.includes(-1) && sum % 32 === 0;
}

describe('a reference', () => {
  it('is ten characters in two groups, the last a check', () => {
    for (let round = 0; round < 200; round += 1) {
      const reference = newReference();
      expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
      expect(isRight(reference)).toBe(true);
    }
  });

  it('shows every single wrong character', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.constantFrom(...letters), (place, letter) => {
        const reference = newReference().replace('-', '');
        fc.pre(reference[place] !== letter);
        expect(isRight(reference.slice(0, place) + letter + reference.slice(place + 1))).toBe(false);
      }),
    );
  });
});
