import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { type Editors, type Holder, libraryEditors } from '../../../../test/people/library-editors.ts';
import { siteActor } from '../../../audit/index.ts';
import { importServices } from '../../../exchange/index.ts';

let site: TestApp;
let operator: Holder;
let call: Editors['call'];
let staffOf: Editors['staffOf'];
beforeAll(async () => {
  site = await makeApp();
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  ({ call, staffOf } = libraryEditors(site));
});
afterAll(() => site.close());

const base = '/api/library/services';

describe('the availability, check and settings of a service', () => {
  it('are set by one call each, and recorded in the history', async () => {
    const place = await aService(site.deps);
    const url = `${base}/${place.serviceId}`;
    const provider = await staffOf(place);
    const put = (path: string, body: unknown) => call(provider, 'PUT', `${url}/${path}`, { body });
    expect((await put('capacity', { status: 'full' })).body.errors[0].pointer).toBe('/status');
    const blank = await put('capacity', { status: 'waitlist', waiting_time: ' ' });
    expect(blank.body.service_capacity).not.toHaveProperty('waiting_time');
    const assessed = { status: 'additional-assessment-required' };
    expect((await put('capacity', assessed)).body.service_capacity).toMatchObject(assessed);
    // A field that may also be null gets one error, not two.
    expect(
      (await put('capacity', { status: 'waitlist', waiting_time: 'x'.repeat(201) })).body.errors,
    ).toEqual([{ pointer: '/waiting_time', message: 'must have at most 200 characters' }]);
    expect((await put('capacity', { status: 'waitlist', waiting_time: 'six weeks' })).status).toBe(200);
    site.clock.moveOn(60_000);
    const checked = await call(provider, 'POST', `${url}/checked`);
    expect(checked.body).toMatchObject({ assured_date: '2026-11-21', assurer_email: provider.email });
    expect((await call(provider, 'GET', `${url}/referral_settings`)).body).toEqual({
      accepts: true,
      channels: ['inbox'],
      sensitive: false,
      location_confidential: false,
      record_kind: 'general',
      retention_years: null,
      answer_by_link: true,
      code_email: null,
      code_telephone: null,
      self_referral: false,
      addresses: {},
      unconfirmed_addresses: [],
      answered_by: { name: null, email: null, telephone: null },
      updated_at: null,
    });
    expect((await put('referral_settings', { accepts: true, channels: ['pigeon'] })).status).toBe(400);
    const settings = {
      accepts: false,
      channels: ['document', 'inbox'],
      answered_by: { email: 'desk@example.org' },
    };
    expect((await put('referral_settings', settings)).body).toMatchObject({
      ...settings,
      updated_at: site.clock.now().toISOString(),
    });
    const { body, etag } = await call(operator, 'GET', url);
    expect(
      (await call(operator, 'PUT', url, { body: { ...body, alert: 'Closed on Monday' }, etag })).status,
    ).toBe(200);

    const first = (await call(provider, 'GET', `${url}/history?limit=2`)).body;
    expect(first.items[0]).toMatchObject({
      field_name: 'alert',
      previous_value: '',
      replacement_value: 'Closed on Monday',
      account: { id: operator.id, name: 'Test Person' },
    });
    const rest = (await call(provider, 'GET', `${url}/history?limit=9&cursor=${first.next_cursor}`)).body;
    expect(rest.next_cursor).toBeNull();
    const fields = [...first.items, ...rest.items].map(({ field_name }) => field_name);
    expect(fields).toEqual(
      expect.arrayContaining(['alert', 'assured_date', 'assurer_email', 'capacity', 'waiting_time']),
    );
    expect(JSON.stringify(fields)).not.toContain('answer');
    const other = await staffOf(await aService(site.deps));
    for (const path of ['history', 'referral_settings']) {
      expect((await call(other, 'GET', `${url}/${path}`)).status).toBe(403);
    }
    expect(
      (await call(operator, 'DELETE', url, { etag: (await call(operator, 'GET', url)).etag })).status,
    ).toBe(204);
    expect((await call(operator, 'GET', `${url}/history?limit=1`)).body.items[0].action).toBe('delete');
    expect((await call(provider, 'GET', `${url}/history`)).status).toBe(404);
  });

  it('shows old values only to people who may edit it', async () => {
    const place = await aService(site.deps);
    const url = `${base}/${place.serviceId}`;
    const provider = await staffOf(place);
    const phones = (number: string) => ({ phones: [{ id: 'p', number }] });
    for (const number of ['01632 960001', '01632 960002']) {
      const { body, etag } = await call(provider, 'GET', url);
      await call(provider, 'PUT', url, { body: { ...body, ...phones(number) }, etag });
    }
    const readers = [await aTokenHolder(site.deps), provider, operator];
    for (const reader of readers) {
      const { body } = await call(reader, 'GET', url);
      expect(body).toMatchObject(phones('01632 960002'));
      expect(body.metadata[0]).toMatchObject({
        field_name: 'phones',
        previous_value: '',
        replacement_value: '',
        last_action_date: site.clock.now().toISOString(),
        updated_by: place.organizationName,
      });
      expect(JSON.stringify(body)).not.toContain('960001');
    }
    const [latest] = (await call(provider, 'GET', `${url}/history`)).body.items;
    expect(latest.previous_value).toContain('960001');
  });
});

