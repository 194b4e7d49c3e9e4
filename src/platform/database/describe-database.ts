import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Which PostgreSQL it is, and up to which migration its tables are. */
export async function describeDatabase(db: Db): Promise<{ version: string; tables: string }> {
  const { rows } = await sql<{ version: string; tables: string }>`
    select current_setting('server_version') as version,
      (select max(name) from onward_migrations) as tables`.execute(db);
  return rows[0]!;
}
