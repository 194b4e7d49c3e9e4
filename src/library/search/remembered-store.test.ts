import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { remembered, rememberedPage } from './remembered-store.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** The answer to a question of so many rows; each number is another question. */
const answer = (rows: number, number: number) =>
  remembered(database.db, 1, sql`select ${number}::int as number from generate_series(1, ${rows}::int)`);

/** A page without contents, by a key of so many letters. */
const page = (letters: number, number: number) =>
  rememberedPage(database.db, 'x'.repeat(letters) + number, async (version) => ({
    version,
    size: 0,
    contents: [],
  }));

test('an answer is remembered until many others, or few that are large, have come since', async () => {
  const first = await answer(1, 0);
  for (let number = 1; number <= 100; number += 1) await answer(1, number);
  expect(await answer(1, 0)).toBe(first);
  // As what almost every service has, which anybody may ask for in ever other words.
  for (let number = 1; number <= 10; number += 1) await answer(100_000, number);
  expect(await answer(1, 0)).not.toBe(first);
});

test('a page is forgotten for others whose keys are long, as those are that name every organisation', async () => {
  const first = await page(0, 0);
  for (let number = 1; number <= 100; number += 1) await page(1, number);
  expect(await page(0, 0)).toBe(first);
  for (let number = 1; number <= 10; number += 1) await page(1_000_000, number);
  expect(await page(0, 0)).not.toBe(first);
});
