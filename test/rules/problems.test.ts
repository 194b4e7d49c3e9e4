import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../../src/app.ts';
import { allProblems } from '../../src/platform/problem/index.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'problems');

test('every kind of problem has its page, and every page its problem', async () => {
  const pages = (await readdir(folder)).map((name) => name.replace(/\.md$/, '')).sort();
  expect(
    allProblems()
      .map(({ type }) => type)
      .sort(),
  ).toEqual(pages);
});

test('every page says what to do', async () => {
  for (const { type } of allProblems()) {
    expect(await readFile(join(folder, `${type}.md`), 'utf8'), type).toContain('**What to do:**');
  }
});
