import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { type Database, inTransaction } from './connect.ts';
import { type Columns, copyRows } from './copy-rows.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  await sql`
    create table copied (number integer generated always as identity, words text, whose uuid, small smallint,
      whole integer, is_so boolean, at timestamptz, point cube, week int4multirange)`.execute(database.db);
});
afterAll(() => database.close());

type Row = {
  words: string | null;
  whose: string | null;
  small: number | null;
  whole: number | null;
  isSo: boolean | null;
  at: Date | null;
  point: number[] | null;
  week: [number, number][];
};

const columns = {
  words: ({ words }, into) => into.text(words),
  whose: ({ whose }, into) => into.uuid(whose),
  small: ({ small }, into) => into.int2(small),
  whole: ({ whole }, into) => into.int4(whole),
  is_so: ({ isSo }, into) => into.boolean(isSo),
  at: ({ at }, into) => into.moment(at),
  point: ({ point }, into) => into.point(point),
  week: ({ week }, into) => into.ranges(week),
} satisfies Columns<Row>;

const copy = (rows: readonly Row[]) =>
  inTransaction(database.db, (trx) => copyRows(trx, 'copied', columns, rows));

const nothing: Row = {
  words: null,
  whose: null,
  small: null,
  whole: null,
  isSo: null,
  at: null,
  point: null,
  week: [],
};

test('what is copied is what INSERT would have stored', async () => {
  const whose = '2f1acc6c-3e6d-4d5b-9e59-6a0b2b8d2d0c';
  const at = new Date('1969-07-20T20:17:40.123Z');
  const long = 'a“é😀\\\n\t'.repeat(100_000);
  const numbers = { small: -2, whole: 2_000_000_000, isSo: false };
  const shape = {
    point: [0.25, -1.5, 6_378_168],
    week: [
      [600, 720],
      [0, 60],
      [60, 90],
    ] satisfies Row['week'],
  };
  await copy([{ words: 'it’s', whose, ...numbers, at, ...shape }, nothing, { ...nothing, words: long }]);
  await copy([]);
  const { rows } = await sql`
    select words, whose, small, whole, is_so, at, point::text, week::text from copied order by number`.execute(
    database.db,
  );
  const empty = { words: null, whose: null, small: null, whole: null, is_so: null, at: null, point: null };
  expect(rows).toEqual([
    {
      ...{ words: 'it’s', whose, small: -2, whole: 2_000_000_000, is_so: false, at },
      ...{ point: '(0.25, -1.5, 6378168)', week: '{[0,90),[600,720)}' },
    },
    { ...empty, week: '{}' },
    { ...empty, week: '{}', words: long },
  ]);
});

test('what PostgreSQL refuses is told by its code, and the connection is as good as before', async () => {
  const before = await sql`select from copied`.execute(database.db);
  await expect(copy([nothing, { ...nothing, words: 'NUL \0' }])).rejects.toMatchObject({ code: '22021' });
  await expect(
    inTransaction(database.db, (trx) => copyRows(trx, 'nowhere', columns, [nothing])),
  ).rejects.toMatchObject({ code: '42P01' });
  expect((await sql`select from copied`.execute(database.db)).rows.length).toBe(before.rows.length);
});
