import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { deletePostcodes, storedDeciles } from '../../../test/library/stored.ts';
import { locate, readPostcode } from '../../library/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { importPostcodes, SeenPostcodes } from './postcodes.ts';

const clock = manualClock();
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => deletePostcodes(database.db));
afterAll(() => database.close());

const run = (text: string | Buffer, options: { dryRun?: boolean } = {}) => {
  const source = Readable.from([Buffer.from(text)]);
  return importPostcodes({ db: database.db, clock }, { name: 'A test' }, source, options);
};
const at = async (typed: string) => {
  const found = await locate(database.db, typed);
  return found && [found.latitude, found.longitude, found.precision];
};

const file = 'postcode,latitude,longitude\nZT1 1AA,54.05,-2.15\nzt11ab,54.06,-2.16\n';

const unit = (n: number) =>
  String.fromCharCode(65 + (Math.floor(n / 10) % 26), 65 + (Math.floor(n / 260) % 26));

describe('an import of postcodes', () => {
  it('creates and moves postcodes, and leaves the same ones alone', async () => {
    expect(await run(file)).toMatchObject({ read: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 });
    expect(await run(gzipSync(file))).toMatchObject({ read: 2, created: 0, updated: 0, unchanged: 2 });
    expect(await run(file.replace('54.06', '54.07'))).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await at('zt1 1ab')).toEqual([54.07, -2.16, 'postcode']);
    const newest = (await storedEntries(database.db, { action: 'postcodes.imported' })).at(-1);
    expect(newest!.details.updated).toBe(1);
  });

  it('keeps each postcode’s decile of deprivation and its year', async () => {
    const lines = [
      'postcode,latitude,longitude,imd_decile,imd_year',
      'ZT1 1AA,54.05,-2.15,1,2025',
      'ZT1 1AB,54.06,-2.16,,',
      'ZT1 1AC,54.06,-2.16,11,2025',
      'ZT1 1AD,54.06,-2.16,3,',
    ];
    const result = await run(lines.join('\n'));
    expect(result).toMatchObject({ created: 2, rejected: 2 });
    expect(result.problems.map(({ line, pointer }) => [line, pointer])).toEqual([
      [4, '/imd_decile'],
      [5, '/imd_year'],
    ]);
    expect(await storedDeciles(database.db)).toEqual([
      { postcode: 'ZT1 1AA', imd_decile: 1, imd_year: 2025 },
      { postcode: 'ZT1 1AB', imd_decile: null, imd_year: null },
    ]);
  });

  it('says in a dry run what would change, and writes nothing', async () => {
    await run(file);
    const changed = `${file.replace('54.06', '54.07')}ZT1 1AC,54,-2\nbad,1,2\n`;
    const said = { read: 4, created: 1, updated: 1, unchanged: 1, rejected: 1 };
    expect(await run(changed, { dryRun: true })).toMatchObject(said);
    expect(await at('ZT1 1AB')).toEqual([54.06, -2.16, 'postcode']);
    expect(await run(changed)).toMatchObject(said);
  });

  it('reads the ONS directory, also postcodes without a position', async () => {
    const directory = [
      '\ufeff"pcd","pcd2","pcds","dointr","lat","long"',
      '"ZT1 1AA","ZT1  1AA","ZT1 1AA","198001",54.05,-2.15',
      'ZT111BB,ZT11 1BB,ZT11 1BB,198001,54.15,-2.25',
      'JE1 1AA,JE1  1AA,JE1 1AA,198001,99.999999,0.000000',
    ];
    expect(await run(directory.join('\r\n'))).toMatchObject({ read: 3, created: 3, rejected: 0 });
    expect(await at('ZT11 1BB')).toEqual([54.15, -2.25, 'postcode']);
    expect(await at('JE1 1AA')).toBeUndefined();
    expect(await run(directory.join('\n'))).toMatchObject({ unchanged: 3 });
  });

  it('reports a bad line, and imports the others', async () => {
    const lines = [
      'Latitude,Longitude,Postcode',
      '54.05,-2.15,ZT1 1AA',
      '54.05,-2.15,nonsense',
      '-2.15,54.05,ZT1 1AB',
      '54.05,,ZT1 1AC',
      '54.05,-2.15',
      '54.05,-2.15,"ZT1 1AD',
      '54.06,-2.16,zt1 1aa',
      '5e1,0x1,ZT1 1AE',
      '54.05,-2.15,ZT1 \0AA',
      '54.05,-2.15,"ZT1 1AF"',
    ];
    const result = await run(lines.join('\n'));
    expect(result).toMatchObject({ read: 10, created: 2, rejected: 8 });
    expect(result.problems.map(({ line, pointer }) => [line, pointer])).toEqual([
      [3, '/postcode'],
      [4, '/latitude'],
      [4, '/longitude'],
      [5, '/longitude'],
      [6, ''],
      [7, ''],
      [8, '/postcode'],
      [9, '/latitude'],
      [9, '/longitude'],
      [10, '/postcode'],
    ]);
    expect(await at('ZT1 1AA')).toEqual([54.05, -2.15, 'postcode']);
    expect(await at('ZT1 1AF')).toEqual([54.05, -2.15, 'postcode']);
  });

  it('imports what a truncated file holds, and reports the damage', async () => {
    const rows = Array.from(
      { length: 6000 },
      (_, n) => `ZT1 ${n % 10}${unit(n)},54.${(n * 7919) % 100_003},-2.1`,
    );
    const packed = gzipSync(`postcode,latitude,longitude\n${rows.join('\n')}`);
    const result = await run(packed.subarray(0, packed.length / 2));
    expect(result.problems.at(-1)?.reason).toContain('damaged or cut short');
    expect(result.created).toBeGreaterThan(0);
    const notUtf8 = Buffer.concat([Buffer.from(file), Buffer.from([0xff, 0xfe, 0x0a])]);
    expect((await run(notUtf8)).problems).toEqual([{ line: 4, pointer: '', reason: 'is not UTF-8 text' }]);
  });

  it('creates each postcode once when two imports run together', async () => {
    const rows = Array.from({ length: 6000 }, (_, n) => `ZT2 ${n % 10}${unit(n)},54.05,-2.15`);
    const text = `postcode,latitude,longitude\n${rows.join('\n')}`;
    const backwards = `postcode,latitude,longitude\n${rows.toReversed().join('\n')}`;
    const [one, two] = await Promise.all([run(text), run(backwards)]);
    expect(one.created + two.created).toBe(6000);
    expect([one.rejected, two.rejected]).toEqual([0, 0]);
  });

  it.each([
    '',
    'latitude,longitude\n1,2\n',
    '{"id":1}',
  ])('refuses a file without the right columns: %s', async (text) => {
    await expect(run(text)).rejects.toMatchObject({
      kind: { type: 'unprocessable' },
      detail: /Missing: postcode/,
    });
  });
});

