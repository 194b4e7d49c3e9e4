import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/app/until.ts';
import {
  emptyDirectory,
  endEmbedded,
  exitWithoutRelease,
  open,
  rowsOf,
  usedDirectory,
} from '../../../../test/database/embedded-databases.ts';
import { clusterPath } from './data-directory.ts';
import { hasServer, isAlive } from './running-server.ts';

async function pidOfAnEndedProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

afterEach(endEmbedded);

describe('a data directory with something in it', () => {
  it('loses the half-made cluster of a process that died', async () => {
    const dataDir = await emptyDirectory();
    const half = join(dataDir, `postgres.new-${await pidOfAnEndedProcess()}-abc`, 'cluster');
    await mkdir(half, { recursive: true });
    await writeFile(join(half, 'PG_VERSION'), '18\n');
    const database = await open(dataDir);
    expect(await rowsOf(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
    await database.release();
  });

  it('starts although a program has the pid of a killed PostgreSQL', async () => {
    const dataDir = await usedDirectory();
    const first = await open(dataDir);
    process.kill(first.pid, 'SIGKILL');
    await until(async () => !(await isAlive(first.pid)));
    await first.release();
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const path = join(dataDir, 'postgres', name);
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace(String(first.pid), String(process.pid)));
    }
    const second = await open(dataDir);
    expect(second.adopted).toBe(false);
    await second.release();
  });

  it('starts although a full disk left an empty lock file', async () => {
    const dataDir = await usedDirectory();
    const lock = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(lock, '');
    await utimes(lock, 1, 1);
    await (await open(dataDir)).release();
  });

  it('starts no second PostgreSQL beside one that it cannot see', async () => {
    const dataDir = await usedDirectory();
    const cluster = join(dataDir, 'postgres');
    await writeFile(
      join(cluster, 'postmaster.pid'),
      `${await pidOfAnEndedProcess()}\n${cluster}\n1\n5432\n.\n\n\nready\n`,
    );
    const otherContainer = createServer().listen(join(cluster, '.s.PGSQL.5432'));
    await expect(open(dataDir)).rejects.toThrow(/that this process cannot see, perhaps in another container/);
    otherContainer.close();
  });

  it('refuses a cluster of another version, and names both', async () => {
    const dataDir = await emptyDirectory();
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
    await expect(open(dataDir)).rejects.toThrow(
      /was made by PostgreSQL 16, and this Onward runs PostgreSQL 18/,
    );
  });

  it('refuses a directory that holds other files', async () => {
    const dataDir = await emptyDirectory();
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear');
    await expect(open(dataDir)).rejects.toThrow(/is not a database that Onward made: PG_VERSION is missing/);
  });

  it('refuses a file in the way', async () => {
    const dataDir = await emptyDirectory();
    await writeFile(dataDir, 'a file');
    const refusal = await open(join(dataDir, 'below')).catch((error: Error) => error);
    expect(refusal).toMatchObject({ name: 'StartupError' });
    expect(String(refusal)).toContain(
      `ONWARD_DATA_DIR: ${dataDir}/below cannot be used: a file is in the way`,
    );
    await expect(open(dataDir)).rejects.toThrow(/a file is in the way|cannot be used/);
  });

  it('refuses a directory that it may not write to', async () => {
    // Root may write everywhere, unless the kernel itself refuses.
    const root = process.getuid?.() === 0;
    const dataDir = root ? '/sys/onward' : await emptyDirectory();
    if (!root) await mkdir(dataDir).then(() => chmod(dataDir, 0o500));
    await expect(open(dataDir)).rejects.toThrow(`ONWARD_DATA_DIR: ${dataDir} cannot be used: `);
  });

  it('shows the end of PostgreSQL’s log when it does not start', async () => {
    const dataDir = await usedDirectory();
    await writeFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'nonsense\n');
    const refusal = await open(dataDir).catch((error: Error) => error);
    expect(refusal).toMatchObject({ name: 'StartupError' });
    expect(String(refusal)).toMatch(/PostgreSQL did not start on .*could not load .*pg_hba\.conf/s);
  });
});

describe('a process that is forced to exit', () => {
  it.each(['starting', 'open'] as const)('leaves no PostgreSQL without its site: %s', async (when) => {
    const dataDir = await usedDirectory();
    await exitWithoutRelease(dataDir, 'site', when);
    await until(async () => !(await hasServer(clusterPath(dataDir))));
    const next = await open(dataDir);
    expect(next.adopted).toBe(false);
    await next.release();
  });

  it.skipIf(process.platform !== 'linux')('ends what was making the cluster', async () => {
    const dataDir = await emptyDirectory();
    await exitWithoutRelease(dataDir, 'site', 'starting');
    await until(async () => (await commandsAbout(dataDir)).length === 0);
    await (await open(dataDir)).release();
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('leaves the site its PostgreSQL if it was a command', async () => {
    const dataDir = await usedDirectory();
    const site = await open(dataDir);
    await exitWithoutRelease(dataDir, 'command', 'open');
    expect(await rowsOf(site, 'select 1 as one')).toEqual([{ one: 1 }]);
    await site.release();
  });
});

/** The commands of this machine that name the directory, apart from the test's own. */
async function commandsAbout(dataDir: string): Promise<string[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    numbers.map((number) => readFile(`/proc/${number}/cmdline`, 'utf8').catch(() => '')),
  );
  return commands.filter((each) => each.includes(dataDir));
}
