import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { deleteOrganization } from '../../../test/library/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

const trust = { id: 'trust', name: 'The Trust', description: 'Runs things.', phones: [{ number: '1' }] };
const term = (id: string, name: string, more: object = {}) => ({
  taxonomy_term: { id, name, taxonomy_detail: { id: 'needs', name: 'Need', uri: 'urn:needs' }, ...more },
});
const place = (id: string, name: string) => ({
  id: `at-${id}`,
  description: 'Upstairs',
  name: 'not of HSDS',
  location: { id, location_type: 'physical', name, addresses: [{ city: 'Sarrowby' }] },
});
const services = [
  {
    id: 'walk',
    name: 'Walking group',
    status: 'active',
    organization: trust,
    attributes: [term('lonely', 'Loneliness'), term('alone', 'Living alone', { parent_id: 'lonely' })],
    service_at_locations: [place('park', 'Park'), place('hall', 'Hall'), { description: 'without an id' }],
    last_modified: '2026-03-01T00:00:00Z',
  },
  {
    id: 'café',
    name: 'Café',
    status: 'active',
    organization: trust,
    // Listed twice, as in some feeds.
    service_at_locations: [place('hall', 'Hall'), place('hall', 'Hall')],
  },
  {
    id: 'shut',
    name: 'Shut',
    status: 'inactive',
    organization: trust,
    service_at_locations: [place('old', 'Old')],
  },
  {
    id: 'debt',
    name: 'Debt advice',
    status: 'active',
    organization: { id: 'cab', name: 'Zürich Advice', alternate_name: 'Bureau' },
  },
];

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  await bring(services);
});
afterAll(() => site.close());

const bring = (given: object[]) =>
  importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(given))]));
const get = (path: string, headers: Record<string, string> = {}) =>
  site.app.inject({ url: `/api/library${path}`, headers });
const contents = async (path: string) => (await get(path)).json().contents;
const idsOf = async (path: string) => (await contents(path)).map(({ id }: { id: string }) => id);

