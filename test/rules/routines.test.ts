import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, listSchemaLogic } from '../../src/platform/database/index.ts';
import { testDatabase } from '../database/test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('what the migrations make is what site check expects', async () => {
  // After a migration that makes or changes one: npx vitest run test/rules/routines.test.ts -u
  const text = `${JSON.stringify(await listSchemaLogic(database.db), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../migrations/routines.json');
});