describe('an unknown postcode', () => {
  it('is placed in its sector, or else in its district', async () => {
    await run(`postcode,latitude,longitude
ZT1 1AA,54.00,-2.00
ZT1 1AB,54.02,-2.04
ZT1 2AA,54.10,-2.10
ZT1 2AB,99.999999,0
ZT11 1AA,54.90,-2.90
`);
    expect(await at('ZT1 1AA')).toEqual([54, -2, 'postcode']);
    expect(await at('ZT1 1ZZ')).toEqual([54.01, -2.02, 'sector']);
    expect(await at('ZT1 2AB')).toEqual([54.1, -2.1, 'sector']);
    expect(await at('ZT1 9ZZ')).toEqual([54.04, -2.04667, 'district']);
    expect(await at('ZT11 2ZZ')).toEqual([54.9, -2.9, 'district']);
    for (const unknown of ['ZT2 1AA', 'Z1 1AA', 'nonsense', '', 'ZT1', 'ZT1 1\0A', '%', 'ZT1 1__']) {
      expect(await at(unknown), unknown).toBeUndefined();
    }
  });
});

describe('the set of postcodes seen so far', () => {
  it('holds a postcode once it was added, and never before', () => {
    const letters = fc.constantFrom(...'ABYZ');
    const postcodes = fc
      .tuple(fc.constantFrom('ZT1', 'Z1', 'ZT11', 'GIR'), fc.constantFrom(...'0189'), letters, letters)
      .map(([district, ...unit]) => `${district} ${unit.join('')}`);
    fc.assert(
      fc.property(fc.array(postcodes), (texts) => {
        const seen = new SeenPostcodes();
        const known = new Set<string>();
        for (const text of texts) {
          expect(seen.add(readPostcode(text)!)).toBe(!known.has(text));
          known.add(text);
        }
      }),
    );
  });
});
