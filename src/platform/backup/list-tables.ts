import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import type { BackupTable, SequenceState } from './backup-format.ts';

/** Not copied: the tables of Onward's and graphile-worker's migrators, which the target's migrators fill themselves, and the mark of a restore. */
const excludedTables = [
  'public.onward_migrations',
  'public.onward_migrations_lock',
  'public.onward_restore',
  'graphile_worker.migrations',
];

type Reference = { from: string; to: string };

/**
 * Every table of the site, its waiting jobs included, referenced tables first. No table is partitioned:
 * test/rules/migrations.test.ts makes sure.
 * @throws Error if tables refer to each other in a circle, which none may.
 */
export async function listTables(db: Db): Promise<BackupTable[]> {
  const { rows: tables } = await sql<BackupTable>`
    select format('%I.%I', n.nspname, c.relname) as table,
      array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker')
      and n.nspname || '.' || c.relname <> all (${excludedTables})
    group by 1 order by 1`.execute(db);
  const { rows: references } = await sql<Reference>`
    select "from", "to" from (
      select format('%I.%I', n.nspname, c.relname) as "from", format('%I.%I', fn.nspname, fc.relname) as "to"
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class fc on fc.oid = k.confrelid join pg_namespace fn on fn.oid = fc.relnamespace
      where k.contype = 'f' and k.conrelid <> k.confrelid) as tables`.execute(db);
  return referencedFirst(tables, references);
}

function referencedFirst(tables: readonly BackupTable[], references: readonly Reference[]): BackupTable[] {
  const waiting = new Map(tables.map((each) => [each.table, each]));
  const ordered: BackupTable[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(
      ({ table }) => !references.some(({ from, to }) => from === table && waiting.has(to)),
    );
    if (ready.length === 0)
      throw new Error(`these tables refer to each other: ${[...waiting.keys()].join()}`);
    for (const each of ready) {
      ordered.push(each);
      waiting.delete(each.table);
    }
  }
  return ordered;
}

/** The present value of each sequence of the site and its jobs. */
export async function listSequences(db: Db): Promise<SequenceState[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, sequencename) as name from pg_sequences
    where schemaname in ('public', 'graphile_worker') order by 1`.execute(db);
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: state } = await sql<Omit<SequenceState, 'name'>>`
      select last_value::text, is_called from ${sql.raw(name)}`.execute(db);
    states.push({ name, ...state[0]! });
  }
  return states;
}
