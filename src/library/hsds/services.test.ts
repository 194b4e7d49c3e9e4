import { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { serviceSchema } from '../model/service.ts';

let site: TestApp;
let headers: Record<string, string>;

const need = (id: string, name: string) => ({
  taxonomy_term: { id, name, taxonomy_detail: { id: 'needs', name: 'Need' } },
});
const services = [
  {
    id: 'w',
    name: 'Walking group',
    description: 'Gentle walks.',
    attributes: [need('lonely', 'Loneliness')],
    last_modified: '2026-03-01T00:00:00Z',
  },
  {
    id: 'b',
    name: 'Café of the bereaved',
    description: 'Bereavement support.',
    attributes: [need('grief', 'Grief')],
    last_modified: '2026-05-01T00:00:00Z',
  },
  {
    id: 'd',
    name: 'Debt advice',
    description: 'Money and walking to court with you.',
    organization: { id: 'cab', name: 'Advice Centre', phones: [{ number: '1' }] },
  },
  {
    id: 't',
    name: 'Art table',
    description: 'Painting.',
    phones: [{ number: '01632 960001' }],
    last_modified: '2026-06-01T00:00:00Z',
  },
];

beforeAll(async () => {
  site = await makeApp();
  ({ headers } = await aTokenHolder(site.deps));
  const lines = [
    ...services.map((service) => ({ ...service, status: 'active' })),
    { id: 'gone', name: 'Walking no more', status: 'inactive' },
  ].map((service) => JSON.stringify(service));
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines.join('\n'))]));
});
afterAll(() => site.close());

const get = (path: string, given: Record<string, string> = headers) =>
  site.app.inject({ url: `/api/library${path}`, headers: given });
const idsOf = async (query: string) =>
  (await get(`/services?${query}`)).json().contents.map(({ id }: { id: string }) => id);

describe('the library', () => {
  it.each(['', '/'])('describes itself at its base address ending in “%s”', async (end) => {
    const answer = await get(end);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      version: 'HSDS-UK-3.0',
      openapi_url: 'http://localhost:8080/api/openapi.json',
    });
  });

  it('ignores a slash at the end of an address', async () => {
    const list = await get('/services/?per_page=1');
    expect(list.body).toBe((await get('/services?per_page=1')).body);
    expect((await get('/services/w/')).json().id).toBe('w');
    const wrong = await site.app.inject({ method: 'DELETE', url: '/api/library/services/', headers });
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  });

  it('requires a token unless it is public', async () => {
    for (const path of ['/', '/services', '/services/w']) expect((await get(path, {})).statusCode).toBe(401);
    const open = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
    expect((await open.app.inject('/api/library/services')).json()).toMatchObject({
      total_items: 0,
      empty: true,
    });
    // An expired token is refused as everywhere; a proxy's own password in the header is not a token.
    const statusWith = async (authorization: string) =>
      (await open.app.inject({ url: '/api/library/services', headers: { authorization } })).statusCode;
    expect(await statusWith(headers.authorization!)).toBe(401);
    expect(await statusWith('Basic b3BlbjpzZXNhbWU=')).toBe(200);
    await open.close();
  });

  it('refuses a token in the address, but no unknown parameter', async () => {
    for (const query of ['token=x', 'per_page=1&accessToken=x', 'Token']) {
      for (const path of ['/', '/services', '/services/w', '/taxonomies', '/organizations']) {
        const answer = await get(`${path}?${query}`);
        expect([answer.statusCode, answer.json().errors?.[0].message], path + query).toEqual([
          400,
          expect.stringContaining('Authorization: Bearer'),
        ]);
        expect(answer.body).not.toContain('=x');
      }
    }
    expect((await get('/services?token_type=x&tokens=1&utm_source=x')).statusCode).toBe(200);
  });
});

