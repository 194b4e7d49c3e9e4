import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/app/until.ts';
import {
  endEmbedded,
  open,
  openInChild,
  rowsOf,
  usedDirectory,
} from '../../../../test/database/embedded-databases.ts';
import { createLog } from '../../log/index.ts';
import { clusterPath } from './data-directory.ts';
import type { EmbeddedDatabase } from './keep-running.ts';
import { isAlive } from './running-server.ts';

afterEach(endEmbedded);

const log = createLog('silent');
const neverGivesUp = {
  log,
  giveUp: () => {
    throw new Error('it gave up');
  },
};

const answers = (database: EmbeddedDatabase) =>
  rowsOf(database, 'select answer from kept').then(
    () => true,
    () => false,
  );

async function kept(below?: string, maxStopMs?: number) {
  const dataDir = await usedDirectory(below);
  const database = await open(dataDir, 'site', { ...neverGivesUp, ...(maxStopMs && { maxStopMs }) });
  await rowsOf(database, 'create table kept as select 42 as answer');
  return { dataDir, database };
}

describe('the site’s own PostgreSQL', () => {
  it.each([
    'SIGKILL',
    'SIGQUIT',
    'SIGINT',
  ] as const)('restarts after a %s with its data, and ends with the site', async (signal) => {
    const { database } = await kept();
    const { pid } = database;
    process.kill(pid, signal);
    await until(async () => database.pid !== pid && (await answers(database)));
    await database.release();
    expect([await isAlive(pid), await isAlive(database.pid)]).toEqual([false, false]);
  });

  it('keeps its port, where it listens on one', async () => {
    const { database } = await kept(join('a'.repeat(60), 'b'.repeat(60)));
    expect(database.connection.host).toBe('127.0.0.1');
    const { pid } = database;
    process.kill(pid, 'SIGKILL');
    await until(async () => database.pid !== pid && (await answers(database)));
    await database.release();
  });

  it('is shared with a command, and still refused to a second site', async () => {
    const { dataDir, database } = await kept();
    const { pid } = database;
    process.kill(pid, 'SIGKILL');
    const command = await openInChild(dataDir, 'command');
    await until(async () => database.pid !== pid && (await answers(database)));
    expect(command.serverPid).toBe(database.pid);
    const second = await open(dataDir).catch((error: Error) => error.message);
    expect(second).toContain(`Another Onward site (process ${process.pid}) is running`);
    await command.release();
    expect(await answers(database)).toBe(true);
    await database.release();
  });

  it('is started again after a SIGTERM that waits for the site', async () => {
    const { database } = await kept(undefined, 500);
    const { pid } = database;
    process.kill(pid, 'SIGTERM');
    await until(async () => !(await answers(database)));
    await until(async () => database.pid !== pid && (await answers(database)));
    await database.release();
  });

  it('is given up, once, after too long without success', async () => {
    const dataDir = await usedDirectory();
    let gaveUp = 0;
    const giveUp = () => {
      gaveUp += 1;
    };
    const database = await open(dataDir, 'site', { log, giveUp, timeoutMs: 300 });
    await writeFile(join(clusterPath(dataDir), 'pg_hba.conf'), 'nonsense\n');
    process.kill(database.pid, 'SIGKILL');
    await until(() => gaveUp > 0);
    await database.release();
    expect(gaveUp).toBe(1);
  });
});
