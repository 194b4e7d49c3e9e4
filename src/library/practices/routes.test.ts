import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importPostcodes, importPractices } from '../../exchange/index.ts';

let site: TestApp;
let headers: Record<string, string>;

const practices = `ods_code,name,address,city,postcode,latitude,longitude,phone
Z99001,Infirmary Lane Surgery,"Sarrow Health Centre, Infirmary Lane",Sarrowby,ZT1 3GH,54.04824,-2.14513,01632 960494
Z99002,Tolbooth Medical Practice,30 Tolbooth Street,Sarrowby,ZT1 1RE,54.05049,-2.14893,01632 960501
Z99003,St Mary’s Surgery,8 Bobbin Lane,Sarrowby,ZT2 1AW,54.06589,-2.15512,
Z99004,St. Mary's Surgery,2 Lapwing Parade,Crindlow,ZT4 2LD,54.16655,-2.13021,
Z99005,Lane End Surgery,1 Tolbooth Street,Crindlow,ZT4 1HT,54.17,-2.14,
Z99006,Café Médical,,,,,,
`;

beforeAll(async () => {
  site = await makeApp();
  ({ headers } = await aTokenHolder(site.deps));
  const source = (text: string) => Readable.from([Buffer.from(text)]);
  await importPractices(site.deps, siteActor, source(practices));
  const postcodes = 'postcode,latitude,longitude\nZT1 1RE,54.05049,-2.14893\nZT4 1HT,54.17,-2.14\n';
  await importPostcodes(site.deps, siteActor, source(postcodes));
});
afterAll(() => site.close());

const get = (path: string) => site.app.inject({ url: `/api/practices${path}`, headers });
const found = async (search: string, more = '') => {
  const answer = await get(`?search=${encodeURIComponent(search)}${more}`);
  expect(answer.statusCode).toBe(200);
  return answer
    .json()
    .items.map(({ ods_code }: { ods_code: string }) => ods_code.slice(-1))
    .join('');
};

describe('GET /api/practices', () => {
  it.each([
    ['a code', 'z99002', '2'],
    ['the beginning of codes', 'Z9900', '615342'],
    ['a name', 'Infirmary Lane Surgery', '1'],
    ['the beginnings of words, in any order', 'lan infirm', '1'],
    ['a name before an address that has the words', 'tolbooth', '25'],
    ['what a name begins with before what it has, and that before the address', 'lane', '513'],
    ['a name with its apostrophe', "st mary's", '34'],
    ['and without', 'ST MARYS', '34'],
    ['a name and a town', 'marys crindlow', '4'],
    ['a town', 'crindlow', '54'],
    ['a postcode', 'zt1 3gh', '1'],
    ['a postcode without its space', 'ZT13GH', '1'],
    ['a district', 'ZT4', '54'],
    ['a name without its accents', 'cafe medical', '6'],
    ['a misspelt name', 'infirmery lane', '1'],
    ['two misspelt words', 'tolboth practise', '2'],
    ['a misspelt town', 'sarowby', '132'],
    ['a name with a word that it does not have', 'Infirmary Lane Practice', '153'],
    ['nothing that there is', 'xyzzyq', ''],
    ['words that every practice has, and one that none has', 'Foobar Surgery', ''],
    ['operators', "tolbooth & !practice | (<->) :* ' \\", '2'],
  ])('finds the best match first by %s', async (_what, search, codes) => {
    expect(await found(search)).toBe(codes);
  });

  it('puts the nearest of equal matches first', async () => {
    expect(await found('st marys', '&near=zt41ht')).toBe('43');
    expect(await found('st marys', '&near=ZT1%201RE')).toBe('34');
    const { items } = (await get('?near=ZT1%201ZZ')).json();
    expect(
      items.map(({ ods_code, distance_metres }: { ods_code: string; distance_metres: number }) => [
        ods_code,
        distance_metres,
      ]),
    ).toEqual([
      ['Z99002', 0],
      ['Z99001', 352],
      ['Z99003', 1759],
      ['Z99004', 12963],
      ['Z99005', 13302],
      ['Z99006', null],
    ]);
  });

  it('pages through everything in every order', async () => {
    for (const query of [
      '',
      'search=surgery',
      'search=surgery&near=ZT11RE',
      'near=ZT11RE',
      'search=lane%20surgrey',
    ]) {
      const whole = (await get(`?${query}`)).json();
      expect(whole.next_cursor).toBeNull();
      const collected: unknown[] = [];
      let cursor: string | null = null;
      do {
        const next: string = cursor === null ? '' : `&cursor=${cursor}`;
        const page = (await get(`?${query}&limit=1${next}`)).json();
        collected.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(collected, query).toEqual(whole.items);
    }
  });

  it('reads a practice by its code', async () => {
    const answer = await get('/z99001');
    expect(answer.json()).toEqual({
      ods_code: 'Z99001',
      name: 'Infirmary Lane Surgery',
      address: 'Sarrow Health Centre, Infirmary Lane',
      city: 'Sarrowby',
      postcode: 'ZT1 3GH',
      latitude: 54.04824,
      longitude: -2.14513,
      phone: '01632 960494',
      closed_on: null,
      channels: ['document'],
    });
    for (const [code, status] of [
      ['X1', 404],
      ['%00', 404],
      ['%ff', 400],
      ['x'.repeat(5000), 400],
    ] as const) {
      expect((await get(`/${code}`)).statusCode, code.slice(0, 9)).toBe(status);
    }
  });

  it.each([
    ['search=a%00b', '/query/search', 'must be text without NUL or broken characters'],
    [`search=${'a'.repeat(5000)}`, '/query/search', 'must have at most 200 characters'],
    ['search=a&search=b', '/query/search', 'must be given once'],
    ['search=%ff', '/query/search', 'must be UTF-8, percent-encoded'],
    ['%ff=x', '/query', 'must be UTF-8, percent-encoded'],
    ['near=nonsense', '/query/near', 'must be a full UK postcode such as ZT1 3GH'],
    [
      'near=XX1%201AA',
      '/query/near',
      'is a postcode that this site does not know: leave it out, or name another one near it',
    ],
    ['limit=0', '/query/limit', 'must be 1 or more'],
    ['limit=-5', '/query/limit', 'must be 1 or more'],
    ['limit=201', '/query/limit', 'must be 200 or less'],
    ['limit=1.5', '/query/limit', 'must be a whole number'],
    ['cursor=%27', '/query/cursor', 'must be the next_cursor of an earlier answer'],
    ['cursor=AAAA', '/query/cursor', 'must be the next_cursor of an earlier answer'],
    ['colour=red', '/query/colour', 'is not a known query parameter; leave it out'],
  ])('explains what is wrong with %s', async (query, pointer, message) => {
    const answer = await get(`?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([{ pointer, message }]);
  });

  it('requires a token even if the library is public', async () => {
    expect((await site.app.inject({ url: '/api/practices' })).statusCode).toBe(401);
    expect((await site.app.inject({ url: '/api/practices/Z99001' })).statusCode).toBe(401);
  });
});
