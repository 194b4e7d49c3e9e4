import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, listSchemaLogic } from '../../src/platform/database/index.ts';
import { testDatabase } from '../database/test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('the triggers and functions that migrations make', () => {
  it('are those that site check expects', async () => {
    // After a migration that adds or changes one, run npx vitest run test/rules/routines.test.ts -u
    const text = `${JSON.stringify(await listSchemaLogic(database.db), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../migrations/routines.json');
  });
});
