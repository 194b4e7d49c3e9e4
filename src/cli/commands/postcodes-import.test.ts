import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeApp, type TestApp } from '../../../test/make-app.ts';
import { locate } from '../../library/index.ts';
import type { OpenPlatform } from '../../open-platform.ts';
import { postcodesImport } from './postcodes-import.ts';

let site: TestApp;
let folder: string;
beforeAll(async () => {
  [site, folder] = await Promise.all([makeApp(), mkdtemp(join(tmpdir(), 'onward-postcodes-'))]);
});
afterAll(() => Promise.all([site.close(), rm(folder, { recursive: true })]));

const run = (path: string, values = {}) => {
  const open = { platform: site.deps } as unknown as OpenPlatform;
  return postcodesImport.run(open, { values, positionals: [path], progress: () => undefined });
};

test('a file with a bad line goes in but for that line; the second time nothing changes', async () => {
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

test('a file without a bad line leaves the status 0', async () => {
  const file = join(folder, 'good.csv');
  await writeFile(file, 'pcds,lat,long\nZT2 1AA,54.05,-2.15\n');
  expect(await run(file)).toMatchObject({ status: 0, complaints: [] });
});
