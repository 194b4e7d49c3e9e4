import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSiteKey } from './site-key.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'onward-key-'));
});
afterAll(() => rm(directory, { recursive: true }));

test('of twenty that start together on an empty directory all use one key, and nothing else is left', async () => {
  for (const round of ['a', 'b', 'c', 'd', 'e']) {
    const file = join(directory, round, 'site.key');
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadSiteKey(file)));
    const stored = await readFile(file);
    expect(stored).toHaveLength(32);
    for (const key of keys) expect(key.equals(stored)).toBe(true);
    expect(await readdir(join(directory, round))).toEqual(['site.key']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await loadSiteKey(file)).equals(stored)).toBe(true);
  }
});

test('a key of the wrong length is refused and left as it is', async () => {
  const file = join(directory, 'short.key');
  await writeFile(file, 'short');
  await expect(loadSiteKey(file)).rejects.toThrow(
    /ONWARD_SITE_KEY_FILE: .* holds 5 bytes instead of 32.* For example: ONWARD_SITE_KEY_FILE=/,
  );
  expect(await readFile(file, 'utf8')).toBe('short');
});

test('a place that cannot be written to is named, with what to do', async () => {
  await writeFile(join(directory, 'file'), '');
  await expect(loadSiteKey(join(directory, 'file', 'site.key'))).rejects.toThrow(
    /site\.key .*ONWARD_DATA_DIR/,
  );
});
