import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { commandInput } from '../../../../test/process/command-input.ts';
import type { OpenPlatform } from '../../../site/open-platform.ts';
import type { Command } from '../../command.ts';
import { libraryImport } from './library-import.ts';
import { postcodesImport } from './postcodes-import.ts';
import { practicesImport } from './practices-import.ts';

let site: TestApp;
let folder: string;
beforeAll(async () => {
  [site, folder] = await Promise.all([makeApp(), mkdtemp(join(tmpdir(), 'onward-cli-import-'))]);
});
afterAll(() => Promise.all([site.close(), rm(folder, { recursive: true })]));

async function run(command: Command, content: string, values: Record<string, string> = {}) {
  const path = join(folder, 'given');
  await writeFile(path, content);
  const input = commandInput([path], values);
  await command.checkInput?.(input);
  return command.run({ platform: site.deps } as unknown as OpenPlatform, input);
}
const line = (id: string, more: object = {}) =>
  `${JSON.stringify({ id, name: `Service ${id}`, status: 'active', ...more })}\n`;

describe('what an import left out', () => {
  it('parts of records are listed, with status 0', async () => {
    const { status, complaints, json, text } = await run(libraryImport, line('p', { phones: [{}] }));
    expect(status).toBe(0);
    expect(text).toContain('0 rejected; 1 parts of others left out.');
    expect(complaints).toEqual([
      'Parts left out of imported records:',
      'line 1: p: /phones/0/number: is required',
    ]);
    expect(json).toMatchObject({ rejected: 0, parts_left_out: 1, left_out: { records: [] } });
    expect(json).not.toHaveProperty('leftOut');
  });

  it('a thousand parts do not hide a rejected record', async () => {
    const partly = Array.from({ length: 1000 }, (_, index) => line(`q${index}`, { phones: [{}] }));
    const bad = Array.from({ length: 5 }, (_, index) => line(`bad${index}`, { name: '' }));
    const rejects = join(folder, 'rejects.csv');
    const result = await run(libraryImport, [...partly, ...bad].join(''), { rejects });
    expect(result).toMatchObject({ status: 1, json: { rejected: 5, parts_left_out: 1000 } });
    expect(result.complaints).toEqual([
      expect.stringMatching(/^5 times: \/name: .*: line 1001 \(bad0\), .*line 1005 \(bad4\)$/),
      'Parts left out of imported records:',
      expect.stringMatching(/^1000 times: \/phones\/\*\/number: is required: line 1 \(q0\).* and 995 more$/),
    ]);
    const lines = (await readFile(rejects, 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1006);
    expect(lines[5]).toMatch(/^record,1005,,,bad4,\/name,/);
  });

  it('stops the import before it reads if it cannot be written', async () => {
    const itself = run(libraryImport, line('z'), { rejects: join(folder, 'given') });
    await expect(itself).rejects.toThrow('would overwrite');
    const nowhere = run(libraryImport, line('z'), { rejects: join(folder, 'no', 'such.csv') });
    await expect(nowhere).rejects.toThrow('cannot be written');
  });
});

describe('nothing to import', () => {
  const whole = { complete: 'true', source: 'Council' };

  it('an empty file is refused, and makes nothing inactive', async () => {
    await expect(run(libraryImport, '', whole)).rejects.toThrow(/given is empty\./);
  });

  it.each([
    libraryImport,
    practicesImport,
    postcodesImport,
  ])('empty standard input is refused', async (command) => {
    const own = Object.getOwnPropertyDescriptor(process, 'stdin')!;
    Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true });
    try {
      const input = commandInput(['-']);
      await command.checkInput?.(input);
      const running = command.run({ platform: site.deps } as unknown as OpenPlatform, input);
      await expect(running).rejects.toThrow('Nothing came on standard input');
    } finally {
      Object.defineProperty(process, 'stdin', own);
    }
  });
});

describe('importing a file of another kind', () => {
  it.each([
    ['library import', libraryImport, 'ods_code,name\nZ99001,Weir House\n'.repeat(50), 'practices import'],
    ['library import', libraryImport, 'postcode,latitude,longitude\nZT1 1AA,54,-2\n', 'postcodes import'],
    ['library import', libraryImport, 'id,organization_id,name\na,o,A\n', 'into a zip'],
    ['library import', libraryImport, '<!doctype html><p>Not found', 'web page'],
    ['practices import', practicesImport, line('a'), 'library import'],
    ['practices import', practicesImport, 'postcode,latitude,longitude\nZT1 1AA,54,-2\n', 'postcodes import'],
    [
      'postcodes import',
      postcodesImport,
      'ods_code,name,postcode,latitude,longitude\nZ99001,W,ZT1 1AA,54,-2\n',
      'practices import',
    ],
    ['postcodes import', postcodesImport, 'PK\u0003\u0004', 'zip'],
  ])('says what the file is: %s, case %#', async (_, command, content, words) => {
    await expect(run(command, content)).rejects.toMatchObject({ detail: expect.stringContaining(words) });
  });
});
