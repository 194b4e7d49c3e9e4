import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';

test('migrations are numbered without a gap, and each file is in the list', async () => {
  const files = (await readdir(join(import.meta.dirname, '..', '..', 'migrations')))
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
  expect(Object.keys(migrations)).toEqual(files);
  for (const [index, name] of files.entries()) {
    expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z-]+$`));
  }
});
