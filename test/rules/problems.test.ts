import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import '../../src/app.ts';
import { allProblems } from '../../src/platform/problem/index.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'problems');

describe('the problem pages', () => {
  it('exist for each kind of problem, and for nothing else', async () => {
    const pages = (await readdir(folder)).map((name) => name.replace(/\.md$/, '')).sort();
    expect(
      allProblems()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(pages);
  });

  it('say what to do', async () => {
    for (const { type } of allProblems()) {
      expect(await readFile(join(folder, `${type}.md`), 'utf8'), type).toContain('**What to do:**');
    }
  });
});
