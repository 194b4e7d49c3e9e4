import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../platform/secrets/index.ts';
import { checkTokenForm, newToken, siteTag } from './token.ts';

const tag = siteTag(createSecrets(randomBytes(32)));

describe('a token', () => {
  it('has a prefix, the site’s tag, 43 characters and a checksum', () => {
    expect(tag).toMatch(/^[0-9A-Za-z]{6}$/);
    expect(newToken('access', tag)).toMatch(new RegExp(`^ona_${tag}_[0-9A-Za-z]{49}$`));
    expect(newToken('refresh', tag)).toMatch(new RegExp(`^onr_${tag}_[0-9A-Za-z]{49}$`));
  });

  it('is recognised by its kind and site', () => {
    const token = newToken('access', tag);
    expect(checkTokenForm(token, 'access', tag)).toBe('plausible');
    expect(checkTokenForm(token, 'refresh', tag)).toBe('other-kind');
    expect(checkTokenForm(token, 'access', 'AAAAAA')).toBe('other-site');
  });

  it('is malformed when a single character is changed', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 59 }), fc.constantFrom(...digits), (place, digit) => {
        const token = newToken('access', tag);
        fc.pre(token[place] !== digit && token[place] !== '_');
        const changed = token.slice(0, place) + digit + token.slice(place + 1);
        expect(checkTokenForm(changed, 'access', tag)).toBe('malformed');
      }),
    );
  });

  it('is never recognised in other text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9000 }), (text) => {
        expect(checkTokenForm(text, 'access', tag)).toBe('malformed');
      }),
    );
  });

  it('is never made twice in ten thousand', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newToken('access', tag))).size).toBe(10_000);
  });
});
