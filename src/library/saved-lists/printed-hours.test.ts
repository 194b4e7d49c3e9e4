import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const hours = { freq: 'WEEKLY', byday: 'TU', opens_at: '10:00', closes_at: '12:00' };

describe('a printed list', () => {
  it('has each service’s hours with notes, or its building’s', async () => {
    const services = [
      {
        id: 'walks',
        name: 'Walks',
        status: 'active',
        schedules: [{ ...hours, description: 'March to October' }],
      },
      {
        id: 'choir',
        name: 'Choir',
        status: 'active',
        service_at_locations: [{ location: { schedules: [{ ...hours, byday: 'WE' }] } }],
      },
      {
        id: 'lunch',
        name: 'Lunch',
        status: 'active',
        service_at_locations: [
          { schedules: [{ ...hours, byday: 'TH' }], location: { schedules: [{ ...hours, byday: 'SU' }] } },
        ],
      },
    ];
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(services))]));
    const organisation = { name: 'Infirmary Lane Surgery' };
    const { headers } = await aTokenHolder(site.deps, { organisation });
    const lists = '/api/library/lists';
    const made = await site.app.inject({ method: 'POST', url: lists, headers, payload: { name: 'Out' } });
    for (const { id } of services)
      await site.app.inject({ method: 'PUT', url: `${lists}/${made.json().id}/services/${id}`, headers });

    const { page } = await (await signedInBrowser(site, { organisation })).open(`/lists/${made.json().id}`);
    const facts = page.querySelectorAll('.onward-fact').map(({ text }) => text.replace(/\s+/g, ' ').trim());
    expect(facts).toEqual([
      'WhenTuesday, 10am to midday (March to October)',
      'WhenWednesday, 10am to midday',
      'WhenThursday, 10am to midday',
    ]);
  });

  it('leaves out sensitive services, and says so on the screen', async () => {
    const refuge = await aService(site.deps, { serviceName: 'Larkspur refuge' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const organisation = { name: 'Another Surgery' };
    const { headers } = await aTokenHolder(site.deps, { organisation });
    const lists = '/api/library/lists';
    const made = await site.app.inject({ method: 'POST', url: lists, headers, payload: { name: 'Out' } });
    const path = `${lists}/${made.json().id}`;
    for (const id of [refuge.serviceId, 'choir'])
      await site.app.inject({ method: 'PUT', url: `${path}/services/${id}`, headers });
    const { page } = await (await signedInBrowser(site, { organisation })).open(`/lists/${made.json().id}`);
    const [first] = page.querySelectorAll('main button');
    expect(first!.hasAttribute('data-prints'), 'the button to print stands first').toBe(true);
    expect(page.querySelector('noscript')!.text).toContain('your browser’s menu');
    const entries = page.querySelectorAll('article').map((entry) => ({
      name: entry.querySelector('a')!.text.trim(),
      isPrinted: !entry.classList.contains('onward-no-print'),
      says: entry.text.includes('Not printed:'),
    }));
    expect(entries.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: 'Choir', isPrinted: true, says: false },
      { name: 'Larkspur refuge', isPrinted: false, says: true },
    ]);
  });
});
