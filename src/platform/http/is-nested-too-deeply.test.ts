import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedTooDeeply } from './is-nested-too-deeply.ts';

test('whatever is nested less deep passes, brackets in texts and all', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      expect(isNestedTooDeeply(JSON.stringify(value))).toBe(false);
    }),
  );
  expect(isNestedTooDeeply(JSON.stringify('['.repeat(1000)))).toBe(false);
  expect(isNestedTooDeeply(JSON.stringify(`\\"${'{'.repeat(1000)}`))).toBe(false);
});

test('what is all brackets does not, closed or not', () => {
  expect(isNestedTooDeeply(`${'['.repeat(50)}${']'.repeat(50)}`)).toBe(false);
  expect(isNestedTooDeeply(`${'['.repeat(51)}${']'.repeat(51)}`)).toBe(true);
  expect(isNestedTooDeeply('{"a":'.repeat(20_000))).toBe(true);
});
