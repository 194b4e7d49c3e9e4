import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { commandInput } from '../../../../test/process/command-input.ts';
import { locate } from '../../../library/index.ts';
import type { OpenPlatform } from '../../../site/open-platform.ts';
import { libraryImport } from './library-import.ts';
import { postcodesImport } from './postcodes-import.ts';

let site: TestApp;
let folder: string;
beforeAll(async () => {
  [site, folder] = await Promise.all([makeApp(), mkdtemp(join(tmpdir(), 'onward-postcodes-'))]);
});
afterAll(() => Promise.all([site.close(), rm(folder, { recursive: true })]));

const run = (path: string, values = {}) => {
  const open = { platform: site.deps } as unknown as OpenPlatform;
  return postcodesImport.run(open, commandInput([path], values));
};

describe('onward library import', () => {
  it('says after new services how to import postcodes', async () => {
    const file = join(folder, 'services.json');
    await writeFile(
      file,
      JSON.stringify([
        {
          id: '5f0d0f5a-6a57-4b7e-9d7c-4a4f0c3f9b10',
          name: 'Lunch club',
          status: 'active',
          organization: {
            id: '5f0d0f5a-6a57-4b7e-9d7c-4a4f0c3f9b11',
            name: 'Village hall',
            description: 'A hall.',
          },
        },
      ]),
    );
    const importThem = (values = {}) =>
      libraryImport.run({ platform: site.deps } as unknown as OpenPlatform, commandInput([file], values));
    const words = 'postcodes import FILE.csv';
    expect((await importThem({ 'dry-run': true })).text).not.toContain(words);
    expect((await importThem()).text).toContain(words);
    expect((await importThem()).text).not.toContain(words);
  });
});

describe('onward postcodes import', () => {
  it('leaves out only a bad line; a second run changes nothing', async () => {
    const file = join(folder, 'postcodes.csv');
    await writeFile(file, 'postcode,latitude,longitude\nZT1 1AA,54.05,-2.15\nZT1 1AB,0,0\nnowhere,54,-2\n');
    const dry = await run(file, { 'dry-run': true });
    expect(dry.json).toMatchObject({ read: 3, created: 1, rejected: 2 });
    expect(dry.text).toMatch(/^Nothing was written/);
    expect(await locate(site.deps.db, 'ZT1 1AA')).toBeUndefined();

    const first = await run(file);
    expect(first.status).toBe(1);
    expect(first.json).toMatchObject({ read: 3, created: 1, updated: 0, unchanged: 0, rejected: 2 });
    expect(first.complaints).toEqual([
      'line 3: ZT1 1AB: /latitude: must be from 49 to 61: that is where the United Kingdom lies',
      'line 4: /postcode: must be a full UK postcode such as ZT1 3GH',
    ]);
    expect(await locate(site.deps.db, 'ZT1 1AA')).toMatchObject({ precision: 'postcode' });
    expect((await run(file)).json).toMatchObject({ created: 0, updated: 0, unchanged: 1, rejected: 2 });
  });

  it('ends with status 0 for a file without a bad line', async () => {
    const file = join(folder, 'good.csv');
    await writeFile(file, 'pcds,lat,long\nZT2 1AA,54.05,-2.15\n');
    expect(await run(file)).toMatchObject({ status: 0, complaints: [] });
  });
});
