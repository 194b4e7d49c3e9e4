import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { until } from '../../test/app/until.ts';
import { endWaitingConnections, lockTables } from '../../test/database/locks.ts';
import { commandInput } from '../../test/process/command-input.ts';
import { siteActor } from '../audit/index.ts';
import { importServices } from '../exchange/index.ts';
import { libraryExport } from './commands/library/library-export.ts';
import { explainFailure } from './run-command-line.ts';

let site: TestApp;
let directory: string;
beforeAll(async () => {
  site = await makeApp();
  directory = await mkdtemp(join(tmpdir(), 'onward-export-'));
  const line = JSON.stringify({ id: 'kept', name: 'Kept', status: 'active' });
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(line)]));
});
afterAll(async () => {
  await site.close();
  await rm(directory, { recursive: true });
});

function exportTo(file: string) {
  const input = commandInput([file]);
  return libraryExport.run({ platform: site.deps } as never, input);
}

/** A named pipe: opening it waits for the other end. */
async function namedPipe(name: string): Promise<string> {
  const path = join(directory, name);
  await promisify(execFile)('mkfifo', [path]);
  return path;
}

describe('the file of an export', () => {
  it('may be a pipe, which is written to and stays', async () => {
    const pipe = await namedPipe('pipe');
    const [, read] = await Promise.all([exportTo(pipe), readFile(pipe, 'utf8')]);
    expect(read).toContain('"id":"kept"');
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  it('may be a link, whose target is replaced', async () => {
    const [link, file] = [join(directory, 'latest'), join(directory, 'of-today')];
    await writeFile(file, 'of yesterday');
    await symlink(file, link);
    await exportTo(link);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, 'utf8')).toContain('"id":"kept"');
  });

  it('stays as it was when the database breaks off', async () => {
    const file = join(directory, 'kept.ndjson');
    await writeFile(file, 'of yesterday');
    const letGo = await lockTables(site.deps.pool, 'service_documents');
    const failed = exportTo(file).catch(explainFailure);
    await until(() => endWaitingConnections(site.deps.db));
    const why = await failed;
    await letGo();
    expect(why).toMatch(/^The database closed the connection/);
    expect(await readFile(file, 'utf8')).toBe('of yesterday');
    expect((await readdir(directory)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
