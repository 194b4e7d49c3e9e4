import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Db } from '../../src/platform/database/index.ts';

type Plan = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

/** How many rows PostgreSQL looks at for the statements of `ask`. It runs each of them twice. */
export async function rowsRead(pool: Pool, ask: (db: Db) => Promise<unknown>): Promise<number> {
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const listening: Db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push(query),
  });
  await ask(listening);
  let sum = 0;
  for (const { sql, parameters } of asked) {
    const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
    sum += rowsOf(rows[0]['QUERY PLAN'][0].Plan);
  }
  return sum;
}

function rowsOf({ Plans: below = [], ...node }: Plan): number {
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return below.length === 0
    ? rows * node['Actual Loops']
    : below.reduce((sum, plan) => sum + rowsOf(plan), 0);
}