describe('an entry edited here', () => {
  it('outlives old imports and gives way to newer ones', async () => {
    const organization = { id: 'feed-org', name: 'Feed organisation' };
    const given = {
      id: 'fed',
      name: 'Fed',
      status: 'active',
      organization,
      last_modified: '2026-01-01T00:00:00Z',
    };
    const bring = (more: object, source?: string) =>
      importServices(
        site.deps,
        siteActor,
        Readable.from([Buffer.from(JSON.stringify({ ...given, ...more }))]),
        {
          ...(source !== undefined && { source }),
        },
      );
    const name = async () => (await call(operator, 'GET', `${base}/fed`)).body.name;
    const edit = async (to: string) => {
      const { body, etag } = await call(operator, 'GET', `${base}/fed`);
      expect((await call(operator, 'PUT', `${base}/fed`, { body: { ...body, name: to }, etag })).status).toBe(
        200,
      );
    };
    await bring({}, 'north');
    await edit('Edited');
    // The same again, an older version, and a file without a source.
    expect(await bring({}, 'north')).toMatchObject({ updated: 0, unchanged: 1, rejected: 0, notes: [] });
    for (const [more, source] of [
      [{ name: 'Older', last_modified: '2026-02-02T00:00:00Z' }, 'north'],
      [{ name: 'Undated', last_modified: undefined }, 'north'],
      [{ name: 'Older', last_modified: '2026-02-02T00:00:00Z' }, undefined],
    ] as const) {
      const result = await bring(more, source);
      expect(result).toMatchObject({
        updated: 0,
        unchanged: 1,
        rejected: 0,
        notes: [expect.stringContaining('fed')],
      });
      expect(await name()).toBe('Edited');
    }
    const later = new Date(site.clock.now().getTime() + 1000).toISOString();
    expect(await bring({ name: 'Newer', last_modified: later }, 'north')).toMatchObject({
      updated: 1,
      notes: [],
    });
    expect(await name()).toBe('Newer');
    // The import's version stays until somebody edits again.
    expect(await bring({ name: 'Newest', last_modified: undefined }, 'north')).toMatchObject({ updated: 1 });
  });

  it('still takes its source’s changes after a mere check', async () => {
    const bring = (name: string) =>
      importServices(
        site.deps,
        siteActor,
        Readable.from([Buffer.from(JSON.stringify({ id: 'seen', name, status: 'active' }))]),
        { source: 'undated' },
      );
    const url = `${base}/seen`;
    const check = async () => (await call(operator, 'POST', `${url}/checked`)).body.assured_date;
    await bring('One');
    const today = await check();
    expect(await bring('One')).toMatchObject({ updated: 0, unchanged: 1, notes: [] });
    expect((await call(operator, 'GET', url)).body.assured_date).toBe(today);
    expect(await bring('Two')).toMatchObject({ updated: 1 });

    const { body, etag } = await call(operator, 'GET', url);
    await call(operator, 'PUT', url, { body: { ...body, name: 'Ours' }, etag });
    await check();
    expect(await bring('Three')).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('is checked on the local day, also in summer time', async () => {
    const { serviceId } = await aService(site.deps);
    site.clock.moveOn(Date.parse('2027-07-01T23:30:00Z') - site.clock.now().getTime());
    const late = await aTokenHolder(site.deps, { role: 'operator' });
    const { body } = await call(late, 'POST', `${base}/${serviceId}/checked`);
    expect(body.assured_date).toBe('2027-07-02');
  });
});
