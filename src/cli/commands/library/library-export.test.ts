import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../../test/app/manual-clock.ts';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { commandInput } from '../../../../test/process/command-input.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { OpenPlatform } from '../../../site/open-platform.ts';
import { libraryExport } from './library-export.ts';

let database: Database;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), mkdtemp(join(tmpdir(), 'onward-export-'))]);
});
afterAll(() => Promise.all([database.close(), rm(folder, { recursive: true })]));

describe('onward library export', () => {
  it('replaces the file only when the new one is complete', async () => {
    const platform = { db: database.db, clock: manualClock() };
    const run = (path: string) =>
      libraryExport.run({ platform } as unknown as OpenPlatform, commandInput([path]));
    const file = join(folder, 'library.ndjson.gz');
    await writeFile(file, 'the one before');
    expect((await run(file)).json).toEqual({ lines: 0, seconds: 0 });
    expect(gunzipSync(await readFile(file)).toString()).toBe('');

    const nowhere = join(folder, 'no', 'such');
    await expect(run(nowhere)).rejects.toThrow(`${nowhere} cannot be written: ENOENT.`);
    await expect(run(folder)).rejects.toThrow(`${folder} cannot be written: EISDIR.`);
    expect(await readdir(folder)).toEqual(['library.ndjson.gz']);
  });
});
