import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeZip } from '../../../../test/app/make-zip.ts';
import { manualClock } from '../../../../test/app/manual-clock.ts';
import { emptyLibrary } from '../../../../test/database/empty-library.ts';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { storedThings } from '../../../../test/library/stored.ts';
import { siteActor } from '../../../audit/index.ts';
import { findServiceDocument } from '../../../library/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { importServices } from '../import-services.ts';

const clock = manualClock();
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => emptyLibrary(database.db));
afterAll(() => database.close());

const bring = (zip: Buffer, options = {}) =>
  importServices({ db: database.db, clock }, siteActor, Readable.from([zip]), options);
const read = async (id: string) => {
  const { last_modified: _, ...service } = JSON.parse((await findServiceDocument(database.db, id)) ?? '{}');
  return service;
};

/** What HSDS demands of an address. */
const noAddress = {
  address_1: '',
  city: '',
  state_province: '',
  postal_code: '',
  country: '',
  address_type: 'physical',
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

describe('a package of HSDS tables', () => {
  it('becomes services with all their parts in version 3.0', async () => {
    const windows = { ...tables, 'data/addresses.csv': Buffer.from(tables['data/addresses.csv'], 'latin1') };
    const result = await bring(makeZip(windows));
    expect(result).toMatchObject({ created: 4, rejected: 0, problems: [] });
    expect(result.notes).toEqual([
      '1 row of phone names a service that the package does not have, and stands by itself. It is line 4 of data/phones.csv: p3: /service_id.',
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
            addresses: [{ ...noAddress, id: 'a', address_1: '1 High Street', city: 'Caf\u00e9 Town' }],
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
    const things = await storedThings(database.db);
    expect(things.map(({ id }) => id)).toEqual(['idle', 'n1', 'n3', 'need', 'o']);
    expect(await bring(makeZip(windows))).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 4,
      rejected: 0,
    });
  });

  it('is read by its old table names in an older version', async () => {
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
    expect(result).toMatchObject({ rejected: 0, parts_left_out: 1 });
    expect(result.leftOut.parts).toMatchObject([
      { reason: 'is not a table of HSDS', first: [{ file: 'mystery.csv', line: 1 }] },
    ]);
    expect(await read('w')).toEqual({
      id: 'w',
      name: 'Walks',
      status: 'active',
      fees: 'Free',
      fees_description: 'Free',
      eligibility_description: 'Over 60',
      organization: {
        id: 'o',
        name: 'Trust',
        description: '',
        website: 'https://example.org',
        year_incorporated: 1999,
      },
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
            addresses: [{ ...noAddress, id: 'a', address_1: 'Hall', address_2: 'High Street, Upper Town' }],
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

  it('may give its files other names in datapackage.json', async () => {
    const described = {
      'datapackage.json': JSON.stringify({ resources: [{ name: 'service', path: 'angebote.csv' }] }),
      'angebote.csv': 'id,name\nw,Walks\n',
    };
    expect(await bring(makeZip(described))).toMatchObject({ created: 1, rejected: 0 });
  });

  it('is read to the last part that belongs to no service', async () => {
    const idle = Array.from({ length: 1201 }, (_, index) => `o${index},Club ${index},Idle`);
    const services = 'id,name,status,organization_id\nw,Walks,active,o600\n';
    const organizations = `id,name,description\n${idle.join('\n')}\n`;
    const result = await bring(makeZip({ 'services.csv': services, 'organizations.csv': organizations }));
    expect(result).toMatchObject({ read: 1201, created: 1201, rejected: 0 });
  });
});

describe('a faulty package', () => {
  it('is read past a broken row, and makes nothing inactive', async () => {
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

  it.each([';', '\t'])('says once that %j separates the columns of a table', async (separator) => {
    const services = 'id,name,status\na,A,active\n'.replaceAll(',', separator);
    const result = await bring(makeZip({ 'services.csv': services }));
    expect(result).toMatchObject({ created: 0, rejected: 1 });
    expect(result.problems).toMatchObject([
      { line: 1, reason: 'separates its columns with something else than commas' },
    ]);
  });

  it.each([
    ['a bomb', makeZip({ 'services.csv': Buffer.alloc(17 * 1024 * 1024) }), '200 times'],
    ['an encrypted one', makeZip({ 'services.csv': 'id\n' }, { flags: 1 }), 'encrypted'],
    ['one whose names lead out of it', makeZip({ '../services.csv': 'id\n' }), 'lead out'],
    [
      'one without services',
      makeZip({ 'inner.zip': makeZip({ 'services.csv': 'id\n' }) }),
      'no services.csv',
    ],
    ['one cut short', makeZip({ 'services.csv': 'id\n' }).subarray(0, 40), 'cut short'],
  ])('is refused: %s', async (_name, zip, why) => {
    await expect(bring(zip)).rejects.toMatchObject({ detail: expect.stringContaining(why) });
  });

  it('brings in nothing after a file’s length proves wrong', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => `${index},Service ${index}`).join('\n');
    const lying = makeZip({ 'services.csv': `id,name\n${rows}\n` }, { claims: 2000 });
    const result = await bring(lying);
    expect(result.problems.at(-1)?.reason).toContain('damaged or cut short');
    expect(result.created).toBeLessThan(1000);
  });

  it('loses a row that no text can hold, and no other', async () => {
    const result = await bring(
      makeZip({
        'services.csv': 'id,name,status\na\0,Broken,active\nb,Talks,active\n',
        'phones.csv': 'id,service_id,number\np,b\0,01632 960001\nq,b,01632 960002\n',
        'languages.csv': Buffer.from('\ufeffid,service_id,name\nx,b,Polish\n', 'utf16le'),
      }),
    );
    expect(result).toMatchObject({ created: 1, rejected: 1, parts_left_out: 2 });
    const nul = 'must not hold the character NUL';
    expect(result.problems).toEqual([{ file: 'services.csv', line: 2, pointer: '', reason: nul }]);
    expect(result.leftOut.parts.map(({ reason, first }) => [reason, first[0]?.file])).toEqual([
      [nul, 'phones.csv'],
      ['is neither UTF-8 nor Windows-1252 text', 'languages.csv'],
    ]);
    expect(await read('b')).toMatchObject({ name: 'Talks', phones: [{ id: 'q', number: '01632 960002' }] });
  });
});

/** Of the same make as Ohana's: a service names its place and its terms, and has lists as texts. */
const ohana = {
  'services.csv':
    'id,location_id,name,status,accepted_payments,eligibility,funding_sources,keywords,languages,service_areas,taxonomy_ids,website\n' +
    'w,l,Walks,active,"Cash, Cheque",Over 60,"City, Grants","walking, health","Welsh, Chinese (Cantonese, Mandarin)",Sarrowby,"1, 1-2",www.example.org/walks\n' +
    ',,,,,,,,,,,\n' +
    '  , ,,,,,,,,,,\n',
  'locations.csv':
    'id,organization_id,name,accessibility,languages,virtual,website\nl,o,Hall,"ramp, lift",Polish,false,example.org\n',
  'organizations.csv':
    'id,name,description,date_incorporated,funding_sources\no,Trust,Good,1990-01-01,Donations\n',
  'addresses.csv': 'id,location_id,address_1,city,postal_code\n,l,1 Bell Yard,Sarrowby,ZT1 2TP\n',
  'mail_addresses.csv': 'id,location_id,address_1,city,country\n,l,PO Box 1,Sarrowby,United Kingdom\n',
  'phones.csv':
    'id,location_id,service_id,number,number_type\n,l,,01632 960001,voice\n,,gone,01632 960002,voice\n,,gone too,01632 960003,fax\n,l,,,voice\n',
  'taxonomy.csv': 'taxonomy_id,name,parent_id,parent_name\n1,Health,,\n1-2,Walking,1,Health\n',
};

describe('a package of the kind that Ohana writes', () => {
  it('comes in whole, without its blank rows', async () => {
    const result = await bring(makeZip(ohana));
    expect(result).toMatchObject({ read: 1, created: 1, rejected: 0, parts_left_out: 1 });
    expect(result.leftOut.parts).toMatchObject([
      { pointer: '/service_at_locations/*/location/phones/*/number', reason: 'is required' },
    ]);
    expect(result.notes[0]).toMatch(
      /^2 rows of phone name a service that .* The first is line 3 of phones.csv/,
    );
    expect(result.notes[1]).toMatch(/^7 texts stand where HSDS has a list/);
    const service = await read('w');
    const names = (list: object[], field = 'name') =>
      list.map((each) => (each as Record<string, string>)[field]);
    expect(names(service.languages)).toEqual(['Welsh', 'Chinese (Cantonese, Mandarin)']);
    expect(names(service.funding, 'source')).toEqual(['City', 'Grants']);
    expect(names(service.payments_accepted, 'payment')).toEqual(['Cash', 'Cheque']);
    expect(service.attributes.map((each: any) => each.taxonomy_term.name)).toEqual(['Health', 'Walking']);
    expect(service).toMatchObject({
      url: 'https://www.example.org/walks',
      eligibility_description: 'Over 60',
      keywords: ['walking', 'health'],
      organization: { id: 'o', year_incorporated: 1990, funding: [{ source: 'Donations' }] },
    });
    const [{ location }] = service.service_at_locations;
    expect(location).toMatchObject({ url: 'https://example.org', location_type: 'physical' });
    expect(names(location.accessibility, 'description')).toEqual(['ramp', 'lift']);
    expect(location.addresses).toMatchObject([
      { address_type: 'physical', country: 'GB', state_province: '' },
      { address_type: 'postal', country: 'GB', postal_code: '' },
    ]);
  });

  it('changes nothing when it, or its export, is read again', async () => {
    await bring(makeZip(ohana));
    const before = await read('w');
    expect(await bring(makeZip(ohana))).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    const line = Buffer.from((await findServiceDocument(database.db, 'w'))!);
    expect(await bring(line)).toMatchObject({ unchanged: 1, parts_left_out: 0, notes: [] });
    expect(await read('w')).toEqual(before);
  });

  it('joins a place and a term once, however they are joined', async () => {
    const joined = {
      ...ohana,
      'services_at_location.csv': 'id,service_id,location_id\nsl,w,l\n',
      'services_taxonomy.csv': 'id,service_id,taxonomy_id\nst,w,1\n',
    };
    await bring(makeZip(joined));
    const { service_at_locations, attributes } = await read('w');
    expect(service_at_locations.map(({ id }: { id: string }) => id)).toEqual(['sl']);
    expect(attributes).toHaveLength(2);
  });
});
