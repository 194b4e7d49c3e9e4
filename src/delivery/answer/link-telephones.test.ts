import { describe, expect, it } from 'vitest';
import { linkTelephones } from './link-telephones.ts';

const numbersIn = (text: string, referrers: string | null = null) =>
  linkTelephones(text, referrers).flatMap(({ href }) => href ?? []);

describe('the telephone numbers of a page', () => {
  it('are links where they stand alone', () => {
    expect(numbersIn('01632 960 123')).toEqual(['tel:01632960123']);
    expect(numbersIn('+44 (0)1632 960123')).toEqual(['tel:+441632960123']);
    expect(numbersIn('999 000 0018')).toEqual([]);
    expect(numbersIn('01632 960123 (do not use it)')).toEqual([]);
  });

  it('are links in a sentence only if they are the referrer’s', () => {
    const said = 'Do not tell: her son, 01632 960 555. Ring Asha Patel, 01632\u00A0960\u00A0111, first.';
    expect(numbersIn(said)).toEqual([]);
    expect(numbersIn(said, '01632 960111')).toEqual(['tel:01632960111']);
    expect(
      linkTelephones(said, '01632 960111')
        .map(({ text }) => text)
        .join(''),
    ).toBe(said);
  });
});
