import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { namesOfTables, textOfTable } from '../../../test/database/stored.ts';
import { type Editors, type Holder, libraryEditors } from '../../../test/people/library-editors.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { hourMs } from '../../platform/durations.ts';

// The address of a refuge is confidential. This one is made up of words that occur nowhere else, and the tests look
// for them everywhere.

const base = '/api/library/services';
const url = `${base}/refuge`;
const words = /Larkspur|ZT9 9QQ|54\.0512345/;

const location = {
  id: 'larkspur',
  location_type: 'physical',
  name: 'Larkspur Cottage',
  latitude: 54.0512345,
  longitude: -2.1512345,
  addresses: [
    {
      id: 'larkspur-address',
      address_1: '1 Larkspur Lane',
      city: 'Sarrowby',
      state_province: 'Yorkshire',
      postal_code: 'ZT9 9QQ',
      country: 'GB',
      address_type: 'physical',
    },
  ],
};
const refuge = {
  id: 'refuge',
  name: 'Safe house',
  status: 'active',
  organization: { id: 'refuge-org', name: 'Safe houses', locations: [location] },
  service_at_locations: [{ id: 'refuge-at', location }],
  last_modified: '2026-01-01T00:00:00Z',
};

let site: TestApp;
let operator: Holder;
let call: Editors['call'];
beforeAll(async () => {
  site = await makeApp();
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  ({ call } = libraryEditors(site));
  await bring({});
});
afterAll(() => site.close());

const bring = (more: object) =>
  importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify({ ...refuge, ...more }))]), {
    source: 'refuges',
  });

const mark = (marks: object) => {
  const body = { accepts: true, channels: ['inbox'], ...marks };
  return call(operator, 'PUT', `${url}/referral_settings`, { body });
};

async function everyAnswer(): Promise<string> {
  const paths = [
    url,
    `${url}/history`,
    `${base}?full=true`,
    `${base}?postcode=ZT1%203GH`,
    `${base}?search=larkspur`,
    '/api/library/service_at_locations',
    '/api/library/service_at_locations/refuge-at',
    '/api/library/organizations/refuge-org',
  ];
  const answers = await Promise.all(paths.map((path) => call(operator, 'GET', path)));
  const browser = await signedInBrowser(site, { role: 'operator' });
  const pages = ['/services/refuge', '/services?search=house&map=true', '/services/refuge/history'];
  const shown = await Promise.all(pages.map(async (path) => (await browser.open(path)).page.innerHTML));
  return [...answers.map(({ body }) => JSON.stringify(body)), ...shown]
    .join('\n')
    .replaceAll('search=larkspur', '');
}

async function tablesThatTell(): Promise<string[]> {
  const names = await namesOfTables(site.deps.db);
  const texts = await Promise.all(names.map((name) => textOfTable(site.deps.db, name as never)));
  return names.filter((_, index) => words.test(texts[index]!));
}

describe('a confidential place', () => {
  it('is in no answer, page, history or table once it is marked', async () => {
    expect(await everyAnswer()).toMatch(words);
    expect((await mark({ location_confidential: true })).body).toMatchObject({ location_confidential: true });
    expect(await everyAnswer()).not.toMatch(words);
    expect(await tablesThatTell()).toEqual([]);
  });

  it('stays out after its feed is read again or somebody enters it', async () => {
    expect(await bring({})).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await bring({ description: 'Rooms.', last_modified: '2026-11-21T00:00:00Z' })).toMatchObject({
      updated: 1,
    });
    const { body, etag } = await call(operator, 'GET', url);
    expect(body.description).toBe('Rooms.');
    const entered = { ...body, service_at_locations: refuge.service_at_locations, alert: 'Full' };
    expect((await call(operator, 'PUT', url, { body: entered, etag })).body.alert).toBe('Full');
    expect(await everyAnswer()).not.toMatch(words);
    expect(await tablesThatTell()).toEqual([]);
  });

  it('stays confidential if an old client changes other settings', async () => {
    expect((await mark({ accepts: false })).body).toMatchObject({
      accepts: false,
      location_confidential: true,
    });
    expect(await everyAnswer()).not.toMatch(words);
  });

  it('comes back with the next import when the mark is taken away', async () => {
    await mark({ location_confidential: false, location_reason: 'The house was sold.' });
    site.clock.moveOn(hourMs);
    await bring({ description: 'Rooms again.', last_modified: site.clock.now().toISOString() });
    expect((await call(operator, 'GET', url)).body.service_at_locations).toHaveLength(1);
  });

  it('is asked about for other services of its organisation', async () => {
    const at = { ...location, id: 'bridge', name: 'Bridge End' };
    const organization = { id: 'bridge-org', name: 'Bridge Recovery' };
    const services = ['Bridge recovery', 'Bridge gambling help'].map((name, number) => ({
      id: `bridge-${number}`,
      name,
      status: 'active',
      organization,
      service_at_locations: [{ id: `bridge-at-${number}`, location: at }],
    }));
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(services))]));
    const browser = await signedInBrowser(site, { role: 'operator' });
    const settings = await browser.open('/services/bridge-0/referral-settings');
    expect(settings.text).toMatch(
      /services of the same organisation show a place[\s\S]*Bridge gambling help/,
    );
    expect((await browser.open('/services/bridge-1')).text).not.toContain('is confidential');
    const body = { accepts: true, channels: ['inbox'], location_confidential: true };
    await call(operator, 'PUT', `${base}/bridge-0/referral_settings`, { body });
    expect((await browser.open('/services/bridge-1')).text).toContain(
      'The place of Bridge recovery is confidential.',
    );
    expect((await browser.open('/services/bridge-0/referral-settings')).text).toContain(
      'Bridge gambling help',
    );
    await call(operator, 'PUT', `${base}/bridge-1/referral_settings`, { body });
    for (const path of ['/services/bridge-1', '/services/bridge-0/referral-settings'])
      expect((await browser.open(path)).text).not.toMatch(/is confidential\.|show a place/);
  });
});
