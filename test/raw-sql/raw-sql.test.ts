import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/database/index.ts';
import { testDatabase } from '../database/test-database.ts';
import { describeStatement } from './describe-statement.ts';
import { findStatements, type RawStatement, type ValueTypes } from './find-statements.ts';

// TypeScript checks what the query builder writes. What is written as SQL, PostgreSQL checks here: tables, columns, parameters
// and the row types that the code asserts, in every way that a statement can turn out. It cannot say whether a column may
// be null, nor read these functions; the tests of their rooms run them.
const severalConditions = 'its conditions are collected in a list';
const visibility = 'who asks decides its conditions';
const variableNames = 'it names tables or columns that only the database knows';
const ofPart = 'a function that is handed in writes part of it';
const unchecked: Readonly<Record<string, string>> = {
  'src/audit/search-store.ts listEntries': severalConditions,
  'src/delivery/test-site/outbox/captured-store.ts findCapturedMessage': visibility,
  'src/delivery/test-site/outbox/captured-store.ts listCapturedMessages': visibility,
  'src/delivery/send/jobs-store.ts listWithoutJob': 'the queue writes the condition on its own tables',
  'src/delivery/test-site/simulator/simulations-store.ts listSimulated': visibility,
  'src/library/edit/state/review-store.ts list': ofPart,
  'src/library/hsds/organizations-store.ts findOrganizationAnswer': 'its columns are chosen from a table',
  'src/platform/backup/list-tables.ts listSequences': variableNames,
  'src/platform/backup/move-site.ts readContent': variableNames,
  'src/platform/database/add-extensions.ts addExtensions': 'it names one extension after another',
  'src/platform/mail/mails-store.ts listWithoutJob': 'the queue writes the condition on its own tables',
  'src/referrals/listing/list-store.ts listReferrals': visibility,
  'src/referrals/listing/worklist/work-store.ts countReasons': visibility,
  'src/referrals/listing/worklist/words-store.ts findByWords': visibility,
  'src/referrals/listing/worklist/work-store.ts countChangedInWorklist': visibility,
  'src/referrals/listing/worklist/work-store.ts countWorklist': visibility,
  'src/referrals/listing/worklist/work-store.ts listWorklistRows': visibility,
  'src/referrals/record-keeping/erasure/vacuum-store.ts vacuumTables': 'it names one table after another',
  'src/referrals/submit/new-referrals-store.ts insertReferrals': 'its columns are those of a list',
  'src/reports/figures/tallied-counts-store.ts countOpen': 'its columns are those of a list of counts',
  'src/reports/figures/tallied-counts-store.ts countWaiting':
    'it has one part for each way to split referrals',
  'src/reports/figures/tallied-counts-store.ts tallyFacts': 'its columns are those of a list of counts',
  'src/reports/facts/days-store.ts fillDays': 'its columns are those of a list of counts',
  'src/reports/facts/facts-store.ts writeFacts': 'its columns are those of a list',
  'src/referrals/listing/worklist/filter-choices-store.ts listChoices': visibility,
  'src/reports/figures/status-counts-store.ts addUpDays': 'its columns are those of a list of counts',
  'src/reports/figures/counted-referrals-store.ts listCountedReferrals':
    'it has one condition for each figure',
  'src/search/follow/library-store.ts everyService': 'a cursor is read as often as there are rows',
  'src/search/listings/named-listings-store.ts all': ofPart,
  'src/search/listings/named-listings-store.ts find': ofPart,
  'src/search/listings/named-listings-store.ts readPage': 'it has one part for each wording',
  'src/webhooks/model/events-store.ts listEvents': visibility,
  'src/webhooks/model/events-store.ts findOldestAndLatest': visibility,
};

const root = join(import.meta.dirname, '..', '..');
const { statements, builtAtRunTime } = findStatements(root);
let database: Database;
let client: pg.Client;
let typeNames: ReadonlyMap<number, string>;

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ oid: number; name: string }>(
    'select oid, typname as name from pg_type',
  );
  typeNames = new Map(rows.map(({ oid, name }) => [oid, name]));
  // Tables that code makes for itself, such as those of an import.
  for (const { text } of statements.filter(({ text: each }) => /^\s*create (temporary )?table/.test(each)))
    await client.query(text);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** What pg and the site's own parsers make of a column of this type. */
function typesInRow(type: string): ValueTypes {
  if (type.startsWith('_')) return ['array'];
  if (['int2', 'int4', 'int8', 'float4', 'float8', 'oid'].includes(type)) return ['number'];
  if (type === 'bool') return ['boolean'];
  if (['timestamptz', 'timestamp'].includes(type)) return ['Date'];
  if (type === 'bytea') return ['Buffer'];
  if (['json', 'jsonb'].includes(type)) return ['string', 'number', 'boolean', 'array', 'object'];
  return ['string'];
}

/** What is taken for a parameter of this type. Dates, numbers and ids may be handed in as text. */
function typesAsParameter(type: string): ValueTypes {
  if (type === 'bytea' || type.startsWith('_')) return typesInRow(type);
  return [...typesInRow(type), 'string', ...(type === 'date' ? (['Date'] as const) : [])];
}

const differ = (code: ValueTypes, database: ValueTypes) =>
  code.some((kind) => kind !== 'unknown' && !database.includes(kind));

/** What of a statement does not fit the tables, in words; nothing where all does. */
async function faultsOf({ where, text, row, parameters }: RawStatement): Promise<string[]> {
  const at = `${where}: ${text.replace(/\s+/g, ' ').slice(0, 80)}`;
  try {
    const described = await describeStatement(client, text);
    const columns = new Map(described.columns.map(({ name, type }) => [name, typeNames.get(type)!]));
    const wrongColumns = [...(row ?? [])].flatMap(([name, kinds]) => {
      const type = columns.get(name);
      if (type === undefined) return [`${at}: has no column ${name}`];
      return differ(kinds, typesInRow(type)) ? [`${at}: ${name} is ${type}, not ${kinds.join(' or ')}`] : [];
    });
    const wrongParameters = described.parameters.flatMap((oid, index) => {
      const type = typeNames.get(oid)!;
      const given = parameters[index]!;
      return differ(given, typesAsParameter(type))
        ? [`${at}: $${index + 1} is ${type}, not ${given.join(' or ')}`]
        : [];
    });
    return [...wrongColumns, ...wrongParameters];
  } catch (error) {
    return [`${at}: ${(error as Error).message}`];
  }
}

describe('SQL written by hand', () => {
  it('fits the tables: columns, parameters and asserted row types', async () => {
    expect(statements.length).toBeGreaterThan(300);
    const faults: string[] = [];
    for (const statement of statements) faults.push(...(await faultsOf(statement)));
    expect(faults).toEqual([]);
  });

  it('is checked, except in functions that build it at run time', () => {
    expect(new Set(builtAtRunTime.map(({ name }) => name))).toEqual(new Set(Object.keys(unchecked)));
  });

  it.each([
    ['select nothing from accounts', {}, 'column "nothing" does not exist'],
    ['select name as title from accounts', { name: ['string'] }, 'has no column name'],
    ['select created_at from accounts', { created_at: ['string'] }, 'created_at is timestamptz, not string'],
  ])('would be refused as %s', async (text, row, fault) => {
    const given = { where: 'here', text, parameters: [], row: new Map(Object.entries(row)) };
    expect(await faultsOf(given)).toEqual([expect.stringContaining(fault)]);
  });
});
