import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  createTablesOf,
  type Database,
  listSchemaLogic,
  migrate,
} from '../../src/platform/database/index.ts';
import { migrations } from '../../src/site/migrations.ts';
import { testDatabase } from '../database/test-database.ts';

describe('the migrations', () => {
  it('are numbered without a gap, and each is in the list', async () => {
    const names = (await readdir(join(import.meta.dirname, '..', '..', 'migrations')))
      .filter((name) => /^\d/.test(name))
      .map((name) => name.replace(/\.ts$/, ''))
      .sort();
    expect(Object.keys(migrations.current)).toEqual(names);
    for (const [index, name] of names.entries()) {
      expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z-]+$`));
    }
  });

  it('give a database carried over from e7dc646 the same tables as a new one', async () => {
    const [carriedOver, fresh] = [await testDatabase('none'), await testDatabase()];
    await createTablesOf(carriedOver.db, carriedOver.pool, migrations, migrations.earlier.oldestMigrations);
    await migrate(carriedOver.db, carriedOver.pool, migrations);
    expect(await schemaOf(carriedOver)).toEqual(await schemaOf(fresh));
    expect(await listSchemaLogic(carriedOver.db)).toEqual(await listSchemaLogic(fresh.db));
    await carriedOver.close();
    await fresh.close();
  });
});

describe('the step to feeds and files told apart', () => {
  it('takes for a feed what was read as one, or has a web address', async () => {
    const old = await testDatabase('none');
    const baseline = { '0001-baseline': migrations.current['0001-baseline']! };
    await migrate(old.db, old.pool, { ...migrations, current: baseline });
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
