import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { setOrganisation } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('an account that moves to another organisation', () => {
  it('leaves the referrals and their events behind', async () => {
    const { serviceId } = await aService(site.deps);
    const referrer = await aTokenHolder(site.deps, { organisation: { name: 'Elm Surgery' } });
    const { headers } = referrer;
    const payload = aReferral(serviceId);
    const sent = await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload });
    expect(sent.statusCode, sent.body).toBe(201);
    const urls = [`/api/referrals/${sent.json().id}`, '/api/referrals', '/api/events'];
    const seen = async () => {
      const answers = await Promise.all(urls.map((url) => site.app.inject({ url, headers })));
      return answers.map((answer) => answer.body.includes(sent.json().id));
    };
    expect(await seen()).toEqual([true, true, true]);
    await setOrganisation(site.deps, siteActor, { id: referrer.id }, { name: 'Oak Surgery' });
    // The news of it is in every process within milliseconds.
    await expect.poll(seen).toEqual([false, false, false]);
  });

  it('sends a draft of its own for the new organisation', async () => {
    const { serviceId } = await aService(site.deps);
    const drafter = await aTokenHolder(site.deps);
    const colleague = await aTokenHolder(site.deps, { organisation: { name: 'Yew Surgery' } });
    const call = (who: typeof drafter, url: string, payload: object, headers = {}) =>
      site.app.inject({ method: 'POST', url, payload, headers: { ...who.headers, ...headers } });
    const payload = { ...aReferral(serviceId), status: 'draft' };
    const { id } = (await call(drafter, '/api/referrals', payload)).json();
    await setOrganisation(site.deps, siteActor, { id: drafter.id }, { name: 'Yew Surgery' });
    // Wait until every process has noticed the move.
    const made = async () => (await call(drafter, '/api/referrals', payload)).json().referrer.organisation;
    await expect.poll(made).toBe('Yew Surgery');
    const sent = await call(drafter, `/api/referrals/${id}/request`, {}, { 'if-match': '"1"' });
    expect(sent.json()).toMatchObject({ status: 'requested', referrer: { organisation: 'Yew Surgery' } });
    const read = await site.app.inject({ url: `/api/referrals/${id}`, headers: colleague.headers });
    expect([read.statusCode, read.json().patient?.family_name]).toEqual([200, 'Example']);
  });

  it('does not get the answer again, even as an operator', async () => {
    const { serviceId } = await aService(site.deps);
    const organisation = { name: 'Elm Surgery' };
    const both = await aTokenHolder(site.deps, { organisation, roles: ['operator', 'referrer'] });
    const headers = { ...both.headers, 'idempotency-key': 'made-once' };
    const send = () =>
      site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload: aReferral(serviceId) });
    const first = await send();
    expect((await send()).body).toBe(first.body);
    await setOrganisation(site.deps, siteActor, { id: both.id }, { name: 'Oak Surgery' });
    await expect.poll(async () => (await send()).statusCode).toBe(404);
    const seen = await site.app.inject({ url: `/api/referrals/${first.json().id}`, headers });
    expect([seen.statusCode, seen.json().patient]).toEqual([200, undefined]);
  });
});
