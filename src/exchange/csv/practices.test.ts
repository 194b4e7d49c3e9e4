import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storedListSize } from '../../../test/library/stored.ts';
import { findPractice } from '../../library/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { importPractices } from './practices.ts';

const clock = manualClock();
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const header = 'ods_code,name,address,city,postcode,latitude,longitude,phone';
const run = (text: string | Buffer) =>
  importPractices({ db: database.db, clock }, { name: 'A test' }, Readable.from([Buffer.from(text)]));

describe('an import of GP practices', () => {
  it('creates and updates practices, and leaves equal ones alone', async () => {
    const line = (phone: string) =>
      `${header}\nz90001,Mill Surgery,"1 Mill Lane, Sarrowby",,zt1 1aa,54.05,-2.1,${phone}\n`;
    expect(await run(`\ufeff${line('1')}`)).toMatchObject({ read: 1, created: 1 });
    expect(await run(gzipSync(line('1')))).toMatchObject({ read: 1, unchanged: 1 });
    expect(await run(line('2'))).toMatchObject({ read: 1, updated: 1 });
    expect(await findPractice(database.db, 'Z90001')).toEqual({
      odsCode: 'Z90001',
      name: 'Mill Surgery',
      address: '1 Mill Lane, Sarrowby',
      city: null,
      postcode: 'ZT1 1AA',
      latitude: 54.05,
      longitude: -2.1,
      phone: '2',
      channels: ['document'],
      closedOn: null,
    });
    expect(await findPractice(database.db, 'Z9\0')).toBeUndefined();
  });

  it('keeps how many people are registered, where the list says so', async () => {
    const runWith = (listSize: string) => {
      clock.moveOn(1000);
      return run(`ods_code,name,list_size\nL00001,Long List Surgery,${listSize}\n`);
    };
    const size = () => storedListSize(database.db, 'L00001');
    expect(await runWith('8500')).toMatchObject({ created: 1, rejected: 0 });
    expect(await size()).toBe(8500);
    expect(await runWith('8600')).toMatchObject({ updated: 1 });
    expect(await runWith('8600')).toMatchObject({ unchanged: 1 });
    expect(await run('ods_code,name\nL00001,Long List Surgery\n')).toMatchObject({ unchanged: 1 });
    expect(await size()).toBe(8600);
    expect((await runWith('many')).problems).toMatchObject([{ pointer: '/list_size' }]);
  });

  it('names the columns that it did not read', async () => {
    const { notes } = await run('ODS_Code,name,list size,region,\nN00001,Noted Surgery,8500,North,\n');
    expect(notes).toEqual(['Columns that were not read: list size, region.']);
    expect((await run('ods_code,name\nN00001,Noted Surgery\n')).notes).toEqual([]);
  });

  it('reports a bad line, and imports the others', async () => {
    const lines = [
      'ods_code,name,postcode,latitude',
      'B00001,Fine,,',
      'B00002,"never closed,,',
      'B-3,Bad code,,',
      'B00004,Bad place,nowhere,91x',
      'B00005,Short',
      'B00001,Again,,',
      'B00007,,ZT1 1AA,54',
      'B00008,North of north,,91',
    ];
    const result = await run(lines.join('\n'));
    expect(result).toMatchObject({ read: 8, created: 2, rejected: 6 });
    expect(result.problems.map(({ line, pointer }) => [line, pointer])).toEqual([
      [3, ''],
      [4, '/ods_code'],
      [5, '/postcode'],
      [5, '/latitude'],
      [6, ''],
      [7, '/ods_code'],
      [9, '/latitude'],
    ]);
    expect(await findPractice(database.db, 'B00007')).toMatchObject({ name: 'Practice B00007' });
  });

  it.each([
    '',
    'name,town\nx,y\n',
    '{"id":1}',
  ])('a file without the columns is refused whole: %s', async (text) => {
    await expect(run(text)).rejects.toMatchObject({
      kind: { type: 'unprocessable' },
      detail: /Missing: ods_code/,
    });
  });

  it('waits for another one, whatever the order of their lines', async () => {
    const lines = (phone: string) =>
      Array.from({ length: 900 }, (_, n) => `C${10_000 + n},Practice ${n},,,,,,${phone}`);
    await run(`${header}\n${lines('0').join('\n')}`);
    const results = await Promise.all([
      run(`${header}\n${lines('1').join('\n')}`),
      run(`${header}\n${lines('2').toReversed().join('\n')}`),
    ]);
    expect(results.map(({ updated }) => updated)).toEqual([900, 900]);
  });

  it('is in the audit even if the file breaks off', async () => {
    async function* breakingOff() {
      const lines = Array.from({ length: 1001 }, (_, index) => `X${10_000 + index},Surgery,,,,,,`);
      yield Buffer.from(`${[header, ...lines].join('\n')}\n`);
      throw new Error('no more');
    }
    await expect(
      importPractices({ db: database.db, clock }, { name: 'A hasty one' }, breakingOff()),
    ).rejects.toThrow('no more');
    expect(await storedEntries(database.db, { actorName: 'A hasty one' })).toMatchObject([
      { action: 'practices.imported', details: { created: 1000, interrupted: true } },
    ]);
  });
});
