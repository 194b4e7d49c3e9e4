import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digitsOf } from './digits-of.ts';

it('writes whole numbers as JavaScript does', () => {
  for (const number of [0, 7, 999, 1000, 1005, 20_037_508, Number.MAX_SAFE_INTEGER]) {
    expect(digitsOf(number)).toBe(String(number));
  }
  fc.assert(fc.property(fc.maxSafeNat(), (number) => digitsOf(number) === String(number)));
});
