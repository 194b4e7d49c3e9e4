import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/database.ts';
import { emptyLibrary } from '../../../../test/empty-library.ts';
import { makeZip } from '../../../../test/make-zip.ts';
import { manualClock } from '../../../../test/manual-clock.ts';
import { theSite } from '../../../accounts/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { findServiceDocument } from '../../services/store.ts';
import { importServices } from '../import-services.ts';

const clock = manualClock();
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => emptyLibrary(database.db));
afterAll(() => database.close());

const bring = (zip: Buffer, options = {}) =>
  importServices({ db: database.db, clock }, theSite, Readable.from([zip]), options);
const read = async (id: string) => {
  const { last_modified: _, ...service } = JSON.parse((await findServiceDocument(database.db, id)) ?? '{}');
  return service;
};

const tables = {
  'data/services.csv':
    '\ufeffid,organization_id,name,status,minimum_age,colour\r\nw,o,"Walks, ""slow""\nand fast",active,18,green\r\nt,o,Talks,active,,\r\n',
  'data/organizations.csv': 'id,name,description\no,Trust,Does good\nidle,Idle Club,Nothing yet\n',
  'data/locations.csv': 'id,location_type,latitude,longitude\nl,physical,54.05,-2.15\nw,virtual,,\n',
  'data/service_at_locations.csv': 'id,service_id,location_id\nsl,w,l\n',
  'data/addresses.csv': 'id,location_id,address_1,city\na,l,1 High Street,Caf\u00e9 Town\n',
  'data/phones.csv':
    'id,service_id,location_id,number\np1,w,,01632 960001\np2,,l,01632 960002\np3,nobody,,01632 960003\n',
  'data/languages.csv': 'id,phone_id,name,code\nx,p2,Polish,pl\n',
  'data/attributes.csv': 'id,link_id,link_entity,taxonomy_term_id\ny,w,service,n1\nz,w,location,n2\n',
  'data/taxonomy_terms.csv': 'id,name,taxonomy_id\nn1,Lonely,need\nn2,Unused here,need\nn3,Never used,need\n',
  'data/taxonomies.csv': 'id,name,description\nneed,Need,What people need\n',
  'data/schedules.csv': 'id,service_id,freq,byday,opens_at,closes_at\ns,w,WEEKLY,TU,10:00,12:00\n',
  'data/meta_table_descriptions.csv': 'id,name\n',
  'readme.txt': 'hello',
};

test('tables of version 3.0 become services with all that hangs on them, whatever the files are in', async () => {
  const windows = { ...tables, 'data/addresses.csv': Buffer.from(tables['data/addresses.csv'], 'latin1') };
  const result = await bring(makeZip(windows));
  expect(result).toMatchObject({ created: 4, rejected: 1 });
  expect(result.problems).toEqual([
    {
      file: 'data/phones.csv',
      line: 4,
      id: 'p3',
      pointer: '/service_id',
      reason: 'names a service that the package does not have',
    },
  ]);
  expect(await read('w')).toEqual({
    id: 'w',
    name: 'Walks, "slow"\nand fast',
    status: 'active',
    minimum_age: 18,
    colour: 'green',
    organization: { id: 'o', name: 'Trust', description: 'Does good' },
    phones: [{ id: 'p1', number: '01632 960001' }],
    schedules: [{ id: 's', freq: 'WEEKLY', byday: 'TU', opens_at: '10:00', closes_at: '12:00' }],
    service_at_locations: [
      {
        id: 'sl',
        location: {
          id: 'l',
          location_type: 'physical',
          latitude: 54.05,
          longitude: -2.15,
          addresses: [{ id: 'a', address_1: '1 High Street', city: 'Caf\u00e9 Town' }],
          phones: [
            { id: 'p2', number: '01632 960002', languages: [{ id: 'x', name: 'Polish', code: 'pl' }] },
          ],
        },
      },
    ],
    attributes: [
      {
        id: 'y',
        link_entity: 'service',
        taxonomy_term_id: 'n1',
        taxonomy_term: {
          id: 'n1',
          name: 'Lonely',
          description: '',
          taxonomy_id: 'need',
          taxonomy_detail: { id: 'need', name: 'Need', description: 'What people need' },
        },
      },
    ],
  });
  const { rows } = await sql<{ id: string }>`
    select id from organizations union all select id from taxonomy_terms order by id`.execute(database.db);
  expect(rows.map(({ id }) => id)).toEqual(['idle', 'n1', 'n3', 'o']);
  expect(await bring(makeZip(windows))).toMatchObject({ created: 0, updated: 0, unchanged: 4, rejected: 1 });
});

