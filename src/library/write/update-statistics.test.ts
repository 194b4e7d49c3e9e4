import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { withoutTable } from '../../../test/database/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { connect } from '../../platform/database/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { updateStatistics } from './services-store.ts';

describe('updating PostgreSQL’s statistics', () => {
  it('leaves the connection as it was, also if it fails', async () => {
    const own = await testDatabase();
    const oneConnection = connect(own.connection, createLog('silent'), 1);
    await withoutTable(own.db, 'taxonomy_terms', async () => {
      await expect(updateStatistics(oneConnection.db)).rejects.toThrow('does not exist');
    });
    const { rows } = await sql<{ target: string }>`
      select current_setting('default_statistics_target') as target`.execute(oneConnection.db);
    expect(rows).toEqual([{ target: '100' }]);
    await oneConnection.close();
    await own.close();
  });
});
