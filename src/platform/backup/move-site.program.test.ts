import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import {
  askSuperuser,
  asSuperuser,
  dropDatabase,
  testDatabase,
} from '../../../test/database/test-database.ts';
import { storeReferral } from '../../../test/delivery/test-site.ts';
import { storedServices } from '../../../test/library/stored.ts';
import { migrations } from '../../site/migrations.ts';
import {
  connect,
  createTablesOfVersion,
  type Database,
  markRestore,
  migrate,
  readSiteFacts,
  recordMissingSiteFacts,
  refuseUnfinishedRestore,
} from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { siteKeyFingerprint } from '../secrets/index.ts';
import { moveSite } from './index.ts';
import { listTables } from './list-tables.ts';

type Progress = Parameters<typeof moveSite>[1];

let site: TestApp;
let siteId: string;
const opened: Database[] = [];
const roles: string[] = [];

beforeAll(async () => {
  site = await makeApp();
  await aTokenHolder(site.deps);
  await aService(site.deps, { serviceName: 'Weir\n\\.\nHouse “Café”' });
  await recordMissingSiteFacts(site.database.db, {
    mode: 'test',
    keyFingerprint: siteKeyFingerprint(site.deps.secrets),
  });
  siteId = (await readSiteFacts(site.database.db)).id!;
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  for (const role of roles.splice(0)) await askSuperuser(`drop role ${role}`);
});
afterAll(() => site.close());

async function emptyDatabase(): Promise<Database> {
  const database = await testDatabase('none');
  opened.push(database);
  return database;
}

/** All databases of a test are on one server. This makes one look as if it were on another. */
const onAnotherServer = ({ db }: Database) => db.withPlugin(answering({ started: 'at another time' }));

/** Changes what the database says, in each row that has such a column. */
function answering(answers: Record<string, unknown>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.map((row) => ({
        ...row,
        ...Object.fromEntries(Object.entries(answers).filter(([name]) => name in row)),
      })),
    }),
  };
}

/** @param original what the copy of the site is compared with. */
function moveTo(
  target: Database,
  progress: Partial<Progress> = {},
  original: Database = site.database,
  copied: Database = site.database,
) {
  const { settings, secrets, clock } = site.deps;
  const source = { ...copied, db: onAnotherServer(original) };
  return moveSite(
    { source, target, siteId, settings, secrets, migrations, at: clock.now() },
    { onTable: () => undefined, finish: async () => undefined, ...progress },
  );
}

const countTables = async ({ db }: Database) => (await listTables(db)).length;

/** A database of its own whose role has no rights beyond signing in. */
async function strangersDatabase(): Promise<Database> {
  const { connection } = await emptyDatabase();
  const user = `onward_stranger_${randomBytes(6).toString('hex')}`;
  await askSuperuser(`create role ${user} login password 'secret'`);
  roles.push(user);
  return connect({ ...connection, user, password: 'secret' }, createLog('silent'));
}

describe('a database that a site cannot move to', () => {
  const refused = async (target: Database, reason: string) => {
    await expect(moveTo(target)).rejects.toThrow(`The site cannot move to this database. ${reason}`);
  };

  it('is in the site’s own PostgreSQL', async () => {
    const target = await emptyDatabase();
    const { settings, secrets, clock } = site.deps;
    const move = { source: site.database, target, siteId, settings, secrets, migrations, at: clock.now() };
    await expect(moveSite(move, { onTable: () => undefined, finish: async () => undefined })).rejects.toThrow(
      'It is in the site’s own PostgreSQL.',
    );
  });

  it('belongs to this site, or to another', async () => {
    await refused(site.database, 'It has this site already');
    const other = await testDatabase();
    opened.push(other);
    await recordMissingSiteFacts(other.db, { mode: 'test', keyFingerprint: Buffer.from('other') });
    await refused(other, `It belongs to site ${(await readSiteFacts(other.db)).id}`);
  });

  it('holds tables of another program', async () => {
    const target = await emptyDatabase();
    await sql`create table payroll (id serial)`.execute(target.db);
    await refused(target, 'It is not empty: there is public.payroll and 1 more. Name an empty database.');
  });

  it('holds half a restore, or half of another site', async () => {
    for (const movedSite of [null, 'another']) {
      const target = await emptyDatabase();
      await markRestore(target.db, '2026-01-01', movedSite);
      await refused(target, 'A restore or another site’s move was interrupted there.');
    }
  });

  it('is of an old PostgreSQL, or has another encoding', async () => {
    const { db, ...rest } = await emptyDatabase();
    const old = answering({ number: 140_011, version: '14.11' });
    await refused({ ...rest, db: db.withPlugin(old) }, 'It is a PostgreSQL 14.11; Onward needs 15 or newer.');
    const latin = answering({ encoding: 'LATIN1' });
    await refused({ ...rest, db: db.withPlugin(latin) }, 'Its encoding is LATIN1, and names need UTF8.');
    expect(await countTables({ db, ...rest })).toBe(0);
  });

  it('gives its role no rights, or makes its tables elsewhere', async () => {
    const stranger = await strangersDatabase();
    await refused(
      stranger,
      `The role ${stranger.connection.user} may not create tables in the schema public`,
    );
    await stranger.close();
    const target = await emptyDatabase();
    const elsewhere = connect(
      { ...target.connection, options: '-c search_path=nowhere' },
      createLog('silent'),
    );
    await refused(
      elsewhere,
      `The role ${target.connection.user} would make its tables in the schema (none).`,
    );
    await elsewhere.close();
    await asSuperuser(target, (trx) => sql`alter schema graphile_worker owner to current_user`.execute(trx));
    await refused(
      target,
      `The role ${target.connection.user} may not create tables in the schema graphile_worker. Make it the owner of that schema`,
    );
  });
});

