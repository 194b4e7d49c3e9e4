import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { changeStoredEntry, storedEntries, storeUnsignedEntry } from '../../../test/audit/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storeReferral } from '../../../test/delivery/test-site.ts';
import { storedServices, storedThings, storeOrganization } from '../../../test/library/stored.ts';
import { sealCheckAndRecord } from '../../audit/index.ts';
import { migrations } from '../../site/migrations.ts';
import {
  appliedMigrations,
  createTablesOfVersion,
  type Database,
  type MigrationHistory,
  migrate,
  readSiteFacts,
  recordMissingSiteFacts,
  refuseUnfinishedRestore,
} from '../database/index.ts';
import { createSecrets, siteKeyFingerprint } from '../secrets/index.ts';
import { restoreBackup, writeBackup } from './index.ts';
import { listTables } from './list-tables.ts';

// A site is kept in a file, and brought back from it on another machine.

const siteKey = Buffer.alloc(32, 7);
const awkward = 'Weir\n\\.\nHouse\t\\N “Café” \\\\ end';
let site: TestApp;
let directory: string;
let file: string;
const opened: Database[] = [];
const none = () => undefined;
const quiet = { begin: async () => undefined, onTable: none };
const nobody = { name: 'the test' };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'onward-backup-'));
  file = join(directory, 'monday.backup');
  site = await makeApp({ siteKey });
  await aTokenHolder(site.deps);
  await aService(site.deps, { serviceName: awkward });
  await sealCheckAndRecord(site.deps, nobody);
  await recordMissingSiteFacts(site.database.db, {
    mode: 'test',
    keyFingerprint: siteKeyFingerprint(site.deps.secrets),
  });
  await writeBackup(source(), file, quiet);
});
afterAll(async () => {
  for (const each of opened) await each.close();
  await site.close();
  await rm(directory, { recursive: true });
});

const source = (database: Database = site.database) => ({
  database,
  settings: site.deps.settings,
  secrets: site.deps.secrets,
  at: site.deps.clock.now(),
});

/** A new machine with the site key of the old one; or one with something different, as `given`. */
async function aNewSite(
  given: { siteKey?: Buffer; mode?: 'test' | 'live'; migrations?: MigrationHistory } = {},
) {
  const database = await testDatabase('none');
  opened.push(database);
  return {
    database,
    settings: { ...site.deps.settings, ...(given.mode && { mode: given.mode, statedMode: given.mode }) },
    secrets: createSecrets(given.siteKey ?? siteKey),
    migrations: given.migrations ?? migrations,
  };
}

