import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../platform/problem/index.ts';
import { readLenientQuery } from './lenient-input.ts';

const schema = Type.Object({ search: Type.String(), page: Type.Integer() });
const tidy = (raw: Record<string, unknown>, url?: string) => readLenientQuery(schema, raw, url);

describe('a query parameter', () => {
  it.each([
    '/x?search=caf%e9',
    '/x?page=2&search=%ff%fe',
    '/x?search=a%C3',
    '/x?search=%ED%A0%80',
  ])('is refused by name if not UTF-8: %s', (url) => {
    const raw = { search: 'what the parser made of it', page: '1' };
    expect(() => tidy(raw, url)).toThrow(
      expect.objectContaining({
        errors: [{ pointer: '/query/search', message: 'must be UTF-8, percent-encoded' }],
      }),
    );
    expect(() => tidy(raw, url)).toThrow(Problem);
  });

  it.each([
    '/x?search=caf%C3%A9',
    '/x?search=50%+off+%e2%82%ac',
    '/x?other=%ff&search=x',
    '/x?search=100%',
  ])('is accepted: %s', (url) => {
    expect(tidy({ search: 'x' }, url)).toEqual({ search: 'x' });
  });

  it('is unknown if named like a method of objects', () => {
    expect(tidy({ constructor: 'x', toString: 'y', __proto__: 'z' })).toEqual({});
  });
});
