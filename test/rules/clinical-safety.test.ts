import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

test('each control of the hazard log names a test that exists', () => {
  const log = readFileSync(join(root, 'docs', 'clinical-safety.md'), 'utf8');
  const named = [...log.matchAll(/`((?:src|test)\/[\w/-]+\.test\.ts)`: “([^”]+)”/g)];
  expect(named.length).toBeGreaterThan(30);
  expect(log.match(/\.test\.ts/g)).toHaveLength(named.length);
  const missing = named.filter(([, file, sentence]) => !titlesIn(join(root, file!)).includes(sentence!));
  expect(missing.map(([control]) => control)).toEqual([]);
});

/** What the tests of a file are called. */
function titlesIn(path: string): string {
  if (!existsSync(path)) return '';
  const begun = /^\s*(?:test|it|describe)\b.*?\(\s*(['`].*)$/gm;
  return [...readFileSync(path, 'utf8').matchAll(begun)].map(([, title]) => title).join('\n');
}
