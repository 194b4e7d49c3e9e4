import { expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';

it('a referral is not sent again to a client that has its version', async () => {
  const site = await makeApp();
  try {
    const place = await aService(site.deps);
    const { headers } = await aTokenHolder(site.deps);
    const made = await site.app.inject({
      method: 'POST',
      url: '/api/referrals',
      payload: aReferral(place.serviceId),
      headers,
    });
    const url = `/api/referrals/${made.json().id}`;
    const read = (tag: string) => site.app.inject({ url, headers: { ...headers, 'if-none-match': tag } });
    for (const known of ['"1"', 'W/"1"', '"7", "1"', '*']) {
      const { statusCode, body, headers: answered } = await read(known);
      expect([statusCode, body, answered.etag], known).toEqual([304, '', '"1"']);
    }
    expect((await read('"2"')).json().id).toBe(made.json().id);

    // An answer without content shows nobody anything.
    const staff = await aTokenHolder(site.deps, {
      role: 'provider',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    });
    const asStaff = (method: 'GET' | 'HEAD', more = {}) =>
      site.app.inject({ method, url, headers: { ...staff.headers, ...more } });
    const toPerson = { 'onward-shown-to': 'person' };
    expect((await asStaff('HEAD', toPerson)).statusCode).toBe(200);
    expect((await asStaff('GET', { ...toPerson, 'if-none-match': '"1"' })).statusCode).toBe(304);
    expect((await asStaff('GET')).statusCode).toBe(200);
    expect((await asStaff('GET', { 'onward-shown-to': 'nobody' })).statusCode).toBe(400);
    expect((await read('"2"')).json().seen).toBeNull();
    await asStaff('GET', toPerson);
    expect((await read('"2"')).json().seen.by.name).toBe('Test Person');
  } finally {
    await site.close();
  }
});
