import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { connect, type Database } from '../../../platform/database/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { withPackageTables } from './package-store.ts';

let own: Database;
let oneConnection: Database;
beforeAll(async () => {
  own = await testDatabase();
  oneConnection = connect(own.connection, createLog('silent'), 1);
});
afterAll(async () => {
  await oneConnection.close();
  await own.close();
});

describe('the temporary tables of a data package', () => {
  it('leave none behind if the second cannot be made', async () => {
    const { db } = oneConnection;
    await sql`create temporary table package_links ()`.execute(db);
    await expect(withPackageTables(db, () => Promise.resolve())).rejects.toThrow('already exists');
    expect(await withPackageTables(db, () => Promise.resolve('read'))).toBe('read');
  });
});
