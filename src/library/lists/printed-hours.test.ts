import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
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
});
