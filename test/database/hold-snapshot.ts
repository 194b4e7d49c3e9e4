import type pg from 'pg';

/** Reads a table as a backup does: what it saw at first stays readable to it. @returns what ends it. */
export async function readSteadily(pool: pg.Pool, table: string): Promise<() => Promise<void>> {
  const reader = await pool.connect();
  await reader.query(`begin isolation level repeatable read; select from ${table} limit 1`);
  return async () => {
    await reader.query('commit');
    reader.release();
  };
}
