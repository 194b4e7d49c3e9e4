import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { fillList, makeLists } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { maxLists } from './lists.ts';
import { maxServicesOnList } from './saved-services.ts';

// The accounts of a surgery share lists of services. Another surgery sees none of them.

let site: TestApp;
let worker: Awaited<ReturnType<typeof aTokenHolder>>;
let colleague: Awaited<ReturnType<typeof aTokenHolder>>;
let stranger: Awaited<ReturnType<typeof aTokenHolder>>;
beforeAll(async () => {
  site = await makeApp();
  const organisation = { name: 'Infirmary Lane Surgery' };
  [worker, colleague, stranger] = await Promise.all([
    aTokenHolder(site.deps, { name: 'Wanda Worker', organisation }),
    aTokenHolder(site.deps, { organisation }),
    aTokenHolder(site.deps, { organisation: { name: 'Tolbooth Medical Practice' } }),
  ]);
});
afterAll(() => site.close());

type Holder = { headers: Record<string, string> };

async function call(
  who: Holder,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) {
  const answer = await site.app.inject({
    method,
    url: `/api/library/lists${path}`,
    headers: who.headers,
    ...(body && { payload: body }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body === '' ? undefined : answer.json(),
  };
}

async function aList(name: string): Promise<string> {
  return (await call(worker, 'POST', '', { name })).body.id;
}

describe('lists of services by the API', () => {
  it('are made, filled, shared, renamed and deleted', async () => {
    const [walks, choir] = await Promise.all([
      aService(site.deps, { serviceName: 'Morning walks' }),
      aService(site.deps, { serviceName: 'The Breath Choir' }),
    ]);
    const made = await call(worker, 'POST', '', { name: '  Lung   clinic ' });
    expect(made).toMatchObject({ status: 201, body: { name: 'Lung clinic', services: 0 } });
    const { id } = made.body;
    expect(made.headers.location).toContain(`/api/library/lists/${id}`);
    for (const { serviceId } of [choir, walks, choir])
      expect((await call(worker, 'PUT', `/${id}/services/${serviceId}`)).status).toBe(204);

    expect((await call(colleague, 'GET', `/${id}`)).body).toMatchObject({ name: 'Lung clinic', services: 2 });
    const first = await call(colleague, 'GET', `/${id}/services?limit=1`);
    expect(first.body.items).toMatchObject([
      { name: 'The Breath Choir', status: 'active', saved_by: 'Wanda Worker' },
    ]);
    const next = await call(colleague, 'GET', `/${id}/services?cursor=${first.body.next_cursor}`);
    expect(next.body).toMatchObject({ items: [{ service_id: walks.serviceId }], next_cursor: null });

    expect((await call(colleague, 'PATCH', `/${id}`, { name: 'lung clinic' })).body.name).toBe('lung clinic');
    for (const _ of [1, 2])
      expect((await call(colleague, 'DELETE', `/${id}/services/${choir.serviceId}`)).status).toBe(204);
    expect((await call(worker, 'GET', `/${id}`)).body.services).toBe(1);
    expect((await call(worker, 'DELETE', `/${id}`)).status).toBe(204);
    expect((await call(worker, 'GET', `/${id}`)).status).toBe(404);

    const entries = await storedEntries(site.deps.db, { subjectId: id });
    expect(entries.map(({ action }) => action)).toEqual([
      'service-list.created',
      'service-list.service-saved',
      'service-list.service-saved',
      'service-list.renamed',
      'service-list.service-taken-off',
      'service-list.deleted',
    ]);
    expect(JSON.stringify(entries)).not.toContain('ung clinic');
  });

  it('do not exist for another organisation', async () => {
    const id = await aList('Carers');
    const { serviceId } = await aService(site.deps);
    const nowhere = '019f8a3c-5d2e-7b41-9c60-2f4e8d1a7b35';
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['GET', '/services', undefined],
      ['PUT', `/services/${serviceId}`, undefined],
      ['DELETE', `/services/${serviceId}`, undefined],
    ] as const) {
      const theirs = await call(stranger, method, `/${id}${path}`, body);
      const none = await call(stranger, method, `/${nowhere}${path}`, body);
      expect(theirs.status).toBe(404);
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...none.body, request_id: '' });
    }
    expect((await call(stranger, 'GET', '')).body.items).toEqual([]);
    const alone = await aTokenHolder(site.deps);
    expect((await call(alone, 'GET', '')).status).toBe(403);
    expect((await call({ headers: {} }, 'GET', '')).status).toBe(401);
  });

  it('have unique names that are not empty', async () => {
    const id = await aList('Debt');
    expect((await call(colleague, 'POST', '', { name: 'DEBT' })).body.type).toMatch(/list-name-taken$/);
    expect((await call(colleague, 'PATCH', `/${id}`, { name: ' ' })).body.type).toMatch(/unprocessable$/);
    const other = await aList('Housing');
    expect((await call(worker, 'PATCH', `/${other}`, { name: 'debt' })).status).toBe(409);
    expect((await call(stranger, 'POST', '', { name: 'Debt' })).status).toBe(201);
    const together = await Promise.all([1, 2, 3].map(() => call(worker, 'POST', '', { name: 'At once' })));
    expect(together.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await call(worker, 'PUT', `/${id}/services/none`)).status).toBe(404);
  });

  it('are limited, and so are their services', async () => {
    const { db } = site.deps;
    const many = Array.from({ length: maxServicesOnList + 1 }, (_, index) => `limit-${index}`);
    const lines = many.map((id) => JSON.stringify({ id, name: id, status: 'active' })).join('\n');
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines)]));
    const id = await aList('Long');
    await fillList(db, id, many.slice(1), worker.id);
    expect((await call(worker, 'PUT', `/${id}/services/limit-0`)).body.type).toMatch(/list-full$/);
    expect((await call(worker, 'PUT', `/${id}/services/limit-1`)).status).toBe(204);
    expect((await call(worker, 'GET', `/${id}`)).body.services).toBe(maxServicesOnList);

    await makeLists(db, id, maxLists);
    expect((await call(worker, 'POST', '', { name: 'One more' })).body.type).toMatch(/too-many-lists$/);
    const pages = await call(worker, 'GET', '?limit=60');
    const rest = await call(worker, 'GET', `?limit=60&cursor=${pages.body.next_cursor}`);
    const ids = [...pages.body.items, ...rest.body.items].map((list: { id: string }) => list.id);
    expect([new Set(ids).size, rest.body.next_cursor]).toEqual([maxLists, null]);
  });

  it('refuse a cursor that is not theirs', async () => {
    for (const key of ['-'.repeat(36), 'abcdefab-cdef', '12'])
      expect((await call(worker, 'GET', `?cursor=${Buffer.from(key).toString('base64url')}`)).status).toBe(
        400,
      );
  });
});

