import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalRecoveryCode, newRecoveryCode } from './recovery-code.ts';

test('a new code is in the one form that codes are compared in', () => {
  for (let made = 0; made < 50; made += 1) {
    const code = newRecoveryCode();
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
    expect(canonicalRecoveryCode(code)).toBe(code);
  }
});

test('however somebody writes it, it is the same code', () => {
  const letter = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz');
  const between = fc.constantFrom('', ' ', '-', ' - ', '\t');
  const written = fc.array(fc.tuple(letter, between, fc.boolean()), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(written, (parts) => {
      const text = parts.map(([each]) => each).join('');
      const typed = parts.map(([each, gap, capital]) => (capital ? each.toUpperCase() : each) + gap).join('');
      expect(canonicalRecoveryCode(typed)).toBe(`${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`);
    }),
  );
});

test('what is none stays none, whatever it is', () => {
  for (const text of [
    '',
    '-',
    '123456',
    'abcd-efgh-jkm',
    'abcd-efgh-jkmn-p',
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
