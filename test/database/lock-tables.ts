import type pg from 'pg';

/** Keeps tables locked, as another program may: nobody reads them. @returns what lets them go. */
export async function lockTables(pool: pg.Pool, ...tables: readonly string[]): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
