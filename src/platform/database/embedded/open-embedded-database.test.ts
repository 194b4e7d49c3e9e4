import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  emptyDirectory,
  endEmbedded,
  open,
  rowsOf,
  usedDirectory,
} from '../../../../test/database/embedded-databases.ts';
import { isAlive } from './running-server.ts';

const neededExtensions = ['pg_trgm', 'unaccent', 'cube', 'earthdistance'];

afterEach(endEmbedded);

describe('the site’s own PostgreSQL', () => {
  it('starts in an empty directory with all that the library needs', async () => {
    const dataDir = await emptyDirectory();
    const database = await open(dataDir);
    expect(database).toMatchObject({
      adopted: false,
      connection: { database: 'onward', user: 'onward_app' },
    });
    expect(await rowsOf(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    const extensions = await rowsOf(database, `select extname from pg_extension where extname <> 'plpgsql'`);
    expect(extensions).toEqual(expect.arrayContaining(neededExtensions.map((extname) => ({ extname }))));
    const letters = `select lower('ÉŶ') as lower, unaccent('Tŷ Élan') as plain,
      cardinality(show_trgm('Поле')) as trigrams, similarity('Tŷ', 'tŷ') as alike`;
    expect(await rowsOf(database, letters)).toEqual([
      { lower: 'éŷ', plain: 'Ty Elan', trigrams: 5, alike: 1 },
    ]);
    const safety = `select current_setting('data_checksums') as sums, current_setting('synchronous_commit') as commit,
      current_setting('timezone') as zone, current_setting('listen_addresses') as tcp`;
    expect(await rowsOf(database, safety)).toEqual([{ sums: 'on', commit: 'on', zone: 'UTC', tcp: '' }]);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres', 'onward.password'))).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
    await database.release();
  });

  it('keeps its data between starts, and stops in between', async () => {
    const dataDir = await emptyDirectory();
    const first = await open(dataDir);
    await rowsOf(first, 'create table kept as select 42 as answer');
    await first.release();
    await first.release();
    expect(await isAlive(first.pid)).toBe(false);
    const second = await open(dataDir);
    expect(second.adopted).toBe(false);
    expect(await rowsOf(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.release();
  });

  it('listens on loopback where the path is too long for a socket', async () => {
    const dataDir = await usedDirectory(join('a'.repeat(60), 'b'.repeat(60), 'with, a comma and "quotes"'));
    const database = await open(dataDir);
    expect(database.connection.host).toBe('127.0.0.1');
    expect(await rowsOf(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    const stranger = { ...database, connection: { ...database.connection, password: 'guess' } };
    await expect(rowsOf(stranger, 'select 1')).rejects.toThrow('password authentication failed');
    const beside = await open(dataDir, 'command');
    expect(beside).toMatchObject({ adopted: true, pid: database.pid });
    await beside.release();
    await database.release();
  });

  it('writes nothing that a person typed to its log', async () => {
    const dataDir = await emptyDirectory();
    const database = await open(dataDir);
    await rowsOf(database, `create table patients as select 'Secret-Key' as name`);
    await rowsOf(database, 'create unique index on patients (name)');
    await expect(rowsOf(database, `insert into patients values ('Secret-Key')`)).rejects.toThrow('duplicate');
    await expect(rowsOf(database, `select 'Secret-Date'::date`)).rejects.toThrow('Secret-Date');
    await expect(rowsOf(database, `select Secret-Name from patients`)).rejects.toThrow('secret');
    await database.release();
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toMatch(/secret/i);
  });
});