test('tables of older versions are read by their names of then', async () => {
  const old = {
    'services.csv': 'id,organization_id,name,fees\nw,o,Walks,Free\n',
    'organizations.csv': 'id,name,url,year_incorporated\no,Trust,https://example.org,1999-05-01\n',
    'locations.csv': 'id,name\nl,Hall\n',
    'services_at_location.csv': 'id,service_id,location_id\nsl,w,l\n',
    'physical_addresses.csv':
      'id,location_id,address_1,address_2,address_3\na,l,Hall,High Street,Upper Town\n',
    'regular_schedules.csv': 'id,service_id,weekday,opens_at\ns,w,2,10:00\n',
    'holiday_schedules.csv': 'id,service_id,closed,start_date,end_date\nh,w,true,2026-12-24,2026-12-27\n',
    'accessibility_for_disabilities.csv': 'id,location_id,accessibility\nx,l,Ramp\n',
    'eligibility.csv': 'id,service_id,eligibility\ne,w,Over 60\n',
    'taxonomy.csv': 'id,name,parent_id,parent_name,vocabulary\nn1,Lonely,,,Needs\n',
    'services_taxonomy.csv': 'id,service_id,taxonomy_id,taxonomy_detail\ny,w,n1,very\n',
    'languages.csv': 'id,service_id,language\ng,w,Welsh\n',
    'mystery.csv': 'id\n1\n',
  };
  const result = await bring(makeZip(old));
  expect(result.problems).toEqual([
    { file: 'mystery.csv', line: 1, pointer: '', reason: 'is not a table of HSDS' },
  ]);
  expect(await read('w')).toEqual({
    id: 'w',
    name: 'Walks',
    status: 'active',
    fees: 'Free',
    fees_description: 'Free',
    eligibility_description: 'Over 60',
    organization: { id: 'o', name: 'Trust', website: 'https://example.org', year_incorporated: 1999 },
    languages: [{ id: 'g', name: 'Welsh' }],
    schedules: [
      { id: 's', freq: 'WEEKLY', byday: 'TU', opens_at: '10:00' },
      { id: 'h', valid_from: '2026-12-24', valid_to: '2026-12-27', description: 'Closed' },
    ],
    service_at_locations: [
      {
        id: 'sl',
        location: {
          id: 'l',
          name: 'Hall',
          location_type: 'physical',
          addresses: [
            { id: 'a', address_1: 'Hall', address_2: 'High Street, Upper Town', address_type: 'physical' },
          ],
          accessibility: [{ id: 'x', description: 'Ramp' }],
        },
      },
    ],
    attributes: [
      {
        id: 'y',
        link_entity: 'service',
        taxonomy_term_id: 'n1',
        value: 'very',
        taxonomy_term: { id: 'n1', description: '', name: 'Lonely', taxonomy: 'Needs' },
      },
    ],
  });
});

test('a description of the package names files that are called otherwise', async () => {
  const described = {
    'datapackage.json': JSON.stringify({ resources: [{ name: 'service', path: 'angebote.csv' }] }),
    'angebote.csv': 'id,name\nw,Walks\n',
  };
  expect(await bring(makeZip(described))).toMatchObject({ created: 1, rejected: 0 });
});