/** A hash of each table's rows, by its name. */
async function contentOf({ db }: Database): Promise<Record<string, string>> {
  const tables = await listTables(db);
  const hashes = tables.map(async ({ table, columns }) => {
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(r::text, E'\n' order by r::text), '') as text
      from (select ${sql.raw(columns.join(', '))} from ${sql.raw(table)}) as r`.execute(db);
    return [table, createHash('sha256').update(rows[0]!.text).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

describe('a restored site', () => {
  it('has every row, its audit chain, and goes on where it was', async () => {
    const fresh = await aNewSite();
    const report = await restoreBackup(fresh, file, none);
    expect(report.rows).toBeGreaterThan(10);
    expect(await contentOf(fresh.database)).toEqual(await contentOf(site.database));
    expect(await sealCheckAndRecord({ ...site.deps, db: fresh.database.db }, nobody)).toMatchObject({
      links: expect.toSatisfy((links: number) => links > 0),
      broken: undefined,
    });
    const { db } = fresh.database;
    expect((await storedServices(db)).map(({ name }) => name)).toEqual([awkward]);
    // The triggers watch again, and numbers go on where they were.
    const newest = (await storedEntries(site.database.db, {})).at(-1)!;
    await expect(changeStoredEntry(db, newest.id, { actor_name: 'x' })).rejects.toThrow('append-only');
    expect(await storeUnsignedEntry(db)).toBeGreaterThan(newest.id);
  });

  it.each([
    ['e7dc646', migrations.earlier.oldestMigrations],
    [
      'the last version before the baseline',
      [...migrations.earlier.oldestMigrations, ...Object.keys(migrations.earlier.steps)],
    ],
  ])('of %s is brought up to date', async (_, names) => {
    const { database: old } = await aNewSite();
    await createTablesOfVersion(old.db, old.pool, migrations, names);
    await storeOrganization(old.db, { id: 'o1', name: awkward });
    const oldFile = join(directory, `${names.length}.backup`);
    await writeBackup(source(old), oldFile, quiet);
    const fresh = await aNewSite();
    await restoreBackup(fresh, oldFile, none);
    expect(await storedThings(fresh.database.db)).toEqual([{ id: 'o1', name: awkward }]);
    expect(await appliedMigrations(fresh.database.db)).toEqual(Object.keys(migrations.current));
  });
});

/** A changed header under the checksum of the unchanged one. */
function renameMigration(whole: Buffer): Buffer {
  const text = gunzipSync(whole).toString('latin1');
  const changed = gzipSync(Buffer.from(text.replace('"0001', '"9001'), 'latin1'));
  return Buffer.concat([changed.subarray(0, -8), whole.subarray(-8)]);
}

describe('a backup', () => {
  it('may be read by its owner alone, and overwrites no file', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await readFile(file);
    await writeFile(join(directory, 'cut.part'), '');
    let begun = 0;
    const begin = async () => {
      begun += 1;
    };
    const progress = { ...quiet, begin };
    for (const [to, why] of [
      [file, 'A backup never overwrites a file'],
      [join(directory, 'cut'), 'was interrupted'],
      [join(directory, 'nowhere', 'x'), `there is no folder ${join(directory, 'nowhere')}`],
    ] as const)
      await expect(writeBackup(source(), to, progress)).rejects.toThrow(why);
    expect([(await readFile(file)).equals(before), begun]).toEqual([true, 0]);
  });

  it('leaves no file behind if it fails', async () => {
    const to = join(directory, 'unwritten');
    const begin = () => Promise.reject(new Error('the database is unreachable'));
    await expect(writeBackup(source(), to, { ...quiet, begin })).rejects.toThrow('is unreachable');
    expect((await readdir(directory)).filter((name) => name.startsWith('unwritten'))).toEqual([]);
  });

  it.each<[string, (whole: Buffer) => Buffer, RegExp]>([
    ['cut off', (whole) => whole.subarray(0, -200), /damaged|incomplete/],
    ['cut off in the middle', (whole) => whole.subarray(0, whole.length / 2), /damaged|incomplete/],
    ['one byte changed in the rows', (whole) => whole.fill(whole[900]! ^ 1, 900, 901), /damaged/],
    ['one byte changed in the header', (whole) => renameMigration(whole), /damaged/],
    ['cut off before it was packed', (whole) => gzipSync(gunzipSync(whole).subarray(0, -90)), /incomplete/],
    ['something else', () => Buffer.from('id,name\n1,x\n'), /not an Onward backup/],
    ['something else, packed', () => gzipSync('{"id":"s1"}\n'), /not an Onward backup/],
    ['nothing', () => Buffer.alloc(0), /not an Onward backup/],
  ])('is refused if it is %s, and nothing is made of it', async (_what, spoil, reason) => {
    const spoilt = join(directory, 'spoilt.backup');
    await writeFile(spoilt, spoil(Buffer.from(await readFile(file))));
    const fresh = await aNewSite();
    await expect(restoreBackup(fresh, spoilt, none)).rejects.toThrow(reason);
    expect(await listTables(fresh.database.db)).toEqual([]);
  });

  it('is refused over a site, or for another mode, key or version', async () => {
    const there = { ...(await aNewSite()), database: site.database };
    await expect(restoreBackup(there, file, none)).rejects.toThrow('A site already exists here');
    await expect(restoreBackup(await aNewSite({ mode: 'live' }), file, none)).rejects.toThrow(
      'of a test site',
    );
    const otherKey = await aNewSite({ siteKey: Buffer.alloc(32, 8) });
    await expect(restoreBackup(otherKey, file, none)).rejects.toThrow('site key');
    const older = await aNewSite({ migrations: { ...migrations, current: {} } });
    await expect(restoreBackup(older, file, none)).rejects.toThrow('newer version');
    await expect(restoreBackup(await aNewSite(), join(directory, 'none'), none)).rejects.toThrow('no file');
    for (const { db } of opened.slice(-4)) expect(await listTables(db)).toEqual([]);
  });
});

describe('an interrupted restore', () => {
  const cut = (during: string) => () => {
    throw new Error(`cut off while ${during}`);
  };
  const expectRefused = async ({ db }: Database) => {
    await expect(refuseUnfinishedRestore(db)).rejects.toThrow(
      /was cut off.*npm run -s onward -- restore FILE/,
    );
  };

  it('lets no site start on empty tables, and goes on later', async () => {
    const fresh = await aNewSite();
    await expect(restoreBackup(fresh, file, cut('loading'))).rejects.toThrow('cut off while loading');
    expect((await listTables(fresh.database.db)).length).toBeGreaterThan(10);
    await expectRefused(fresh.database);
    await restoreBackup(fresh, file, none);
    await refuseUnfinishedRestore(fresh.database.db);
    expect(await contentOf(fresh.database)).toEqual(await contentOf(site.database));
  });

  it('does not load again what was loaded, and ends what was left', async () => {
    const fresh = await aNewSite();
    const finish = async () => cut('ending')();
    await expect(restoreBackup({ ...fresh, finish }, file, none)).rejects.toThrow('cut off while ending');
    await expectRefused(fresh.database);
    const finished: string[] = [];
    const again = { ...fresh, finish: async () => void finished.push('once') };
    const report = await restoreBackup(again, file, cut('loading'));
    expect([finished, report.rows > 10]).toEqual([['once'], true]);
    await refuseUnfinishedRestore(fresh.database.db);
    expect(await contentOf(fresh.database)).toEqual(await contentOf(site.database));
  });

  it('is run again with the same backup only', async () => {
    const fresh = await aNewSite();
    await expect(restoreBackup(fresh, file, cut('loading'))).rejects.toThrow('cut off while loading');
    const other = join(directory, 'another.backup');
    await writeBackup({ ...source(), at: new Date(site.deps.clock.now().getTime() + 1000) }, other, quiet);
    await expect(restoreBackup(fresh, other, none)).rejects.toThrow('Run it again with the same backup');
  });
});

describe('the identity of a restored site', () => {
  it('is the same id and mode if ONWARD_MODE is unset', async () => {
    const fresh = await aNewSite();
    expect(await restoreBackup(fresh, file, none)).toMatchObject({ mode: 'test' });
    expect(await readSiteFacts(fresh.database.db)).toEqual(await readSiteFacts(site.database.db));
  });

  it('is live if a test site of an earlier version had patients', async () => {
    const old = await aNewSite();
    await migrate(old.database.db, old.database.pool, migrations);
    await storeReferral(old.database.pool, { simulated: true });
    await storeReferral(old.database.pool, { simulated: false });
    const wrongly = join(directory, 'wrongly.backup');
    await writeBackup(source(old.database), wrongly, quiet);
    const refused = await aNewSite({ mode: 'test' });
    await expect(restoreBackup(refused, wrongly, none)).rejects.toThrow(
      'of a live site, and ONWARD_MODE is test',
    );
    expect(await listTables(refused.database.db)).toEqual([]);
    const fresh = await aNewSite();
    expect(await restoreBackup(fresh, wrongly, none)).toMatchObject({ mode: 'live' });
    expect(await readSiteFacts(fresh.database.db)).toMatchObject({ mode: 'live', id: expect.any(String) });
  });
});
