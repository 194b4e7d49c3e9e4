import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { mustEnd } from '../../../test/must-end.ts';
import type { Database } from '../../platform/database/index.ts';
import { slipsBetween } from './alike-words.ts';
import { searchServices } from './search-services.ts';
import { hasSigns } from './text-query.ts';
import { typedWords, wordsOf } from './words.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test.each([
  ['"coffee morning"', true],
  ['lunch -club', true],
  ['-club', true],
  ['5" pipe', false],
  ['""', false],
  ['drop-in - any day', false],
])('whether %s has signs that say how its words are meant: %s', (search, expected) => {
  expect(hasSigns(search)).toBe(expected);
});

test('words are taken as the library spells them, apostrophes and all', () => {
  expect(typedWords("She can’t pay her neighbour's CAFÉ bill! 🙂 لاجئ")).toEqual([
    ...['she', 'cant', 'pay', 'her', 'neighbours', 'cafe', 'bill', 'لاجئ'],
  ]);
});

test('accents without end are taken off before anybody would give up', () => {
  // To look back at all of them for each would take hours.
  for (const letter of ['e', 'א']) mustEnd(() => wordsOf(letter + '\u0301'.repeat(2_000_000)));
  expect([...wordsOf('Mañana à la crème brûlée, Nguyễn')]).toEqual(['manana', 'creme', 'brulee', 'nguyen']);
});

test.each([
  ['husband', 'hand', 3],
  ['bereavment', 'bereavement', 1],
  ['befreinding', 'befriending', 2],
  ['', 'abc', 3],
])('from %s to %s it is so many slips: %i', (one, other, slips) => {
  expect(slipsBetween(one, other)).toBe(slips);
});

const signs = fc.stringMatching(/^[a-zé'"\\:*&|!<>()\- ]{0,40}$/);

test('no search whatever makes PostgreSQL complain', async () => {
  const request = {
    filters: {},
    today: '2026-11-21',
    sort: 'relevance',
    facets: [],
    form: 'summary',
    page: 1,
    perPage: 5,
  } as const;
  const searches = fc.oneof(
    signs,
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(searches, async (search) => {
      fc.pre(!search.includes('\0'));
      await expect(searchServices(database.db, { ...request, search })).resolves.toMatchObject({ total: 0 });
    }),
    { numRuns: 80 },
  );
});