describe('the list of services', () => {
  it('comes in pages of HSDS, by name', async () => {
    expect((await get('/services?per_page=3')).json()).toMatchObject({
      total_items: 4,
      total_pages: 2,
      page_number: 1,
      size: 3,
      first_page: true,
      last_page: false,
      empty: false,
      contents: [{ id: 't' }, { id: 'b' }, { id: 'd' }],
    });
    expect((await get('/services?per_page=3&page=2')).json()).toMatchObject({
      size: 1,
      first_page: false,
      last_page: true,
    });
    expect((await get('/services?page=9')).json()).toMatchObject({
      size: 0,
      last_page: true,
      empty: true,
      contents: [],
    });
  });

  it('has a short, a full and a minimal form', async () => {
    const inShort = (await get('/services?search=debt')).json().contents[0];
    expect(inShort).toMatchObject({ id: 'd', organization: { id: 'cab', name: 'Advice Centre' } });
    expect(inShort.organization).not.toHaveProperty('phones');
    const full = (await get('/services?full=true&search=debt')).json().contents[0];
    expect(full.organization.phones).toEqual([{ number: '1' }]);
    expect((await get('/services?minimal=true&search=walking')).json().contents).toContainEqual({
      id: 'w',
      last_modified: '2026-03-01T00:00:00.000Z',
    });
    for (const each of [inShort, full]) expect(Value.Check(serviceSchema, each)).toBe(true);
  });

  it.each([
    ['search=walking', ['w', 'd']],
    ['search=walk', ['w', 'd']],
    ['search=advice%20centre', ['d']],
    ['search=cafe', ['b']],
    ['search=bereaveme', ['b']],
    ['search=bereavment', ['b']],
    ['search=lonel', ['w']],
    ['search=painting%20at%20the%20seaside', ['t']],
    ['search=table%20money%20court', ['t', 'd']],
    ['search=widow', ['b']],
    ['search=her%20widow%20support', ['b']],
    ['search=died%20painting', ['t', 'b']],
    ['search=the', []],
    ['search=zzzz', []],
    ['taxonomy_term_id=lonely', ['w']],
    ['taxonomy_term_id=lonely&taxonomy_term_id=grief', ['b', 'w']],
    ['taxonomy_id=needs', ['b', 'w']],
    ['taxonomy_id=needs&search=walking', ['w']],
    ['organization_id=cab', ['d']],
    ['modified_after=2026-05-01', ['t', 'b', 'd']],
    ['modified_after=2026-05-01T00:00:01%2B00:00', ['t', 'd']],
    ['search=&page=&unknown=1', ['t', 'b', 'd', 'w']],
    ['full=True&minimal=FALSE', ['t', 'b', 'd', 'w']],
  ])('%s finds %j', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  it('gives every match as ndjson, one a line', async () => {
    const answer = await get('/services?format=ndjson&per_page=1&full=true');
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const lines = answer.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id }) => id)).toEqual(['b', 'd', 't', 'w']);
    expect((await get('/services?format=ndjson&search=zzzz')).body).toBe('');
  });

  it.each([
    ['page=0', 'must be 1 or more'],
    ['page=two', 'must be a whole number of at most 10 digits'],
    ['per_page=0', 'must be 1 or more'],
    ['per_page=501', 'must be 500 or less'],
    ['page=1&page=2', 'must be given once'],
    ['full=maybe', 'must be true or false'],
    ['format=xml', 'must be one of json, ndjson'],
    [
      'modified_after=soon',
      'must be a date and time such as 2026-11-21T09:30:00Z, or a day such as 2026-11-21',
    ],
    ['search=a%00b', 'must not hold the character NUL'],
    [`search=${'a'.repeat(501)}`, 'must have at most 500 characters'],
    ['search=a&search=b', 'must be given once'],
  ])('explains what is wrong with %s', async (query, message) => {
    const answer = await get(`/services?${query}`);
    expect(answer.statusCode).toBe(400);
    const pointer = `/query/${query.split('=')[0]}`;
    expect(answer.json().errors).toEqual([{ pointer, message }]);
  });

  it.each([
    [{ taxonomy_term_id: Array(51).fill('t') }, 'taxonomy_term_id', 'must have at most 50 entries'],
    [{ facets: Array(7).fill('day') }, 'facets', 'must have at most 6 entries'],
    [
      { capacity: ['capacity', 'much'] },
      'capacity/1',
      'must be one of capacity, waitlist, no-capacity, additional-assessment-required',
    ],
  ])('explains once what is wrong with a list in a body: %#', async (payload, at, message) => {
    const url = '/api/library/services/search';
    const answer = await site.app.inject({ method: 'POST', url, payload, headers });
    expect([answer.statusCode, answer.json().errors]).toEqual([400, [{ pointer: `/${at}`, message }]]);
  });
});

describe('a service', () => {
  it('is read in full by its id, with any status', async () => {
    const answer = await get('/services/t');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const { metadata, ...service } = answer.json();
    expect(service).toEqual({ ...services[3], status: 'active' });
    expect(metadata).toMatchObject([{ last_action_type: 'create', updated_by: 'the site' }]);
    expect((await get('/services/gone')).json()).toMatchObject({ status: 'inactive' });
  });

  it.each([
    ['nobody', 404],
    ['%00', 404],
    ['%ff', 400],
    ['x'.repeat(300), 400],
  ])('is not found by the id %s', async (id, status) => {
    const answer = await get(`/services/${id}`);
    expect(answer.statusCode).toBe(status);
  });
});
