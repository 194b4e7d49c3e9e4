import { afterAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { libraryEditors } from '../../../test/people/library-editors.ts';

const site = await makeApp();
afterAll(() => site.close());
const operator = await aTokenHolder(site.deps, { role: 'operator' });
const { call } = libraryEditors(site);
const base = '/api/library/services';

describe('a service whose oldest age is below its youngest', () => {
  it('is neither added nor replaced', async () => {
    const { serviceId, organizationId } = await aService(site.deps);
    const ages = { minimum_age: 60, maximum_age: 18 };
    const errors = [{ pointer: '/maximum_age', message: 'must not be less than minimum_age' }];
    const service = { name: 'A', status: 'active', organization_id: organizationId };
    const made = await call(operator, 'POST', base, { body: { ...service, ...ages } });
    expect([made.status, made.body.errors]).toEqual([400, errors]);
    const { body, etag } = await call(operator, 'GET', `${base}/${serviceId}`);
    const put = await call(operator, 'PUT', `${base}/${serviceId}`, { body: { ...body, ...ages }, etag });
    expect([put.status, put.body.errors]).toEqual([400, errors]);
    const one = { ...service, minimum_age: 18, maximum_age: 18 };
    expect((await call(operator, 'POST', base, { body: one })).status).toBe(201);
  });
});
