import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { mustEnd } from '../app/must-end.ts';

// A pattern that goes back over a text for each of its characters takes minutes for one of a megabyte, and all of the
// site with it: a limit of the length does not help, since all that is wrong with a text is said.

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

test('no pattern of the API takes hours for a text that it does not fit', () => {
  const patterns = new Set(patternsIn(site.app.swagger()));
  expect(patterns.size).toBeGreaterThan(5);
  for (const pattern of patterns) {
    const fits = new RegExp(pattern, 'u');
    for (const character of ['a', '1', ' ', '-', '1 ', 'a,']) {
      const text = `${character.repeat(2_000_000)}\0`;
      expect(() => mustEnd(() => fits.test(text)), `${pattern} ${character}`).not.toThrow();
    }
  }
});
