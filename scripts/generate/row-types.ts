import { Kysely, PostgresDialect } from 'kysely';
import { generate, getDialect, Logger } from 'kysely-codegen';
import pg from 'pg';

/** Writes the row types of all tables, as the migrations make them. */
export async function writeRowTypes(connection: pg.ClientConfig, outFile: string): Promise<void> {
  const pool = new pg.Pool(connection);
  // The server may stop before the last connection has said goodbye.
  pool.on('error', () => undefined);
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await generate({
      db,
      dialect: getDialect('postgres', { dateParser: 'string', numericParser: 'number' }),
      camelCase: false,
      excludePattern: 'graphile_worker.*',
      outFile,
      logger: new Logger('warn'),
      typeMapping: { int8: 'number' },
    });
  } finally {
    await db.destroy();
  }
}
