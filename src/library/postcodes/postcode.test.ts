import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/app/runs.ts';
import { readPostcode } from './postcode.ts';

describe('readPostcode', () => {
  it.each([
    ['ZT1 3GH', 'ZT1 3GH', 'ZT1 3', 'ZT1'],
    ['zt13gh', 'ZT1 3GH', 'ZT1 3', 'ZT1'],
    ['ZT1  3GH', 'ZT1 3GH', 'ZT1 3', 'ZT1'],
    [' zt1\u00a03gh\n', 'ZT1 3GH', 'ZT1 3', 'ZT1'],
    ['m11ae', 'M1 1AE', 'M1 1', 'M1'],
    ['w1a1hq', 'W1A 1HQ', 'W1A 1', 'W1A'],
    ['EC1A1BB', 'EC1A 1BB', 'EC1A 1', 'EC1A'],
    ['cr26xh', 'CR2 6XH', 'CR2 6', 'CR2'],
    ['dn551pt', 'DN55 1PT', 'DN55 1', 'DN55'],
    ['gir0aa', 'GIR 0AA', 'GIR 0', 'GIR'],
  ])('reads %j as %s', (typed, text, sector, district) => {
    expect(readPostcode(typed)).toEqual({ text, sector, district });
  });

  it.each([
    ['nothing', ''],
    ['a district', 'ZT1'],
    ['a sector', 'ZT1 3'],
    ['a word', 'nonsense'],
    ['something after it', 'ZT1 3GH, Sarrowby'],
    ['three letters', 'ZTX1 3GH'],
    ['spaces inside its halves', 'Z T1 3 G H'],
    ['the character NUL', 'ZT1\u00003GH'],
    ['the Kelvin sign, which is no K', '\u212aT1 3GH'],
    ['a ligature of two letters', 'ß1 3GH'],
    ['digits of another script', 'ZT١ 3GH'],
    ['a great many spaces', `ZT1${' '.repeat(5000)}3GH`],
    ['5,000 letters', 'A'.repeat(5000)],
  ])('does not read %s', (_what, typed) => {
    expect(readPostcode(typed)).toBeUndefined();
  });

  const letters = (length: number) =>
    fc.string({
      unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
      minLength: length,
      maxLength: length,
    });
  const digit = fc.integer({ min: 0, max: 9 }).map(String);
  const districts = fc
    .tuple(fc.oneof(letters(1), letters(2)), digit, fc.oneof(fc.constant(''), digit, letters(1)))
    .map((parts) => parts.join(''));
  const spaces = fc.constantFrom('', ' ', '  ', '\t', '\u00a0');

  it('reads every way of typing a postcode as the same one', () => {
    fc.assert(
      fc.property(
        districts,
        digit,
        letters(2),
        spaces,
        fc.boolean(),
        (district, sector, unit, space, small) => {
          const text = `${district} ${sector}${unit}`;
          const typed = `${space}${district}${space}${sector}${unit}${space}`;
          const read = readPostcode(small ? typed.toLowerCase() : typed);
          expect(read).toEqual({ text, sector: `${district} ${sector}`, district });
          expect(readPostcode(text)).toEqual(read);
        },
      ),
    );
  });

  it('never throws, and returns only the standard form', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(...'ZT13gh \0\u00a0ß\u212a'),
            fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
          ),
          maxLength: 9,
        }),
        (typed) => {
          const read = readPostcode(typed);
          if (read) expect(read.text).toMatch(/^[A-Z]{1,3}[0-9]?[A-Z0-9]? [0-9][A-Z]{2}$/);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
