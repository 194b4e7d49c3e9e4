import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { runs } from '../../../test/app/runs.ts';
import { countParts } from '../../../test/library/stored.ts';
import { type Editors, type Holder, libraryEditors } from '../../../test/people/library-editors.ts';

let site: TestApp;
let operator: Holder;
let call: Editors['call'];
let found: Editors['found'];
let staffOf: Editors['staffOf'];
beforeAll(async () => {
  site = await makeApp();
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  ({ call, found, staffOf } = libraryEditors(site));
});
afterAll(() => site.close());

const base = '/api/library/services';

describe('editing by the API', () => {
  it('lets a provider add a service, which search then finds', async () => {
    const place = await aService(site.deps);
    const provider = await staffOf(place);
    const made = await call(provider, 'POST', base, {
      body: {
        name: 'Zither circle',
        status: 'active',
        odd: { kept: [1, null, 'ü'] },
        last_modified: '1999-01-01',
      },
    });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(`${site.deps.settings.baseUrl}${base}/${made.body.id}`);
    expect(made.body).toMatchObject({
      name: 'Zither circle',
      odd: { kept: [1, null, 'ü'] },
      organization_id: place.organizationId,
      organization: { name: place.organizationName },
      last_modified: site.clock.now().toISOString(),
    });
    expect(await found(operator, 'zither')).toEqual([made.body.id]);
    const read = await call(provider, 'GET', `${base}/${made.body.id}`);
    expect([read.body, read.etag]).toEqual([made.body, made.etag]);
    expect((await call(provider, 'POST', base, { body: made.body })).body.type).toContain('/service-exists');
  });

  it('refuses the id of another service’s location', async () => {
    const [theirs, ours] = [await aService(site.deps), await aService(site.deps)];
    const place = { id: 'hall-1', location: { id: 'hall', name: 'Hall', location_type: 'physical' } };
    const { body, etag } = await call(operator, 'GET', `${base}/${theirs.serviceId}`);
    const held = { ...body, service_at_locations: [place] };
    const put = await call(operator, 'PUT', `${base}/${theirs.serviceId}`, { body: held, etag });
    const evil = { ...place, location: { ...place.location, name: 'Elsewhere' } };
    const provider = await staffOf(ours);
    const taken = { id: '0', name: 'Evil', status: 'active', service_at_locations: [evil] };
    const refused = await call(provider, 'POST', base, { body: taken });
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([422, '/service_at_locations/0/id']);
    const read = await call(operator, 'GET', '/api/library/service_at_locations/hall-1');
    expect(read.body.location.name).toBe('Hall');
    const again = { body: { ...held, description: 'Its own it may keep.' }, etag: put.etag };
    expect((await call(operator, 'PUT', `${base}/${theirs.serviceId}`, again)).status).toBe(200);
  });

  it('lets one of two simultaneous edits win', async () => {
    const { serviceId } = await aService(site.deps);
    const url = `${base}/${serviceId}`;
    const { body, etag } = await call(operator, 'GET', url);
    expect((await call(operator, 'PUT', url, { body })).status).toBe(428);
    expect((await call(operator, 'PUT', url, { body, etag: '1' })).body.errors[0].pointer).toBe(
      '/headers/if-match',
    );
    const both = await Promise.all(
      ['Otter watch', 'Badger watch'].map((name) =>
        call(operator, 'PUT', url, { body: { ...body, name }, etag }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = both.find(({ status }) => status === 200)!;
    const loser = both.find(({ status }) => status === 412)!;
    expect(loser.etag).toBe(winner.etag);
    expect((await call(operator, 'GET', url)).body).toEqual(winner.body);
    expect(await found(operator, winner.body.name)).toEqual([serviceId]);
    expect((await call(operator, 'DELETE', url, { etag })).status).toBe(412);
    expect((await call(operator, 'DELETE', url, { etag: `W/${winner.etag}` })).status).toBe(204);
    expect((await call(operator, 'GET', url)).status).toBe(404);
    expect(await found(operator, winner.body.name)).toEqual([]);
  });

  it('keeps fields that HSDS does not have', async () => {
    const { serviceId } = await aService(site.deps);
    const url = `${base}/${serviceId}`;
    let { body, etag } = await call(operator, 'GET', url);
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((each) => !each.includes('\0'));
    const unknown = fc.dictionary(
      fc.constantFrom('x_one', 'x_two', 'x_three'),
      fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text), fc.record({ deep: text })),
    );
    const schedule = fc.record({ opens_at: fc.constantFrom('09:00', '10:30'), byday: fc.constant('MO,TU') });
    const given = fc.record({
      name: text.filter((each) => /\S/.test(each)),
      description: text,
      minimum_age: fc.integer({ min: 0, max: 120 }),
      status: fc.constantFrom('active', 'inactive', 'temporarily closed'),
      phones: fc.array(fc.record({ id: fc.uuid(), number: text.filter((each) => /\S/.test(each)) }), {
        minLength: 1,
      }),
      schedules: fc.array(schedule, { minLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(given, unknown, async (fields, extra) => {
        const { organization, organization_id } = body;
        const written = { id: serviceId, organization, organization_id, ...fields, ...extra };
        const answer = await call(operator, 'PUT', url, { body: written, etag });
        expect(answer.status).toBe(200);
        const { last_modified, metadata, ...rest } = answer.body;
        expect(rest).toEqual(written);
        const read = await call(operator, 'GET', url);
        expect(read.body).toEqual(answer.body);
        ({ body, etag } = read);
      }),
      { numRuns: runs(12) },
    );
  });

  it('is only for the service’s provider and operators', async () => {
    const place = await aService(site.deps);
    const url = `${base}/${place.serviceId}`;
    const other = await staffOf(await aService(site.deps));
    const { body, etag } = await call(other, 'GET', url);
    expect((await call(other, 'PUT', url, { body, etag })).status).toBe(403);
    expect((await call(other, 'DELETE', url, { etag })).status).toBe(403);
    expect((await call(other, 'POST', `${url}/checked`)).status).toBe(403);
    const referrer = await aTokenHolder(site.deps);
    expect((await call(referrer, 'POST', base, { body })).status).toBe(403);
    const provider = await staffOf(place);
    // A provider may neither give it to another organisation nor add one under another's id.
    const { organization_id, organization } = (
      await call(other, 'POST', base, { body: { name: 'x', status: 'active' } })
    ).body;
    for (const theirs of [
      { organization_id, organization: undefined },
      { organization_id, organization },
    ]) {
      expect((await call(provider, 'PUT', url, { body: { ...body, ...theirs }, etag })).status).toBe(403);
    }
    expect((await call(provider, 'PUT', url, { body: { ...body, alert: 'Moved' }, etag })).body.alert).toBe(
      'Moved',
    );
  });

  it('refuses a wrong service with pointers and stores nothing', async () => {
    const { serviceId } = await aService(site.deps);
    const url = `${base}/${serviceId}`;
    const { body, etag } = await call(operator, 'GET', url);
    const pointersOf = async (wrong: unknown) => {
      const answer = await call(operator, 'PUT', url, { body: wrong, etag });
      return [answer.status, ...(answer.body.errors ?? []).map((each: { pointer: string }) => each.pointer)];
    };
    expect(await pointersOf({ ...body, status: 'open', phones: [{ number: 1 }] })).toEqual([
      400,
      '/status',
      '/phones/0/number',
    ]);
    expect(await pointersOf([body])).toEqual([400, '']);
    expect(await pointersOf({ ...body, name: 'a\0b' })).toEqual([400, '/name']);
    expect(await pointersOf({ ...body, id: 'another' })).toEqual([422, '/id']);
    expect(await pointersOf({ ...body, organization_id: 'another' })).toEqual([422, '/organization_id']);
    const stranger = { ...body, organization_id: 'nobody', organization: undefined };
    expect(await pointersOf(stranger)).toEqual([422, '/organization_id']);
    expect((await call(operator, 'GET', url)).etag).toBe(etag);
  });

  it('lets a provider use the library’s terms but not rename them', async () => {
    const place = await aService(site.deps);
    const url = `${base}/${place.serviceId}`;
    const provider = await staffOf(place);
    const withTerm = (body: object, id: string, name: string) => ({
      ...body,
      attributes: [{ taxonomy_term: { id, name } }],
    });
    let { body, etag } = await call(provider, 'GET', url);
    const made = await call(provider, 'PUT', url, { body: withTerm(body, 'kites', 'Kites'), etag });
    expect([made.status, made.body.errors[0].pointer]).toEqual([422, '/attributes/0/taxonomy_term/id']);
    ({ body, etag } = await call(operator, 'PUT', url, { body: withTerm(body, 'kites', 'Kites'), etag }));
    const renamed = await call(provider, 'PUT', url, { body: withTerm(body, 'kites', 'Mine'), etag });
    expect(renamed.status).toBe(200);
    const term = await call(operator, 'GET', '/api/library/taxonomy_terms/kites');
    expect(term.body.name).toBe('Kites');
  });
});

describe('deleting a service', () => {
  it('leaves no part of it behind', async () => {
    const place = {
      id: 'shed-1',
      location: { id: 'shed', location_type: 'physical', latitude: 54, longitude: -2 },
    };
    const area = {
      id: 'z',
      name: 'Dale',
      extent: '{"type":"Polygon","coordinates":[[[0,0],[0,1],[1,1],[0,0]]]}',
    };
    const schedules = [{ id: 'm', freq: 'MONTHLY', byday: '1MO', opens_at: '10:00', closes_at: '11:00' }];
    const body = { id: 'whole', name: 'Whole', status: 'active', schedules, service_at_locations: [place] };
    const { etag } = await call(operator, 'POST', base, {
      body: {
        ...body,
        service_areas: [area],
        attributes: [{ taxonomy_term: { id: 'whittling', name: 'Whittling' } }],
      },
    });
    const parts = () =>
      Promise.all(
        (['documents', 'taxonomy_terms', 'at_locations', 'places', 'hours', 'area_extents'] as const).map(
          (part) => countParts(site.deps.db, part, 'whole'),
        ),
      );
    expect(await parts()).toEqual([1, 1, 1, 1, 2, 1]);
    expect((await call(operator, 'DELETE', `${base}/whole`, { etag })).status).toBe(204);
    expect(await parts()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('is refused after a referral to it', async () => {
    const place = await aService(site.deps);
    const url = `${base}/${place.serviceId}`;
    const referrer = await aTokenHolder(site.deps);
    const body = aReferral(place.serviceId);
    expect(
      (
        await site.app.inject({
          method: 'POST',
          url: '/api/referrals',
          headers: referrer.headers,
          payload: body,
        })
      ).statusCode,
    ).toBe(201);
    const { etag } = await call(operator, 'GET', url);
    const refused = await call(operator, 'DELETE', url, { etag });
    expect([refused.status, refused.body.type]).toEqual([
      409,
      expect.stringContaining('/problems/service-has-referrals'),
    ]);
    expect((await call(operator, 'GET', url)).status).toBe(200);
  });
});
