import { afterEach, describe, expect, it } from 'vitest';
import {
  emptyDirectory,
  endEmbedded,
  open,
  openInChild,
  rowsOf,
  usedDirectory,
} from '../../../../test/database/embedded-databases.ts';
import { isAlive } from './running-server.ts';

afterEach(endEmbedded);

describe('several processes on one directory', () => {
  it('takes over the PostgreSQL that a killed site left running', async () => {
    const dataDir = await usedDirectory();
    const killed = await openInChild(dataDir, 'site');
    const beside = await open(dataDir, 'command');
    await rowsOf(beside, 'create table kept as select 42 as answer');
    await beside.release();
    await killed.kill();
    expect(await isAlive(killed.serverPid)).toBe(true);
    const site = await open(dataDir);
    expect(site).toMatchObject({ adopted: true, pid: killed.serverPid });
    expect(await rowsOf(site, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await site.release();
    expect(await isAlive(killed.serverPid)).toBe(false);
  });

  it('refuses a second site, and names the first', async () => {
    const dataDir = await usedDirectory();
    const site = await openInChild(dataDir, 'site');
    const refusal = await open(dataDir).catch((error: Error) => error);
    expect(refusal).toMatchObject({ name: 'StartupError' });
    expect(String(refusal)).toContain(`Another Onward site (process ${site.pid}) is running on ${dataDir}`);
    expect(String(refusal)).toContain('ONWARD_DATA_DIR=');
    await site.release();
    expect(await isAlive(site.serverPid)).toBe(false);
  });

  it('lets exactly one of two sites start that start together', async () => {
    const dataDir = await emptyDirectory();
    const both = await Promise.all([openInChild(dataDir, 'site'), openInChild(dataDir, 'site')]);
    const winners = both.filter(({ said }) => said.startsWith('open '));
    expect(winners).toHaveLength(1);
    const loser = both.find(({ said }) => !said.startsWith('open '));
    expect(loser?.said).toContain(
      `Another Onward site (process ${winners[0]?.pid}) is running on ${dataDir}`,
    );
    await winners[0]?.release();
    expect(await isAlive(winners[0]?.serverPid ?? 0)).toBe(false);
  });

  it('run a command beside a site; the last stops PostgreSQL', async () => {
    const dataDir = await usedDirectory();
    const site = await openInChild(dataDir, 'site');
    const command = await open(dataDir, 'command');
    expect(command).toMatchObject({ adopted: true, pid: site.serverPid });
    await site.release();
    expect(await rowsOf(command, 'select 1 as one')).toEqual([{ one: 1 }]);
    await command.release();
    expect(await isAlive(site.serverPid)).toBe(false);
  });

  it('let the next one in at any moment while the last one ends', async () => {
    const dataDir = await usedDirectory();
    for (let round = 0; round < 5; round += 1) {
      const leaver = await open(dataDir, 'command');
      const leaving = leaver.release();
      const newcomers = await Promise.all([open(dataDir, 'command'), open(dataDir)]);
      await leaving;
      for (const newcomer of newcomers) {
        expect(await rowsOf(newcomer, 'select 1 as one')).toEqual([{ one: 1 }]);
        await newcomer.release();
      }
      expect(await isAlive(newcomers[0].pid)).toBe(false);
    }
  });
});

describe('moving the database elsewhere', () => {
  it('is refused beside a running site or command, which it names', async () => {
    const dataDir = await usedDirectory();
    const site = await openInChild(dataDir, 'site');
    await expect(open(dataDir, 'move')).rejects.toThrow(
      `Another Onward site (process ${site.pid}) is running`,
    );
    await site.release();
    const command = await openInChild(dataDir, 'command');
    await expect(open(dataDir, 'move')).rejects.toThrow(
      `Another command of Onward (process ${command.pid}) is at work on ${dataDir}`,
    );
    await command.release();
  });

  it('lets no site and no command in until it has ended', async () => {
    const dataDir = await usedDirectory();
    const move = await openInChild(dataDir, 'move');
    for (const use of ['site', 'command', 'move'] as const)
      await expect(open(dataDir, use)).rejects.toThrow(
        `being moved to another PostgreSQL (process ${move.pid})`,
      );
    await move.release();
    expect(await isAlive(move.serverPid)).toBe(false);
    const site = await open(dataDir);
    expect(await rowsOf(site, 'select 1 as one')).toEqual([{ one: 1 }]);
    await site.release();
  });

  it('leaves the database to the next process when it is killed', async () => {
    const dataDir = await usedDirectory();
    const move = await openInChild(dataDir, 'move');
    await move.kill();
    const site = await open(dataDir);
    expect(site).toMatchObject({ adopted: true, pid: move.serverPid });
    await site.release();
  });
});
