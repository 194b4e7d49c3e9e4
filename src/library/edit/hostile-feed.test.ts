import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { libraryEditors } from '../../../test/people/library-editors.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

// What somebody else's feed must not be able to do to the services of this site.

let site: TestApp;
let editors: ReturnType<typeof libraryEditors>;
beforeAll(async () => {
  site = await makeApp();
  editors = libraryEditors(site);
});
afterAll(() => site.close());

const base = '/api/library/services';
const bring = (record: object, options = {}) =>
  importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify([record]))]), options);

describe('a hostile feed', () => {
  it('cannot give a service to another organisation', async () => {
    const ours = await aService(site.deps);
    const provider = await editors.staffOf(ours);
    const stored = async () => (await editors.call(provider, 'GET', `${base}/${ours.serviceId}`)).body;
    const taken = {
      id: ours.serviceId,
      name: 'Taken over',
      status: 'active',
      organization_id: 'evil',
      organization: { id: 'evil', name: 'Evil', description: 'Reads what is not for it.' },
    };
    for (const dryRun of [true, false]) {
      const { rejected, updated, problems } = await bring(taken, { dryRun });
      expect([rejected, updated, problems[0]]).toEqual([
        1,
        0,
        expect.objectContaining({ id: ours.serviceId, pointer: '/organization_id' }),
      ]);
    }
    expect(await stored()).toMatchObject({ name: ours.serviceName, organization_id: ours.organizationId });
    const operator = await aTokenHolder(site.deps, { role: 'operator' });
    const { etag } = await editors.call(operator, 'GET', `${base}/${ours.serviceId}`);
    const moved = await editors.call(operator, 'PUT', `${base}/${ours.serviceId}`, { body: taken, etag });
    expect(moved.body.organization_id).toBe('evil');
    // A feed that names the same organisation as before takes nothing away.
    const before = { ...taken, organization_id: ours.organizationId, organization: undefined };
    await editors.staffOf({ ...ours, organizationId: 'evil', organizationName: 'Evil' });
    expect(await bring(before)).toMatchObject({ rejected: 0, unchanged: 1 });

    const unattended = await aService(site.deps);
    expect(await bring({ ...taken, id: unattended.serviceId })).toMatchObject({ rejected: 0, updated: 1 });
  });

  it('cannot overwrite edits with a date in the future', async () => {
    const { serviceId } = await aService(site.deps);
    const operator = await aTokenHolder(site.deps, { role: 'operator' });
    const { body, etag } = await editors.call(operator, 'GET', `${base}/${serviceId}`);
    await editors.call(operator, 'PUT', `${base}/${serviceId}`, { body: { ...body, name: 'Ours' }, etag });
    const inDays = (days: number) => new Date(site.clock.now().getTime() + days * 86_400_000).toISOString();
    const theirs = (days: number) => bring({ ...body, name: 'Theirs', last_modified: inDays(days) });
    expect(await theirs(2)).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await theirs(1)).toMatchObject({ updated: 1, unchanged: 0 });
  });

  it('cannot set availability with a date in the future', async () => {
    const { serviceId } = await aService(site.deps);
    const operator = await aTokenHolder(site.deps, { role: 'operator' });
    const url = `${base}/${serviceId}`;
    const answer = await editors.call(operator, 'PUT', `${url}/capacity`, {
      body: { status: 'no-capacity' },
    });
    const inDays = (days: number) => new Date(site.clock.now().getTime() + days * 86_400_000).toISOString();
    const theirs = (days: number) =>
      bring({ ...answer.body, service_capacity: { status: 'capacity', updated: inDays(days) } });
    const availability = async () => (await editors.call(operator, 'GET', url)).body.service_capacity.status;
    expect(await theirs(2)).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await availability()).toBe('no-capacity');
    expect(await theirs(1)).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await availability()).toBe('capacity');
  });
});
