import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecrets } from '../../platform/secrets/index.ts';
import { newToken, readToken, siteTag } from './token.ts';

const tag = siteTag(createSecrets(randomBytes(32)));

test('a token has its prefix, the site’s tag, 43 random characters and a checksum', () => {
  expect(tag).toMatch(/^[0-9A-Za-z]{6}$/);
  expect(newToken('access', tag)).toMatch(new RegExp(`^ona_${tag}_[0-9A-Za-z]{49}$`));
  expect(newToken('refresh', tag)).toMatch(new RegExp(`^onr_${tag}_[0-9A-Za-z]{49}$`));
});

test('a token reads as what it is', () => {
  const token = newToken('access', tag);
  expect(readToken(token, 'access', tag)).toBe('plausible');
  expect(readToken(token, 'refresh', tag)).toBe('other-kind');
  expect(readToken(token, 'access', 'AAAAAA')).toBe('other-site');
});

test('a single changed character is noticed before anything is looked up', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 59 }), fc.constantFrom(...digits), (place, digit) => {
      const token = newToken('access', tag);
      fc.pre(token[place] !== digit && token[place] !== '_');
      const changed = token.slice(0, place) + digit + token.slice(place + 1);
      expect(readToken(changed, 'access', tag)).toBe('malformed');
    }),
  );
});

test('no text whatever is taken for a token', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 9000 }), (text) => {
      expect(readToken(text, 'access', tag)).toBe('malformed');
    }),
  );
});

test('ten thousand tokens are ten thousand different ones', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newToken('access', tag))).size).toBe(10_000);
});