describe('the HSDS resources', () => {
  it.each([
    ['/service_at_locations', ['at-hall', 'at-park', 'at-hall']],
    ['/service_at_locations?search=walkng', ['at-park', 'at-hall']],
    ['/service_at_locations?taxonomy_id=needs&organization_id=trust', ['at-park', 'at-hall']],
    ['/service_at_locations?taxonomy_term_id=alone&taxonomy_term_id=none', ['at-park', 'at-hall']],
    ['/service_at_locations?organization_id=cab', []],
    ['/service_at_locations?modified_after=2026-04-01', ['at-hall']],
    ['/service_at_locations?page=2&per_page=2', ['at-hall']],
    ['/organizations', ['trust', 'cab']],
    ['/organizations?search=zurich', ['cab']],
    ['/organizations?search=bureau', ['cab']],
    ['/organizations?search=advicce', ['cab']],
    ['/organizations?page=3&per_page=1', []],
    ['/taxonomies', ['needs']],
    ['/taxonomies?search=debt', []],
    ['/taxonomy_terms', ['alone', 'lonely']],
    ['/taxonomy_terms?search=lonel', ['lonely']],
    ['/taxonomy_terms?top_only=true', ['lonely']],
    ['/taxonomy_terms?top_only=false', ['alone', 'lonely']],
    ['/taxonomy_terms?parent_id=lonely&taxonomy_id=needs&search=alone', ['alone']],
    ['/taxonomy_terms?taxonomy_id=others', []],
  ])('%s lists %j', async (path, ids) => {
    expect(await idsOf(path)).toEqual(ids);
  });

  it('have each service at a location without its other locations', async () => {
    const [inShort] = await contents('/service_at_locations?search=walking');
    expect(inShort).toEqual({
      id: 'at-park',
      service_id: 'walk',
      location_id: 'park',
      description: 'Upstairs',
      name: 'not of HSDS',
      location: { id: 'park', location_type: 'physical', name: 'Park' },
      service: {
        id: 'walk',
        name: 'Walking group',
        status: 'active',
        last_modified: '2026-03-01T00:00:00Z',
        organization: { id: 'trust', name: 'The Trust', description: 'Runs things.' },
      },
    });
    const { service_at_locations: _, ...service } = services[0]!;
    const whole = (await get('/service_at_locations/at-park')).json();
    expect(whole).toEqual({
      ...place('park', 'Park'),
      service_id: 'walk',
      location_id: 'park',
      name: 'Walking group',
      status: 'active',
      service,
    });
    expect(await contents('/service_at_locations?full=true&search=walking')).toContainEqual(whole);
    expect((await get('/service_at_locations/at-old')).json()).toMatchObject({ status: 'inactive' });
  });

  it('have organisations with active services, in short or in full', async () => {
    const names = [
      { id: 'café', name: 'Café', status: 'active' },
      { id: 'walk', name: 'Walking group', status: 'active' },
    ];
    expect((await get('/organizations/trust')).json()).toEqual({ ...trust, services: names });
    expect(await contents('/organizations?full=true&search=trust')).toEqual([{ ...trust, services: names }]);
    const [inFull] = await contents('/organizations?full_service=true&search=trust');
    expect(inFull.services[1]).toEqual(services[0]);
    expect((await get('/organizations/trust?full_service=true')).json()).toEqual(inFull);
    const { phones: _, ...inShort } = trust;
    expect(await contents('/organizations?search=trust')).toEqual([inShort]);
    const idle = { id: 'idle', name: 'Idle', description: '' };
    await bring([{ organization: idle }]);
    expect((await get('/organizations/idle?full_service=true')).json()).toEqual(idle);
    await deleteOrganization(site.deps.db, 'idle');
  });

  it('have a description where HSDS requires one', async () => {
    expect((await get('/organizations/cab')).json()).toMatchObject({ description: '' });
    expect((await get('/taxonomies/needs')).json()).toEqual({
      id: 'needs',
      name: 'Need',
      uri: 'urn:needs',
      description: '',
    });
    expect((await get('/taxonomy_terms/alone')).json()).toMatchObject({
      description: '',
      parent_id: 'lonely',
    });
  });

  it('are all listed as ndjson, one a line', async () => {
    const lines = async (path: string) => {
      const answer = await get(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`);
      expect(answer.headers['content-type']).toBe('application/x-ndjson');
      const parsed = answer.body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      return parsed.map(({ id }: { id: string }) => id);
    };
    expect(await lines('/service_at_locations')).toEqual(['at-hall', 'at-park', 'at-hall']);
    expect(await lines('/service_at_locations?search=walkng')).toEqual(['at-park', 'at-hall']);
    expect(await lines('/organizations?full_service=true')).toEqual(['cab', 'trust']);
    expect(await lines('/taxonomies')).toEqual(['needs']);
    expect(await lines('/taxonomy_terms?parent_id=lonely')).toEqual(['alone']);
  });

  it.each([
    ['application/x-ndjson', true],
    ['application/x-ndjson, application/json;q=0.5', true],
    ['Application/X-NDJSON; charset=utf-8, */*;q=0.1', true],
    ['application/json, application/x-ndjson;q=0.9', false],
    ['application/x-ndjson;q=0, */*', false],
    ['*/*, application/x-ndjson;q=0.1', false],
    ['*/*', false],
  ])('are sent as lines to a client that accepts %s: %s', async (accept, isLines) => {
    for (const path of ['/services', '/taxonomies', '/services']) {
      const answer = await get(path, { accept });
      expect(answer.headers['content-type'] === 'application/x-ndjson', path).toBe(isLines);
    }
    expect((await get('/services?format=json', { accept })).headers['content-type']).toContain('/json');
  });

  const lists = ['services', 'service_at_locations', 'organizations', 'taxonomies', 'taxonomy_terms'];

  it.each(lists)('%s refuses wrong values by name, and ignores unknown names', async (list) => {
    const bad: [string, string][] = [
      ['page=0', 'page'],
      ['page=1.5', 'page'],
      ['per_page=0', 'per_page'],
      ['per_page=501', 'per_page'],
      ['per_page=x', 'per_page'],
      ['format=xml', 'format'],
      ['search=a%00b', 'search'],
      ['search=caf%e9', 'search'],
      [`search=${'a'.repeat(5000)}`, 'search'],
    ];
    for (const [query, name] of bad) {
      const answer = await get(`/${list}?${query}`);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json().errors, query).toEqual([expect.objectContaining({ pointer: `/query/${name}` })]);
    }
    for (const query of [
      'utm=%e9&x%00=1&page=&fields=id',
      'search=%26%7C!():*<->%5C',
      'search=50%',
      'search="a & !b:*',
    ]) {
      expect((await get(`/${list}?${query}`)).statusCode, query).toBe(200);
    }
    expect((await get(`/${list}?page=1000000000&per_page=500`)).json()).toMatchObject({
      page_number: 1_000_000_000,
      last_page: true,
      empty: true,
      contents: [],
    });
    for (const id of ['nobody', '%00', 'a%26b'])
      expect((await get(`/${list}/${id}`)).statusCode, id).toBe(404);
  });

  it.each([
    ['/organizations?full_service=yes', 'full_service'],
    ['/organizations/trust?full_service=yes', 'full_service'],
    ['/organizations?full=1', 'full'],
    ['/taxonomy_terms?top_only=on', 'top_only'],
    ['/taxonomy_terms?parent_id=%00', 'parent_id'],
    ['/service_at_locations?modified_after=soon', 'modified_after'],
  ])('refuse %s', async (path, name) => {
    const answer = await get(path);
    expect([answer.statusCode, answer.json().errors?.[0].pointer]).toEqual([400, `/query/${name}`]);
  });
});
