import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { Bits } from './bits.ts';
import { PackedTexts } from './packed-texts.ts';
import { chordOf, metresOf, spotOf } from './spot.ts';
import { weighWords } from './tsvector.ts';
import { Vocabulary } from './vocabulary.ts';
import { windowOf } from './window-of.ts';

// What the catalogue reckons by itself is what PostgreSQL reckoned, or what the plainest way would give.

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const word = fc.constantFrom(
  'lunch',
  'club',
  'friend',
  'café',
  "o'neill's",
  'back\\slash',
  'drop-in',
  'walk',
  'the',
);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));

test('a word weighs what ts_rank says, whatever the text is', async () => {
  const run = fc.asyncProperty(text, text, text, text, async (...texts) => {
    const { rows } = await sql<{ search: string; ranks: Record<string, number> }>`
      select search::text, (
        select coalesce(json_object_agg(lexeme, ts_rank('{0.1, 0.3, 0.6, 1}', search, quote_literal(lexeme)::tsquery, 1)), '{}')
        from unnest(search)) as ranks
      from service_search(${texts[0]}, ${texts[1]}, ${texts[2]}, ${texts[3]}) as search`.execute(database.db);
    const weights = new Map<string, number>();
    weighWords(rows[0]!.search, (lexeme, weight) => weights.set(lexeme, weight));
    const ranks = Object.entries(rows[0]!.ranks);
    expect([...weights.keys()].sort()).toEqual(ranks.map(([lexeme]) => lexeme).sort());
    for (const [lexeme, rank] of ranks) expect(weights.get(lexeme)).toBeCloseTo(rank, 5);
  });
  await fc.assert(run, { numRuns: 60 });
});

test('words are as much alike as pg_trgm says', async () => {
  const words = [
    'befriending',
    'friend',
    'friends',
    'bereavement',
    'banana',
    'bandana',
    'counselling',
    'council',
  ];
  const vocabulary = new Vocabulary();
  for (const each of words) vocabulary.add(each, each);
  for (const typed of ['befreinding', 'frends', 'bananas', 'counciling', 'xyzzy']) {
    const { rows } = await sql<{ alike: string; similarity: number }>`
      select word as alike, similarity(word, ${typed}) as similarity from unnest(${words}::text[]) as word
      where word % ${typed} order by 2 desc, 1`.execute(database.db);
    const found = vocabulary.wordsLike(typed);
    expect(found.map(({ alike }) => alike)).toEqual(rows.map(({ alike }) => alike));
    for (const [index, { similarity }] of found.entries()) {
      expect(similarity).toBeCloseTo(rows[index]!.similarity, 5);
    }
  }
});

test('distances are those of earthdistance', async () => {
  const [one, other] = [
    { latitude: 54, longitude: -2 },
    { latitude: 51.5, longitude: 0.1 },
  ];
  const { rows } = await sql<{ metres: number; chord: number }>`
    select earth_distance(ll_to_earth(54, -2), ll_to_earth(51.5, 0.1)) as metres, gc_to_sec(1000) as chord`.execute(
    database.db,
  );
  const [a, b] = [spotOf(one), spotOf(other)];
  expect(metresOf(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z))).toBeCloseTo(rows[0]!.metres, 3);
  expect(chordOf(1000)).toBeCloseTo(rows[0]!.chord, 6);
});

test('a window has what stands there when all are sorted, near the top and far down', async () => {
  const keys = fc.array(fc.constantFrom(1, 2, 3, Infinity), { maxLength: 3000, size: 'max' });
  const run = fc.asyncProperty(
    keys,
    fc.nat(3000),
    fc.integer({ min: 1, max: 60 }),
    async (given, offset, limit) => {
      const items = given.map((_, index) => (index * 7919) % 10_007);
      const sorted = items
        .map((item, index) => ({ item, key: given[index]! }))
        .sort((one, other) => (one.key === other.key ? one.item - other.item : one.key < other.key ? -1 : 1))
        .map(({ item }) => item);
      const byItem = (one: number, other: number) => one - other;
      const known = { items, keys: Float64Array.from(given) };
      const guessed = { items, keys: known.keys.map((key) => key - 0.5), keyAt: (at: number) => given[at]! };
      for (const keyed of [known, guessed]) {
        const window = await windowOf(keyed, byItem, { offset, limit });
        expect(window).toEqual(sorted.slice(offset, offset + limit));
      }
    },
  );
  await fc.assert(run, { numRuns: 40 });
});

test('bits are as many as were set, and in their order', () => {
  const ordinals = fc.uniqueArray(fc.nat(200));
  fc.assert(
    fc.property(ordinals, ordinals, (one, other) => {
      const [bits, others] = [one, other].map((each) => {
        const made = new Bits(201);
        for (const ordinal of each) made.set(ordinal);
        return made;
      }) as [Bits, Bits];
      expect(bits.ordinals()).toEqual(one.toSorted((a, b) => a - b));
      expect(bits.count()).toBe(one.length);
      expect(bits.and(others).ordinals()).toEqual(bits.ordinals().filter((each) => other.includes(each)));
      expect(new Set(bits.or(others).ordinals())).toEqual(new Set([...one, ...other]));
    }),
  );
});

test('packed texts are found and compared as texts are, the newest of each', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.uuid()), {
    minLength: 1,
  });
  fc.assert(
    fc.property(texts, fc.nat(2000), (some, more) => {
      const packed = new PackedTexts();
      const newest = new Map<string, number>();
      const all = [...some, ...Array.from({ length: more }, (_, number) => `a${number}`), ...some];
      for (const text of all) newest.set(text, packed.add(text));
      packed.settle();
      newest.set('one more', packed.add('one more'));
      for (const [text, number] of newest)
        expect([packed.find(text), packed.at(number)]).toEqual([number, text]);
      expect(packed.find('nobody')).toBeUndefined();
      const bytes = (number: number) => Buffer.from(packed.at(number));
      expect(Math.sign(packed.compare(0, packed.count - 1))).toBe(bytes(0).compare(bytes(packed.count - 1)));
    }),
    { numRuns: 30 },
  );
});
