import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { binaryTexts, type Database } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase('none');
});
afterAll(() => database.close());

test.each([
  [[]],
  [['one']],
  [
    [
      '',
      null,
      'null',
      'NULL',
      '{}',
      '"quoted", \\ and, commas',
      'two\nlines',
      'Zoë 🦊 żółć',
      'x'.repeat(100_000),
    ],
  ],
])('texts of any kind arrive as they are', async (values: (string | null)[]) => {
  const { rows } = await sql<{ text: string | null }>`
    select text from unnest(${binaryTexts(values)}::text[]) with ordinality as given(text, place) order by place`.execute(
    database.db,
  );
  expect(rows.map(({ text }) => text)).toEqual(values);
});
