import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalRecoveryCode, newRecoveryCode } from './recovery-codes.ts';

describe('a recovery code', () => {
  it('is made in the form in which codes are compared', () => {
    for (let made = 0; made < 50; made += 1) {
      const code = newRecoveryCode();
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
      expect(canonicalRecoveryCode(code)).toBe(code);
    }
  });

  it.each([12, 16])('has one form of %i letters, however somebody types it', (length) => {
    const letter = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz');
    const between = fc.constantFrom('', ' ', '-', ' - ', '\t');
    const written = fc.array(fc.tuple(letter, between, fc.boolean()), {
      minLength: length,
      maxLength: length,
    });
    fc.assert(
      fc.property(written, (parts) => {
        const text = parts.map(([each]) => each).join('');
        const typed = parts
          .map(([each, gap, capital]) => (capital ? each.toUpperCase() : each) + gap)
          .join('');
        expect(canonicalRecoveryCode(typed)).toBe(text.match(/.{4}/g)!.join('-'));
      }),
    );
  });

  it('is never recognised in other text', () => {
    for (const text of [
      '',
      '-',
      '123456',
      'abcd-efgh-jkm',
      'abcd-efgh-jkmn-p',
      'abcd-efgh-jkmn-pqrs-t',
      'abcd-efgh-jkmu',
      'ａbcd-efgh-jkmn',
    ])
      expect(canonicalRecoveryCode(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const code = canonicalRecoveryCode(text);
        if (code !== undefined) expect(canonicalRecoveryCode(code)).toBe(code);
      }),
    );
  });
});
