import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/app/runs.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { chordLength, surfaceMetres, toEarthPoint } from '../../library/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { pageByKey } from './order.ts';
import { readTsvector } from './tsvector.ts';

// The index works these out by itself. PostgreSQL, or the plainest way, must give the same.

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

describe('the index, beside PostgreSQL', () => {
  it('weighs a word as ts_rank does, in any text', async () => {
    const run = fc.asyncProperty(text, text, text, text, async (...texts) => {
      const { rows } = await sql<{ search: string; ranks: Record<string, number> }>`
      select search::text, (
        select coalesce(json_object_agg(lexeme, ts_rank('{0.1, 0.3, 0.6, 1}', search, quote_literal(lexeme)::tsquery, 1)), '{}')
        from unnest(search)) as ranks
      from service_search(${texts[0]}, ${texts[1]}, ${texts[2]}, ${texts[3]}) as search`.execute(database.db);
      const weights = new Map(readTsvector(rows[0]!.search).map(({ lexeme, weight }) => [lexeme, weight]));
      const ranks = Object.entries(rows[0]!.ranks);
      expect([...weights.keys()].sort()).toEqual(ranks.map(([lexeme]) => lexeme).sort());
      for (const [lexeme, rank] of ranks) expect(weights.get(lexeme)).toBeCloseTo(rank, 5);
    });
    await fc.assert(run, { numRuns: runs(60) });
  });

  it('measures distances as earthdistance does', async () => {
    const [one, other] = [
      { latitude: 54, longitude: -2 },
      { latitude: 51.5, longitude: 0.1 },
    ];
    const { rows } = await sql<{ metres: number; chord: number }>`
    select earth_distance(ll_to_earth(54, -2), ll_to_earth(51.5, 0.1)) as metres, gc_to_sec(1000) as chord`.execute(
      database.db,
    );
    const [a, b] = [toEarthPoint(one), toEarthPoint(other)];
    expect(surfaceMetres(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z))).toBeCloseTo(rows[0]!.metres, 3);
    expect(chordLength(1000)).toBeCloseTo(rows[0]!.chord, 6);
  });
});

describe('a page', () => {
  it('has the items that a full sort puts there, also far down', () => {
    const keys = fc.array(fc.constantFrom(1, 2, 3, Infinity), { maxLength: 3000, size: 'max' });
    const run = fc.property(keys, fc.nat(3000), fc.integer({ min: 1, max: 60 }), (given, offset, limit) => {
      const items = given.map((key, index) => ({ item: (index * 7919) % 10_007, key }));
      const sorted = items
        .toSorted((one, other) =>
          one.key === other.key ? one.item - other.item : one.key < other.key ? -1 : 1,
        )
        .map(({ item }) => item);
      const page = pageByKey({ offset, limit }, (one, other) => one - other);
      for (const { item, key } of items) if (key <= page.maxKey) page.add(item, key);
      expect(page.items()).toEqual(sorted.slice(offset, offset + limit));
    });
    fc.assert(run, { numRuns: runs(40) });
  });
});
