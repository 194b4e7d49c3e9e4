import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storeReferral } from '../../../test/delivery/test-site.ts';
import { checkAudit } from '../../audit/index.ts';
import { migrations } from '../../migrations.ts';
import {
  appliedMigrations,
  createTablesOf,
  type Database,
  type MigrationHistory,
  migrate,
  readSiteFacts,
  recordSiteFacts,
  requireWholeRestore,
} from '../database/index.ts';
import { createSecrets, siteKeyMark } from '../secrets/index.ts';
import { listTables } from './catalogue.ts';
import { restoreBackup, writeBackup } from './index.ts';

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
  await checkAudit(site.deps, nobody);
  await recordSiteFacts(site.database.db, { mode: 'test', keyMark: siteKeyMark(site.deps.secrets) });
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

test('what is restored is what was kept: every row of every table, the audit chain, what comes next', async () => {
  const fresh = await aNewSite();
  const report = await restoreBackup(fresh, file, none);
  expect(report.rows).toBeGreaterThan(10);
  expect(await contentOf(fresh.database)).toEqual(await contentOf(site.database));
  expect(await checkAudit({ ...site.deps, db: fresh.database.db }, nobody)).toMatchObject({
    links: expect.toSatisfy((links: number) => links > 0),
    broken: undefined,
  });
  const { rows } = await sql<{ name: string }>`select name from services`.execute(fresh.database.db);
  expect(rows).toEqual([{ name: awkward }]);
  // The triggers watch again, and numbers go on where they were.
  await expect(sql`delete from audit_entries`.execute(fresh.database.db)).rejects.toThrow('append-only');
  const entry = sql<{ id: number }>`insert into audit_entries
    (at, actor_name, action, outcome) values (now(), 'x', 'x', 'success') returning id`;
  const { rows: added } = await entry.execute(fresh.database.db);
  const { rows: last } = await sql<{ id: number }>`select max(id) as id from audit_entries`.execute(
    site.database.db,
  );
  expect(added[0]!.id).toBeGreaterThan(last[0]!.id);
});

test.each([
  ['e7dc646', migrations.earlier.oldest],
  [
    'the last version before the baseline',
    [...migrations.earlier.oldest, ...Object.keys(migrations.earlier.steps)],
  ],
])('a backup of %s is brought up to date', async (_, names) => {
  const { database: old } = await aNewSite();
  await createTablesOf(old.db, old.pool, migrations, names);
  await sql`
    insert into organizations (id, name, document, summary, search, updated_at)
    values ('o1', ${awkward}, '{}', '{}', '', now())`.execute(old.db);
  const oldFile = join(directory, `${names.length}.backup`);
  await writeBackup(source(old), oldFile, quiet);
  const fresh = await aNewSite();
  await restoreBackup(fresh, oldFile, none);
  const { rows } = await sql`select id, name from organizations`.execute(fresh.database.db);
  expect(rows).toEqual([{ id: 'o1', name: awkward }]);
  expect(await appliedMigrations(fresh.database.db)).toEqual(Object.keys(migrations.current));
});
