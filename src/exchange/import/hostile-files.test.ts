import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeZip } from '../../../test/app/make-zip.ts';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import type { Database } from '../../platform/database/index.ts';
import { importPostcodes } from '../csv/postcodes.ts';
import { importPractices } from '../csv/practices.ts';
import { importServices } from './import-services.ts';
import type { Bytes } from './read/bytes.ts';

// Files that are made to keep a site busy: a few kilobytes that unpack to millions of records, each of them refused.

const deps = { clock: manualClock(), db: undefined as unknown as Database['db'] };
const actor = { name: 'A test' };
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  deps.db = database.db;
});
beforeEach(() => emptyLibrary(database.db));
afterAll(() => database.close());

/**
 * A file without an end. No part of it has to be waited for, so its reader never gives others a turn unless it means
 * to.
 */
async function* endless(beginning: string, rest: string | ((number: number) => string)): Bytes {
  yield Buffer.from(beginning);
  for (let number = 0; ; number += 1) {
    yield Buffer.from(typeof rest === 'string' ? rest.repeat(1000) : rest(number));
  }
}
const stopped = new Error('stopped');
/** A signal that is aborted in the next turns of the event loop, which never come while a reader spins. */
function soon(): AbortSignal {
  const stopping = new AbortController();
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (turns === 5) stopping.abort(stopped);
    else setImmediate(turn);
  };
  setImmediate(turn);
  return stopping.signal;
}
const good = (id: number) => `{"id":"s${id}","name":"S","status":"active"}`;

const bad = '{}\n';
/** Thousands of them, each another. */
const aPostcode = (number: number) =>
  `ZT${(number % 9) + 1} ${Math.floor(number / 9) % 10}${'ABDEFGHJLN'[Math.floor(number / 90) % 10]}${'ABDEFGHJLN'[Math.floor(number / 900) % 10]}`;

describe('a file without an end', () => {
  it.each([
    ['blank lines', '', '\n'],
    ['blanks before the first record', ' ', ' \n'],
    ['blanks in a list', '[', ' \n'],
    ['a record that never ends', '{"id":"', 'x'],
    ['good records among bad ones', '', (number: number) => `${good(number)}\n${bad.repeat(500)}`],
    ['pages', '', (number: number) => `{"contents":[${good(number)}${',{}'.repeat(500)}]}\n`],
    ['a list', '[', (number: number) => `${good(number)},${'{},'.repeat(500)}`],
  ])('can be stopped: %s', async (_name, beginning, rest) => {
    const file = endless(beginning, rest);
    await expect(importServices(deps, actor, file, { dryRun: true, signal: soon() })).rejects.toBe(stopped);
  });

  it.each([
    ['blank lines of a list of postcodes', '\n'],
    ['postcodes among bad lines', (number: number) => `${aPostcode(number)},54,-2\n${'x\n'.repeat(500)}`],
    ['a line of it that never ends', 'x'],
  ])('can be stopped: %s', async (_name, rest) => {
    const file = endless('postcode,latitude,longitude\n', rest);
    const reading = importPostcodes(deps, actor, file, { dryRun: true, signal: soon() });
    await expect(reading).rejects.toBe(stopped);
  });
});

describe('an import of a thousand bad records in a row', () => {
  const gaveUp = (read: string) =>
    `The import gave up after 1,000 records in a row that could not be taken, ${read} records in. What comes after them was not read. What was stored before them stays, and nothing was made inactive.`;

  it.each([
    ['lines', endless('', bad)],
    ['a list', endless('[', '{},')],
    ['a page', endless('{"contents":[', '{},')],
    ['pages', endless('', `{"contents":[${'{},'.repeat(3000)}{}]}\n`)],
    ['packed lines', Readable.from([gzipSync(bad.repeat(300_000))])],
    ['nonsense', endless('', '}\n')],
  ])('gives up on %s', async (_name, file) => {
    const result = await importServices(deps, actor, file);
    expect(result).toMatchObject({ read: 1000, rejected: 1000, created: 0, gaveUp: gaveUp('1,000') });
    expect(result.notes[0]).toBe(result.gaveUp);
    expect(result.problems).toHaveLength(1000);
  });

  it('keeps what was stored before, and makes nothing inactive', async () => {
    const whole = { source: 'Council', complete: true };
    await importServices(deps, actor, Readable.from([Buffer.from(good(1))]), whole);
    const beginning = `${good(2)}\n${good(3)}\n${bad.repeat(999)}${good(4)}\n`;
    const result = await importServices(deps, actor, endless(beginning, bad), whole);
    expect(result).toMatchObject({ created: 3, inactive: 0, rejected: 1999, gaveUp: gaveUp('2,002') });
  });

  it('goes on after 999 of them', async () => {
    const text = `${bad.repeat(999)}${good(1)}\n${bad.repeat(999)}`;
    const result = await importServices(deps, actor, Readable.from([Buffer.from(text)]));
    expect(result).toMatchObject({ created: 1, rejected: 1998 });
    expect(result).not.toHaveProperty('gaveUp');
  });

  it('gives up on the rows of a package', async () => {
    const zip = makeZip({ 'services.csv': `id,name,status\na,A,active\n${'x,y,z,too many\n'.repeat(5000)}` });
    const result = await importServices(deps, actor, Readable.from([zip]));
    expect(result).toMatchObject({ created: 0, rejected: 1000, gaveUp: gaveUp('1,000') });
  });

  it.each([
    [
      'postcodes',
      () => importPostcodes(deps, actor, endless('postcode,latitude,longitude\nZT1 1AA,54,-2\n', 'x,\n')),
    ],
    [
      'quotation marks',
      () =>
        importPostcodes(
          deps,
          actor,
          endless('postcode,latitude,longitude\nZT1 2AA,54,-2\n', `"${'""'.repeat(30)}\n`),
        ),
    ],
    ['practices', () => importPractices(deps, actor, endless('ods_code,name\nA81001,Surgery\n', 'x,\n'))],
  ])('gives up on the lines of a list: %s', async (_name, read) => {
    expect(await read()).toMatchObject({ created: 1, read: 1001, rejected: 1000, gaveUp: gaveUp('1,001') });
  });
});

describe('a packed file', () => {
  it('may be small or shrink well, but not both', async () => {
    const packed = (bytes: number) => Readable.from([gzipSync(`${good(1)}\n${' '.repeat(bytes)}`)]);
    expect(await importServices(deps, actor, packed(1000 * 1000))).toMatchObject({ read: 1, rejected: 0 });
    await expect(importServices(deps, actor, packed(1100 * 1000))).rejects.toMatchObject({
      detail: 'The file unpacks to more than 200 times its size.',
    });
  });
});

describe('a record with an overlong list', () => {
  it('is imported without the list that is too long', async () => {
    const crowded = `{"id":"a","name":"A","status":"active","attributes":[${'{},'.repeat(20_000)}{}]}`;
    const { created, leftOut } = await importServices(deps, actor, Readable.from([Buffer.from(crowded)]));
    expect(created).toBe(1);
    expect(leftOut.csv).toContain('must have at most 10000 entries');
  });
});
