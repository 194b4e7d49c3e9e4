import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Db } from '../../src/platform/database/index.ts';

type Plan = {
  'Parent Relationship'?: string;
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

/** A scan has parts below it if its filter is a subquery, which PostgreSQL may run for each row. */
function rowsOf({ Plans: below = [], ...node }: Plan): number {
  const isRead = below.every((plan) => plan['Parent Relationship'] === 'SubPlan');
  const rows = isRead ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0;
  return below.reduce((sum, plan) => sum + rowsOf(plan), rows * node['Actual Loops']);
}
