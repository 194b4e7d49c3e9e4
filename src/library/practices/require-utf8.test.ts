import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireUtf8 } from './require-utf8.ts';

describe('requireUtf8', () => {
  it('accepts everything that is properly encoded', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), (given) => {
        requireUtf8(`/api/practices?${new URLSearchParams(given)}`);
      }),
    );
    for (const url of ['', '/x', '/x?', '/x?search=50%', '/x?search=50%+off&limit=5']) requireUtf8(url);
  });

  it.each([
    ['/x?a=1&search=%ff', '/query/search'],
    ['/x?search=%c3', '/query/search'],
    ['/x?search=%ed%a0%80', '/query/search'],
    ['/x?%ff=1', '/query'],
    ['/x?%ff', '/query'],
  ])('refuses %s and names %s', (url, pointer) => {
    const message = 'must be UTF-8, percent-encoded';
    expect(() => requireUtf8(url)).toThrow(
      expect.objectContaining({
        kind: expect.objectContaining({ status: 400 }),
        errors: [{ pointer, message }],
      }),
    );
  });
});
