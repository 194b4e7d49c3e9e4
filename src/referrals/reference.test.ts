import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newReference, readReference } from './reference.ts';

test('a reference is ten characters in two groups, and reads as itself', () => {
  for (let round = 0; round < 200; round += 1) {
    const reference = newReference();
    expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(readReference(reference)).toBe(reference);
    expect(readReference(` ${reference.toLowerCase().replace('-', ' ')} `)).toBe(reference);
  }
});

test('every single wrong character is noticed', () => {
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  fc.assert(
    fc.property(fc.nat(9), fc.constantFrom(...letters), (place, letter) => {
      const reference = newReference().replace('-', '');
      fc.pre(reference[place] !== letter);
      const misread = reference.slice(0, place) + letter + reference.slice(place + 1);
      expect(readReference(misread)).toBeUndefined();
    }),
  );
});

test('no text whatever makes reading throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void readReference(text)));
});
