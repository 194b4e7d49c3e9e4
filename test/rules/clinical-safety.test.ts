import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

describe('the hazard log', () => {
  it('names an existing test for each control', () => {
    const log = readFileSync(join(root, 'docs', 'clinical-safety.md'), 'utf8');
    const named = [...log.matchAll(/`((?:src|test)\/[\w/-]+\.test\.ts)`: “([^”]+)”/g)];
    expect(named.length).toBeGreaterThan(30);
    expect(log.match(/\.test\.ts/g)).toHaveLength(named.length);
    const missing = named.filter(([, file, sentence]) => !titlesIn(join(root, file!)).includes(sentence!));
    expect(missing.map(([control]) => control)).toEqual([]);
  });
});

/** The titles of a file's tests. */
function titlesIn(path: string): string {
  if (!existsSync(path)) return '';
  const begun = /^\s*(?:test|it|describe)\b.*?\(\s*(['`].*)$/gm;
  return [...readFileSync(path, 'utf8').matchAll(begun)].map(([, title]) => title).join('\n');
}