describe('lists of services on pages', () => {
  it('say how to begin, where there are none', async () => {
    const person = await signedInBrowser(site, { organisation: { name: 'Listless Surgery' } });
    expect((await person.open('/lists')).text).toMatch(
      /No lists yet\. Create one here, or find a service and/,
    );
  });

  it('say beside the lists that one is full', async () => {
    const organisation = { name: 'Infirmary Lane Surgery' };
    const person = await signedInBrowser(site, { organisation });
    const { items } = (await call(worker, 'GET', '?limit=100')).body;
    const full = items.find(({ name }: { name: string }) => name === 'Long');
    const { status, page } = await person.send('/lists/save', { service: 'limit-0', list: full.id });
    expect([status, page.querySelector('fieldset .nhsuk-error-message')?.text]).toEqual([
      422,
      'The list has reached its limit of services',
    ]);
    expect(page.querySelector('#list-new')!.hasAttribute('checked')).toBe(false);
  });

  it('take a service from the results onto a new list and off it', async () => {
    const { serviceId, serviceName } = await aService(site.deps, { serviceName: 'Quiet Water swimming' });
    const organisation = { name: 'Spindle Hill Surgery' };
    const person = await signedInBrowser(site, { name: 'Paula Person', organisation });
    await call(await aTokenHolder(site.deps, { organisation }), 'POST', '', { name: 'Debt' });

    const found = await person.open('/services?search=quiet+water');
    const save = found.page.querySelector('article a[href^="/lists/save"]')!.getAttribute('href')!;
    const choose = (form: Record<string, string>) =>
      person.send('/lists/save', { service: serviceId, ...form });
    expect(await choose({ list: '' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('Choose a list'),
    });
    expect(await choose({ list: 'new', name: 'debt' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('has a list of this name'),
    });
    const { location } = await choose({ list: 'new', name: 'Pools' });
    const saved = await person.open(location!);
    expect(saved.text).toContain('The service was added to this list.');
    expect(saved.text).toContain(serviceName);
    expect(saved.text).toMatch(/Saved on \d+ \w+ by Paula Person/);
    expect((await person.open(save)).text).toContain('Pools (it is on this list already)');
    expect((await person.open(`/services/${serviceId}`)).text).toContain('Add to a list');

    const path = location!.replace(/\?.*/, '');
    const refused = await person.send(`${path}/rename`, { name: 'Debt' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('has a list of this name')]);
    await person.send(`${path}/rename`, { name: 'Swimming' });
    expect((await person.open('/lists')).text).toMatch(/Debt[\s\S]*Swimming/);
    await person.send(`${path}/take-off`, { service: serviceId });
    expect((await person.open(path)).text).toContain('No service is on this list yet');
    expect((await person.open(`${path}/delete`)).text).toContain('Delete “Swimming”?');
    const gone = await person.send(`${path}/delete`, {});
    expect((await person.open(gone.location!)).text).toContain('The list was deleted');
    expect((await person.open(path)).status).toBe(404);
    expect((await person.open('/lists/save?service=none')).status).toBe(404);
  });

  it('lead back to the results, at the service that was added', async () => {
    const { serviceId } = await aService(site.deps, { serviceName: 'Still Water sitting' });
    const person = await signedInBrowser(site, { organisation: { name: 'Weir Lane Surgery' } });
    const results = '/services?search=still+water&page=1';
    const add = { service: serviceId, list: 'new', name: 'Sitting' };
    const { location } = await person.send('/lists/save', { ...add, back: `${results}&saved=x&list=y` });
    expect(location).toMatch(
      new RegExp(`^/services\\?search=still\\+water&page=1&saved=${serviceId}&list=.*#save-`),
    );
    const { page } = await person.open(location!.split('#')[0]!);
    expect(page.querySelector('article [role=status]')?.text).toContain('Added to a list');
    expect(page.querySelector(`[id="save-${serviceId}"]`)).not.toBeNull();
    const checked = async (id: string) =>
      (await person.open(`/lists/save?service=${id}`)).page.querySelectorAll('[name=list][checked]').length;
    const other = await aService(site.deps);
    expect([await checked(other.serviceId), await checked(serviceId)], 'the only list').toEqual([1, 0]);
    for (const back of ['https://evil.example/find', '//evil.example/lists', '/account']) {
      const led = await person.send('/lists/save', { ...add, name: `To ${back.length}`, back });
      expect(led.location).toMatch(/^\/lists\//);
    }
    const forged = await person.send('/lists/save', {
      ...add,
      name: 'Forged',
      back: '//evil.example/services',
    });
    expect(forged.location).toMatch(/^\/services\?saved=/);
  });

  it('are not offered to people without an organisation', async () => {
    const { serviceId } = await aService(site.deps);
    const person = await signedInBrowser(site);
    expect((await person.open('/lists')).status).toBe(403);
    const { page } = await person.open(`/services/${serviceId}`);
    expect(page.toString()).not.toContain('/lists');
  });
});
