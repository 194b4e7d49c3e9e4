import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeErrors } from '../../src/platform/http/errors/describe-errors.ts';
import { documentOf } from '../../src/reference/index.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { mustEnd } from '../process/must-end.ts';

// A pattern that backtracks at each character takes minutes on a megabyte of text and holds up the whole site. A limit
// on the length does not help: a text that is too long is still matched, so that all its errors are named.

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

function patternsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'pattern' && typeof part === 'string' ? [part] : patternsIn(part),
  );
}

describe('every pattern of the API', () => {
  it('rejects long input quickly (no ReDoS)', () => {
    const patterns = new Set(patternsIn(documentOf(site.app)));
    expect(patterns.size).toBeGreaterThan(5);
    for (const pattern of patterns) {
      const fits = new RegExp(pattern, 'u');
      for (const character of ['a', '1', ' ', '-', '1 ', 'a,']) {
        const text = `${character.repeat(2_000_000)}\0`;
        expect(() => mustEnd(() => fits.test(text)), `${pattern} ${character}`).not.toThrow();
      }
    }
  });

  it('says what a text must be instead, with an example', () => {
    const unsaid = [...new Set(patternsIn(documentOf(site.app)))].filter((pattern) => {
      const error = {
        keyword: 'pattern',
        params: { pattern },
        instancePath: '/x',
        schemaPath: '#',
        message: '',
      };
      return describeErrors([error as never], '')[0]?.message === 'is not of the expected form';
    });
    expect(unsaid).toEqual([]);
  });
});
