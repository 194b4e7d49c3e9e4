import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../database/test-database.ts';

// A room that adds a table with an organisation must say here, or in the merge, what a merge does with its rows.

/** Rows that a merge leaves alone, and why. */
const leftAlone: Readonly<Record<string, string>> = {
  'offline_copies.organisation_id': 'its people chose a password for it, so it goes with the organisation',
  'referral_attachments.author_organisation_id': 'says who wrote it then',
  'referral_changes.author_organisation_id': 'says who wrote it then',
  'referral_history.actor_organisation_id': 'says who wrote it then; nobody may change a line',
  'referral_messages.author_organisation_id': 'says who wrote it then; nobody may change a message',
};

const database = await testDatabase();
afterAll(() => database.close());

/** Columns that refer to an organisation, by a foreign key or by their name alone. */
async function listColumns(): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where a.attnum > 0 and not a.attisdropped and (
      a.attname ~ 'organisation_id$' or exists (
        select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid = 'organisations'::regclass and a.attnum = any (k.conkey)))
    order by 1, 2`.execute(database.db);
  return rows;
}

describe('a merge of two organisations', () => {
  it('moves every row that names one of them, or says why not', async () => {
    const path = join(import.meta.dirname, '../../src/operator/organisations/merge-store.ts');
    const source = await readFile(path, 'utf8');
    const statements = [...source.matchAll(/`([^`]*)`/g)].map(([, statement]) => statement!);
    const isMoved = ({ table, column }: { table: string; column: string }) =>
      statements.some((each) =>
        new RegExp(
          `update ${table}\\b[^;]*?\\bset ${column} = \\$\\{to\\}|insert into ${table}\\b[^;]*?\\b${column}\\b`,
        ).test(each),
      );
    const columns = await listColumns();
    const missing = columns.filter((each) => !isMoved(each)).map(({ table, column }) => `${table}.${column}`);
    expect(missing).toEqual(Object.keys(leftAlone));
    expect(columns.length - missing.length, 'columns that a merge moves').toBeGreaterThanOrEqual(7);
  });
});
