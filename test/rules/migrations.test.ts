import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  createTablesOfVersion,
  type Database,
  listSchemaLogic,
  type MigrationHistory,
  migrate,
} from '../../src/platform/database/index.ts';
import { promptKinds } from '../../src/referrals/model/attention/prompts.ts';
import { watchKinds } from '../../src/referrals/model/attention/watches-store.ts';
import { migrations } from '../../src/site/migrations.ts';
import { testDatabase } from '../database/test-database.ts';

/** An older version, whose tables this version's code does not know. */
const upTo = (current: MigrationHistory['current']): MigrationHistory => ({
  ...migrations,
  current,
  afterwards: async () => undefined,
});

describe('the migrations', () => {
  it('are numbered once each, and each is in the list', async () => {
    const names = (await readdir(join(import.meta.dirname, '..', '..', 'migrations')))
      .filter((name) => /^\d/.test(name))
      .map((name) => name.replace(/\.ts$/, ''))
      .sort();
    expect(Object.keys(migrations.current)).toEqual(names);
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z-]+$/);
    // Numbers that nobody used, because several people worked at once, do no harm.
    const numbers = names.map((name) => name.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it('give a database of e7dc646 the same tables as a new one', async () => {
    const [carriedOver, fresh] = [await testDatabase('none'), await testDatabase()];
    await createTablesOfVersion(
      carriedOver.db,
      carriedOver.pool,
      migrations,
      migrations.earlier.oldestMigrations,
    );
    await migrate(carriedOver.db, carriedOver.pool, migrations);
    expect(await schemaOf(carriedOver)).toEqual(await schemaOf(fresh));
    expect(await listSchemaLogic(carriedOver.db)).toEqual(await listSchemaLogic(fresh.db));
    await carriedOver.close();
    await fresh.close();
  });
});

describe('each table', () => {
  it('says in a comment what it is for', async () => {
    const { db, close } = await testDatabase();
    const { rows } = await sql`
      select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'onward_migrations%'
        and obj_description(oid, 'pg_class') is null`.execute(db);
    expect(rows).toEqual([]);
    await close();
  });
});

describe('a new migration', () => {
  it('writes no list of values again that may have grown', async () => {
    const directory = join(import.meta.dirname, '..', '..', 'migrations');
    for (const name of Object.keys(migrations.current).filter((each) => each > '0119')) {
      const text = await readFile(join(directory, `${name}.ts`), 'utf8');
      expect(text, `${name}: make the list a table, as in 0104`).not.toMatch(
        /drop constraint \w+_check[^`]*\bcheck \(/,
      );
    }
  });

  it('partitions no table, because backups copy only plain ones', async () => {
    const { db, close } = await testDatabase();
    const { rows } = await sql`select relname from pg_class where relkind = 'p'`.execute(db);
    expect(rows).toEqual([]);
    await close();
  });
});

describe('the table of kinds of prompts', () => {
  it('has every kind that the code stores, and no other', async () => {
    const { db, close } = await testDatabase();
    const rows = await db.selectFrom('referral_prompt_kinds').select('kind').execute();
    expect(rows.map(({ kind }) => kind).sort()).toEqual([...promptKinds].sort());
    await close();
  });
});

describe('the table of kinds of watches', () => {
  it('has every kind that the code stores, and no other', async () => {
    const { db, close } = await testDatabase();
    const rows = await db.selectFrom('watch_kinds').select('kind').execute();
    expect(rows.map(({ kind }) => kind).sort()).toEqual([...watchKinds].sort());
    await close();
  });
});

describe('services of a database from before their offers were stored', () => {
  it('have them, and their times, as this version reads them', async () => {
    const old = await testDatabase('none');
    const current = Object.fromEntries(Object.entries(migrations.current).filter(([name]) => name < '0035'));
    await migrate(old.db, old.pool, upTo(current));
    const document = JSON.stringify({
      id: 'evening',
      name: 'Evening club',
      status: 'active',
      schedules: [{ freq: 'WEEKLY', byday: 'TU', opens_at: '5:00pm', closes_at: '8.30 p.m.' }],
      cost_options: [{ option: 'free', amount: 0 }],
    });
    await sql`
      insert into services (id, name, status, search, last_modified, updated_at)
      values ('evening', 'Evening club', 'active', '', now(), now())`.execute(old.db);
    await sql`
      insert into service_documents (service_id, document, summary, content_hash)
      values ('evening', ${document}, '{}', '')`.execute(old.db);
    await migrate(old.db, old.pool, migrations);
    const { rows } = await sql`
      select week::text, features from services join service_offers on service_id = id`.execute(old.db);
    expect(rows).toEqual([{ week: '{[2460,2670)}', features: ['free'] }]);
    await old.close();
  });
});

describe('the step to feeds and files told apart', () => {
  it('takes for a feed what was read as one, or has a web address', async () => {
    const old = await testDatabase('none');
    const baseline = { '0001-baseline': migrations.current['0001-baseline']! };
    await migrate(old.db, old.pool, upTo(baseline));
    await sql`
      insert into library_sources (id, name, changed_since, position, created_at) values
        (gen_random_uuid(), 'read to its end', now(), null, now()),
        (gen_random_uuid(), 'being read', null, '{}', now()),
        (gen_random_uuid(), 'https://never-read.example', null, null, now()),
        (gen_random_uuid(), 'a-file.json', null, null, now())`.execute(old.db);
    await migrate(old.db, old.pool, migrations);
    const files = await old.db
      .selectFrom('library_sources')
      .where('is_feed', '=', false)
      .select('name')
      .execute();
    expect(files).toEqual([{ name: 'a-file.json' }]);
    await old.close();
  });
});

describe('the step to next dates and unseen news', () => {
  it('dates accepted referrals, watches urgent unconfirmed ones', async () => {
    const old = await testDatabase('none');
    const names = Object.keys(migrations.current);
    const before = names.slice(0, names.indexOf('0006-watch'));
    const current = Object.fromEntries(before.map((name) => [name, migrations.current[name]!]));
    await migrate(old.db, old.pool, upTo(current));
    const [account, accepted, waiting, urgent] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const change = randomUUID();
    await sql`insert into accounts (id, email, name, roles, created_at)
      values (${account}, 'asha@example.org', 'Asha', '{referrer}', now())`.execute(old.db);
    for (const [id, status, urgency] of [
      [accepted, 'accepted', 'urgent'],
      [waiting, 'on-hold', 'routine'],
      [urgent, 'requested', 'urgent'],
    ])
      await sql`insert into referrals (id, reference, status, version, urgency, simulated, referrer_account_id, content,
          created_at, updated_at, requested_at)
        values (${id}, ${id}, ${status}, 1, ${urgency}, true, ${account}, '{}', '2026-11-01', '2026-11-02T23:30:00Z',
          '2026-11-01')`.execute(old.db);
    await sql`insert into referral_changes (id, referral_id, at, side, author_id, author_name, text, raised_urgency)
      values (${change}, ${accepted}, '2026-11-03', 'provider', ${account}, 'Asha', 'x', false)`.execute(
      old.db,
    );
    await migrate(old.db, old.pool, migrations);
    const { rows: dates } =
      await sql`select id, next_date::text as date from referrals order by date`.execute(old.db);
    expect(dates).toEqual([
      { id: accepted, date: '2026-11-16' },
      { id: waiting, date: '2026-11-30' },
      { id: urgent, date: null },
    ]);
    const { rows: news } = await sql`select id, kind, side, next_step from watches order by kind`.execute(
      old.db,
    );
    expect(news).toEqual([
      { id: change, kind: 'change', side: 'referrer', next_step: 'owner' },
      { id: urgent, kind: 'referral', side: 'provider', next_step: 'owner' },
    ]);
    await old.close();
  });
});

/** Every column, constraint, index, sequence and text search configuration of the site's own tables, one a line. */
async function schemaOf({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with tables as (
      select c.oid, c.relname, c.reloptions from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'onward_migrations%')
    select concat_ws(' ', 'table', relname, reloptions) as line from tables
    union all
    select concat_ws(' ', 'column', relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
      a.attgenerated, a.attcollation, a.attstorage, pg_get_expr(d.adbin, d.adrelid))
    from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all
    select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(k.oid))
    from tables t join pg_constraint k on k.conrelid = t.oid and k.contype <> 'n'
    union all
    select pg_get_indexdef(indexrelid) from tables t join pg_index i on i.indrelid = t.oid
    union all
    select concat_ws(' ', 'sequence', sequencename, data_type, increment_by) from pg_sequences where schemaname = 'public'
    union all
    select concat_ws(' ', 'words', mapcfg::regconfig, maptokentype, mapseqno, mapdict::regdictionary)
    from pg_ts_config_map where mapcfg = 'library'::regconfig
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
}

describe('the step to causes of ends', () => {
  it('knows the reasons that the site wrote before, and no other', async () => {
    const old = await testDatabase('none');
    const names = Object.keys(migrations.current);
    const before = names.slice(0, names.indexOf('0142-end-causes'));
    await migrate(
      old.db,
      old.pool,
      upTo(Object.fromEntries(before.map((name) => [name, migrations.current[name]!]))),
    );
    const account = randomUUID();
    await sql`insert into accounts (id, email, name, roles, created_at)
      values (${account}, 'asha@example.org', 'Asha', '{referrer}', now())`.execute(old.db);
    const reasons = {
      'by-report': { code: 'died', text: 'Told by: Her son. Date of death: not known.' },
      'by-action': { code: 'died', text: 'Her son rang.' },
      'by-attorney': {
        code: 'other',
        text: 'An attorney or deputy said that the person no longer agrees to the referral.',
      },
      'by-staff': { code: 'other', text: 'She has moved.' },
    };
    for (const [reference, reason] of Object.entries(reasons))
      await sql`insert into referrals (id, reference, status, status_reason, version, urgency, simulated, referrer_account_id,
          content, created_at, updated_at, version_at, requested_at)
        values (${randomUUID()}, ${reference}, 'cancelled', ${JSON.stringify(reason)}, 2, 'routine', true, ${account}, '{}',
          now(), now(), now(), now())`.execute(old.db);
    await migrate(old.db, old.pool, migrations);
    const rows = await old.db
      .selectFrom('referrals')
      .select(['reference', 'end_cause'])
      .orderBy('reference')
      .execute();
    expect(rows.map(({ reference, end_cause }) => [reference, end_cause])).toEqual([
      ['by-action', null],
      ['by-attorney', 'no-longer-agreed'],
      ['by-report', 'death-reported'],
      ['by-staff', null],
    ]);
    await old.close();
  });
});