test('a broken row is reported and those after it are read; nothing vanishes then', async () => {
  const one = { 'services.csv': 'id,name\na,A\nb,B\nc,C\n' };
  await bring(makeZip(one), { source: 'weekly' });
  const broken = { 'services.csv': 'id,name\na,A\nb,"B" oops\nc,C,,\n' };
  const result = await bring(makeZip(broken), { source: 'weekly', complete: true });
  expect(result).toMatchObject({ unchanged: 1, inactive: 0, rejected: 2 });
  expect(result.problems.map(({ file, line }) => [file, line])).toEqual([
    ['services.csv', 3],
    ['services.csv', 4],
  ]);
});

test.each([
  ';',
  '\t',
])('of a table that separates its columns with %j that is said, once', async (separator) => {
  const services = 'id,name,status\na,A,active\n'.replaceAll(',', separator);
  const result = await bring(makeZip({ 'services.csv': services }));
  expect(result).toMatchObject({ created: 0, rejected: 1 });
  expect(result.problems).toMatchObject([
    { line: 1, reason: 'separates its columns with something else than commas' },
  ]);
});

test.each([
  ['a bomb', makeZip({ 'services.csv': Buffer.alloc(17 * 1024 * 1024) }), '200 times'],
  ['an encrypted one', makeZip({ 'services.csv': 'id\n' }, { flags: 1 }), 'encrypted'],
  ['one whose names lead out of it', makeZip({ '../services.csv': 'id\n' }), 'lead out'],
  ['one without services', makeZip({ 'inner.zip': makeZip({ 'services.csv': 'id\n' }) }), 'no services.csv'],
  ['one cut short', makeZip({ 'services.csv': 'id\n' }).subarray(0, 40), 'cut short'],
])('%s is refused', async (_name, zip, why) => {
  await expect(bring(zip)).rejects.toMatchObject({ detail: expect.stringContaining(why) });
});

test('a file that is longer than it says brings in nothing after the fault', async () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => `${index},Service ${index}`).join('\n');
  const lying = makeZip({ 'services.csv': `id,name\n${rows}\n` }, { claims: 2000 });
  const result = await bring(lying);
  expect(result.problems.at(-1)?.reason).toContain('damaged or cut short');
  expect(result.created).toBeLessThan(1000);
});

test('a row with what no text can hold is left out, and all others go in', async () => {
  const result = await bring(
    makeZip({
      'services.csv': 'id,name,status\na\0,Broken,active\nb,Talks,active\n',
      'phones.csv': 'id,service_id,number\np,b\0,01632 960001\nq,b,01632 960002\n',
      'languages.csv': Buffer.from('\ufeffid,service_id,name\nx,b,Polish\n', 'utf16le'),
    }),
  );
  expect(result).toMatchObject({ created: 1, rejected: 3 });
  expect(result.problems).toEqual([
    { file: 'languages.csv', line: 1, pointer: '', reason: 'is neither UTF-8 nor Windows-1252 text' },
    { file: 'phones.csv', line: 2, pointer: '', reason: 'must not hold the character NUL' },
    { file: 'services.csv', line: 2, pointer: '', reason: 'must not hold the character NUL' },
  ]);
  expect(await read('b')).toMatchObject({ name: 'Talks', phones: [{ id: 'q', number: '01632 960002' }] });
});

test('what no service has goes in to the last, however many there are', async () => {
  const idle = Array.from({ length: 1201 }, (_, index) => `o${index},Club ${index},Idle`);
  const services = 'id,name,status,organization_id\nw,Walks,active,o600\n';
  const organizations = `id,name,description\n${idle.join('\n')}\n`;
  const result = await bring(makeZip({ 'services.csv': services, 'organizations.csv': organizations }));
  expect(result).toMatchObject({ read: 1201, created: 1201, rejected: 0 });
});