describe('an interrupted move', () => {
  const cutOff = () => {
    throw new Error('cut off');
  };
  const filesLeft = async () =>
    (await readdir(site.deps.settings.dataDir)).filter((name) => name.startsWith('moving'));

  it('leaves the target as it was if it fails before it writes', async () => {
    const target = await emptyDatabase();
    await expect(moveTo(target, { onTable: cutOff })).rejects.toThrow('cut off');
    expect(await countTables(target)).toBe(0);
    await refuseUnfinishedRestore(target.db);
    expect(await filesLeft()).toEqual([]);
  });

  it('lets no site start, and takes later changes when run again', async () => {
    const target = await emptyDatabase();
    await expect(moveTo(target, { finish: async () => cutOff() })).rejects.toThrow('cut off');
    await expect(refuseUnfinishedRestore(target.db)).rejects.toThrow(
      /A move of site .* was cut off.*npm run -s onward -- database move URL/,
    );
    expect(await filesLeft()).toEqual([]);
    await aService(site.deps, { serviceName: 'Made in between' });
    await moveTo(target);
    await refuseUnfinishedRestore(target.db);
    const services = await storedServices(target.db);
    expect(services.map(({ name }) => name)).toContain('Made in between');
    expect(await readSiteFacts(target.db)).toEqual(await readSiteFacts(site.database.db));
  });
});

describe('the comparison at the end', () => {
  let copyOfSite: string;
  beforeAll(async () => {
    const copy = await testDatabase('none');
    copyOfSite = copy.connection.database!;
    await moveTo(copy);
    await copy.pool.end();
  });
  afterAll(() => dropDatabase(copyOfSite));

  it('accepts a site that was carried over from an earlier version', async () => {
    const old = await emptyDatabase();
    await createTablesOfVersion(old.db, old.pool, migrations, migrations.earlier.oldestMigrations);
    await migrate(old.db, old.pool, migrations);
    await recordMissingSiteFacts(old.db, {
      mode: 'test',
      keyFingerprint: siteKeyFingerprint(site.deps.secrets),
    });
    await storeReferral(old.pool);
    const target = await emptyDatabase();
    await moveTo(target, {}, old, old);
    await refuseUnfinishedRestore(target.db);
  });

  it.each([
    ['a changed value', `update accounts set name = name || '!'`, 'public.accounts'],
    ['a missing row', 'delete from access_tokens', 'public.access_tokens'],
    ['another state of a sequence', `select nextval('audit_entries_id_seq')`, 'public.audit_entries_id_seq'],
  ])('finds %s, and leaves no site that could start', async (_what, change, where) => {
    // What the copy is compared with is not what was copied.
    const original = await testDatabase({ copyOf: copyOfSite });
    opened.push(original);
    await original.pool.query(change);
    const target = await emptyDatabase();
    await expect(moveTo(target, {}, original)).rejects.toThrow(`${where} is not the same in the copy`);
    await expect(refuseUnfinishedRestore(target.db)).rejects.toThrow('was cut off');
  });
});
