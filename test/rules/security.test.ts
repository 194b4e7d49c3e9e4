import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const tests = globSync('{src,test}/**/*.test.ts', { cwd: root });

describe('the security document', () => {
  it('names only tests that exist', () => {
    const rows = readFileSync(join(root, 'docs', 'security.md'), 'utf8').split('\n');
    // The last column names files, each with the titles of its tests or with the parts of a title around “…”.
    const cells = rows
      .filter((row) => row.includes('.test.ts`') && row.startsWith('|'))
      .map((row) => row.split(' | ').at(-1)!);
    expect(cells.length).toBeGreaterThan(15);
    const files = cells.flatMap((cell) =>
      [...cell.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map((match) => match[1]!),
    );
    expect(files.filter((file) => !tests.some((each) => `/${each}`.endsWith(`/${file}`)))).toEqual([]);
    const titles = tests.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const sentences = cells.flatMap((cell) =>
      [...cell.matchAll(/(?:\.test\.ts`|same file): ([^;|]+)/g)].flatMap(([, named]) => named!.split(/…,?/)),
    );
    expect(sentences.length).toBeGreaterThan(15);
    expect(sentences.filter((each) => !titles.includes(each.trim()))).toEqual([]);
  });
});
