import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { libraryEditors } from '../../../../test/people/library-editors.ts';
import { siteActor } from '../../../audit/index.ts';
import { importFeed } from '../../feeds/import-feed.ts';

let there: TestApp;
let here: TestApp;
let feed: string;
beforeAll(async () => {
  [there, here] = await Promise.all([makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } }), makeApp()]);
  feed = `${await there.app.listen({ host: '127.0.0.1', port: 0 })}/api/library`;
});
afterAll(() => Promise.all([there.close(), here.close()]));

const days = (count: number) => {
  for (const { clock } of [there, here]) clock.moveOn(count * 24 * 60 * 60_000);
};
/** By an operator who has just signed in, since days pass here. */
const ask = async (
  site: TestApp,
  method: 'GET' | 'PUT',
  url: string,
  more: { body?: unknown; etag?: string } = {},
) => libraryEditors(site).call(await aTokenHolder(site.deps, { role: 'operator' }), method, url, more);
const say = async (id: string, room: object) => {
  expect((await ask(there, 'PUT', `/api/library/services/${id}/capacity`, { body: room })).status).toBe(200);
};
const read = () => importFeed(here.deps, siteActor, feed, { timing: { pause: async () => undefined } });

describe('availability that a feed reports', () => {
  it('comes with the changes, is in the history, and keeps edits', async () => {
    const { serviceId } = await aService(there.deps);
    const url = `/api/library/services/${serviceId}`;
    const roomHere = async () => (await ask(here, 'GET', url)).body.service_capacity;
    await read();
    days(3);
    await read();
    days(3);
    await say(serviceId, { status: 'waitlist', waiting_time: 'six weeks' });
    expect(await read()).toMatchObject({ updated: 1 });
    expect(await roomHere()).toMatchObject({ status: 'waitlist', waiting_time: 'six weeks' });
    expect((await ask(here, 'GET', `${url}/history`)).body.items).toMatchObject([
      { field_name: 'waiting_time', replacement_value: 'six weeks', updated_by: feed },
      { field_name: 'capacity', previous_value: '', replacement_value: 'waitlist', updated_by: feed },
      { action: 'create' },
    ]);

    const { body, etag } = await ask(here, 'GET', url);
    expect((await ask(here, 'PUT', url, { body: { ...body, alert: 'Ask Mary' }, etag })).status).toBe(200);
    days(1);
    await say(serviceId, { status: 'no-capacity' });
    expect(await read()).toMatchObject({
      updated: 0,
      unchanged: 1,
      notes: [expect.stringContaining(serviceId)],
    });
    const after = await ask(here, 'GET', url);
    expect(after.body).toMatchObject({ alert: 'Ask Mary', service_capacity: { status: 'no-capacity' } });
    expect(after.etag).not.toBe(etag);
    expect(after.headers['last-modified']).toBe(here.clock.now().toUTCString());
    expect((await ask(here, 'GET', `${url}/history?limit=2`)).body.items).toMatchObject([
      { field_name: 'waiting_time', previous_value: 'six weeks', replacement_value: '' },
      {
        field_name: 'capacity',
        previous_value: 'waitlist',
        replacement_value: 'no-capacity',
        updated_by: feed,
      },
    ]);
  });
});
