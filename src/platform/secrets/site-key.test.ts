import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyFile, makeSiteKey, otherReadersOfKey, readSiteKey } from './site-key.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'onward-key-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('the site key', () => {
  it('is one for twenty processes that start together', async () => {
    for (const round of ['a', 'b', 'c', 'd', 'e']) {
      const file = join(directory, round, 'site.key');
      const keys = await Promise.all(Array.from({ length: 20 }, () => makeSiteKey(file)));
      const stored = await readFile(file);
      expect(stored).toHaveLength(32);
      for (const key of keys) expect(key.equals(stored)).toBe(true);
      expect(await readdir(join(directory, round))).toEqual(['site.key']);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await readSiteKey(file))!.equals(stored)).toBe(true);
    }
  });

  it('is refused and left alone if its length is wrong', async () => {
    const file = join(directory, 'short.key');
    await writeFile(file, 'short');
    await expect(readSiteKey(file)).rejects.toThrow(
      /ONWARD_SITE_KEY_FILE: .* holds 5 bytes instead of 32.* For example: ONWARD_SITE_KEY_FILE=/,
    );
    expect(await readFile(file, 'utf8')).toBe('short');
  });

  it('names a place that cannot be written to, and the remedy', async () => {
    await writeFile(join(directory, 'file'), '');
    await expect(makeSiteKey(join(directory, 'file', 'site.key'))).rejects.toThrow(
      /site\.key .*ONWARD_DATA_DIR/,
    );
  });
});

describe('a key file', () => {
  it('is readable by its owner alone, and replaces none', async () => {
    const file = join(directory, 'named.key');
    await makeKeyFile(file);
    const made = await readFile(file);
    expect([made.length, (await stat(file)).mode & 0o777]).toEqual([32, 0o600]);
    await expect(makeKeyFile(file)).rejects.toThrow('already exists, and is left as it is');
    expect((await readFile(file)).equals(made)).toBe(true);
    await expect(makeKeyFile(join(directory, 'nowhere', 'x'))).rejects.toThrow('ENOENT');
  });

  it.each([0o620, 0o602, 0o622, 0o666])('is refused in mode %o, since others can write it', async (mode) => {
    const file = await aKey(mode);
    await expect(readSiteKey(file)).rejects.toThrow(/users other than its owner can write .*chmod 600/);
  });

  it.each([
    [0o600, undefined],
    [0o400, undefined],
    [0o444, 'everybody on this machine can read it (mode 0444)'],
    [0o604, 'everybody on this machine can read it (mode 0604)'],
    [0o640, 'its group can read it (mode 0640)'],
  ])('of mode %o is read, and its other readers are named', async (mode, readers) => {
    const file = await aKey(mode);
    expect(await readSiteKey(file)).toHaveLength(32);
    expect(await otherReadersOfKey(file)).toBe(readers);
  });
});

async function aKey(mode: number): Promise<string> {
  const file = join(directory, `mode-${mode.toString(8)}.key`);
  await makeKeyFile(file);
  await chmod(file, mode);
  return file;
}
