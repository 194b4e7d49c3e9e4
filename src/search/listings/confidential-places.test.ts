import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { openValley, type Valley } from '../../../test/people/valley.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

// Somebody looks for a refuge by asking from many places: how far is it, is it within a mile, does it come before the others?

const cottage = {
  id: 'cottage',
  name: 'Foxglove Cottage',
  location_type: 'physical',
  latitude: 54.0512345,
  longitude: -2.1512345,
  addresses: [
    { id: 'a', address_1: '1 Foxglove Lane', city: 'Sarrowby', postal_code: 'ZT9 9QQ', country: 'GB' },
  ],
  schedules: [{ id: 'w', freq: 'WEEKLY', byday: 'MO', opens_at: '09:00', closes_at: '17:00' }],
};
const trust = { id: 'trust', name: 'Larkspur Trust', locations: [cottage] };
const refuge = {
  id: 'refuge',
  name: 'Larkspur House',
  status: 'active',
  organization: trust,
  service_at_locations: [{ id: 'refuge-at', location: cottage }],
  phones: [{ id: 'p', number: '01632 960123', location_id: 'cottage', service_at_location_id: 'refuge-at' }],
  contacts: [{ id: 'c', name: 'Pat', location_id: 'cottage' }],
  // Fields of a feed that no standard knows.
  geo: { latitude: 54.0512345, longitude: -2.1512345 },
  postal_code: 'ZT9 9QQ',
};
const helpline = { id: 'helpline', name: 'Larkspur helpline', status: 'active', organization: trust };
const place = /foxglove|cottage|ZT9 ?9QQ|54\.0512|2\.1512/i;

let site: Valley['site'];
let idsOf: Valley['idsOf'];
let operator: Awaited<ReturnType<typeof aTokenHolder>>;
const bring = (services: object[]) =>
  importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(services))]), {
    source: 'refuges',
  });
async function mark(id: string, location_confidential: boolean) {
  const answer = await site.app.inject({
    method: 'PUT',
    url: `/api/library/services/${id}/referral_settings`,
    headers: operator.headers,
    payload: { accepts: true, channels: ['inbox'], location_confidential },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

beforeAll(async () => {
  ({ site, idsOf } = await openValley());
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  await bring([refuge, helpline]);
  // So that it was searched by distance before.
  expect(await idsOf('latitude=54.0512&longitude=-2.1512&proximity=50')).toEqual(['refuge']);
  await mark('refuge', true);
});
afterAll(() => site.close());

/** A grid around the place and far beyond it, with the place itself. */
const points = [53.9, 54, 54.0512345, 54.1, 54.3].flatMap((latitude) =>
  [-2.3, -2.1512345, -2, -1.9].map((longitude) => `latitude=${latitude}&longitude=${longitude}`),
);
const origins = [...points, 'postcode=ZT1%201AA', 'postcode=ZT1', 'postcode=ZT9%209QQ'];

/** What an answer says of the refuge: its fields, and whether it comes after all services that have a place. */
async function saidFrom(origin: string, query: string) {
  const answer = await site.app.inject(`/api/library/services?${origin}&${query}&per_page=100`);
  if (answer.statusCode !== 200) return answer.statusCode;
  const { contents } = answer.json();
  const index = contents.findIndex(({ id }: { id: string }) => id === 'refuge');
  const behind = contents.slice(index + 1).filter((each: object) => 'distance' in each);
  return { entry: contents[index] ?? null, nearerThanOthers: behind.length };
}

describe('a confidential place', () => {
  it.each([
    'sort=distance',
    'sort=relevance&search=larkspur',
    'sort=name',
    'full=true',
  ])('is as far from everywhere, by %s', async (query) => {
    const said = await Promise.all(points.map((origin) => saidFrom(origin, query)));
    const [first] = said as { entry: object; nearerThanOthers: number }[];
    expect(Object.keys(first!.entry)).not.toContain('distance');
    for (const each of said) expect(each).toMatchObject({ entry: first!.entry });
    if (query === 'sort=distance')
      expect(said).toEqual(said.map(() => ({ entry: first!.entry, nearerThanOthers: 0 })));
  });

  it('is found near no place, at any distance', async () => {
    const found = new Set<boolean>();
    for (const origin of origins)
      for (const proximity of [1, 50, 5_000, 100_000]) {
        const said = await saidFrom(origin, `proximity=${proximity}`);
        if (typeof said === 'object') found.add(said.entry !== null);
      }
    expect([...found]).toEqual([false]);
    for (const origin of points) {
      const [latitude, longitude] = origin.split('&').map((each) => Number(each.split('=')[1]));
      const payload = { latitude, longitude, proximity: 100_000 };
      const answer = await site.app.inject({ method: 'POST', url: '/api/library/services/search', payload });
      expect(answer.json().contents.map(({ id }: { id: string }) => id)).not.toContain('refuge');
      const places = await idsOf(`${origin}&proximity=100000&per_page=100`, 'service_at_locations');
      expect(places).not.toContain('refuge-at');
    }
  });

  it('is in no list, map, page or answer, nor its organisation’s', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const api = [
      '/services?full=true&per_page=100',
      '/services?format=ndjson&full=true',
      '/services/refuge',
      '/services/helpline',
      '/services?search=foxglove',
      '/service_at_locations?per_page=100',
      '/service_at_locations?full=true&per_page=100',
      '/organizations/trust',
      '/organizations/trust?full_service=true',
      '/organizations?full=true&full_service=true&per_page=100',
      '/services/refuge/history',
    ];
    for (const path of api) {
      const { body } = await site.app.inject({ url: `/api/library${path}`, headers: operator.headers });
      expect(body.replaceAll('search=foxglove', ''), path).not.toMatch(place);
    }
    for (const path of api.slice(5, 7))
      expect((await site.app.inject(`/api/library${path}`)).body).not.toContain('refuge');
    for (const path of [
      '/services/refuge',
      '/services?search=larkspur&map=true',
      '/services?postcode=ZT1+1AA&map=true',
      '/services?postcode=ZT1+1AA&sort=distance',
    ]) {
      const { page } = await browser.open(path);
      expect(page.innerHTML, path).not.toMatch(place);
      const shown = page.querySelectorAll('article').find((each) => each.text.includes('Larkspur House'));
      if (shown) expect(parse(shown.innerHTML).text, path).not.toMatch(/miles? away|km/);
    }
  });

  it('stays out when another entry of its organisation is read', async () => {
    await bring([
      { ...helpline, description: 'Day and night.', last_modified: site.clock.now().toISOString() },
    ]);
    for (const path of [
      '/services/helpline',
      '/organizations/trust',
      '/organizations/trust?full_service=true',
    ]) {
      const { body } = await site.app.inject(`/api/library${path}`);
      expect(body, path).not.toMatch(place);
    }
    expect((await site.app.inject('/api/library/services/helpline')).json().description).toBe(
      'Day and night.',
    );
  });
});
