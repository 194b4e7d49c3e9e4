import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { slipsBetween } from './alike-words.ts';
import { searchServices } from './search-services.ts';
import { tellingWords } from './small-words.ts';
import { allWords, searchedWords, typedWords } from './text-query.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test.each([
  ['walking gro', 'walking ', 'gro'],
  ['café', '', 'café'],
  ['walk ', '', 'walk'],
  ['"coffee morning"', '"coffee morning"', undefined],
  ['"coffee morn', '"coffee morn', undefined],
  ['lunch -club', 'lunch -club', undefined],
  ['a', 'a', undefined],
  ['!!!', '!!!', undefined],
])('of %s the unfinished word is found', (search, before, last) => {
  expect(typedWords(search)).toEqual({ before, last });
});

test('an unfinished word is asked for by its beginning and by what the library has that begins so', () => {
  const typed = typedWords('help with Bereaveme');
  expect(allWords('help with Bereaveme', typed, ['bereavement'])).toMatchObject({
    web: 'help with ',
    ending: 'bereaveme:* | bereavement',
  });
});

test('the words of a search are those that stand for something', () => {
  expect(searchedWords('Debt or "Housing"? -no!')).toEqual(['debt', 'housing', 'no']);
});

test('small words and single letters are left out, unless there are no others', () => {
  expect(tellingWords(searchedWords("She can't pay the neighbour's bills"))).toEqual([
    'pay',
    'neighbour',
    'bills',
  ]);
  expect(tellingWords(['the', 's'])).toEqual(['the', 's']);
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
    { numRuns: 200 },
  );
});
