import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';

let site: TestApp;
let theirs: string;
beforeAll(async () => {
  site = await makeApp();
  const { serviceId } = await aService(site.deps);
  const { headers } = await aTokenHolder(site.deps, { organisation: { name: 'Elm Surgery' } });
  const payload = aReferral(serviceId);
  theirs = (await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload })).json().id;
});
afterAll(() => site.close());

const refusalsOf = async (id: string) => {
  const refusals = await storedEntries(site.deps.db, { actorId: id, outcome: 'refused' });
  return refusals.map(({ action, subject_id: subject, details }) => ({
    action,
    subject,
    route: details.route ?? null,
    more: details.further_tries_before ?? null,
  }));
};

describe('a refused call', () => {
  it('is audited with what was asked for, for others’ referrals', async () => {
    const stranger = await aTokenHolder(site.deps);
    const { headers } = stranger;
    const asks = ['', '/messages', `/attachments/${randomUUID()}`];
    for (const part of asks)
      expect((await site.app.inject({ url: `/api/referrals/${theirs}${part}`, headers })).statusCode).toBe(
        404,
      );
    await expect
      .poll(() => refusalsOf(stranger.id))
      .toMatchObject([{ action: 'referral.refused', subject: theirs, route: 'GET /api/referrals/:id' }]);
  });

  it('is audited too if a page made it, or for webhooks', async () => {
    const browser = await signedInBrowser(site);
    expect((await browser.open(`/referrals/${theirs}`)).status).toBe(404);
    const { headers, id } = await aTokenHolder(site.deps);
    for (const path of ['/api/webhooks']) await site.app.inject({ url: `${path}/${randomUUID()}`, headers });
    await expect
      .poll(async () => (await refusalsOf(browser.id)).map(({ action }) => action))
      .toContain('referral.refused');
    await expect
      .poll(async () => (await refusalsOf(id)).map(({ action }) => action).sort())
      .toEqual(['webhook.refused']);
  });

  it('a hundred times makes ten entries and a count', async () => {
    const { headers, id } = await aTokenHolder(site.deps);
    const ask = () => site.app.inject({ url: `/api/referrals/${randomUUID()}`, headers });
    await Promise.all(Array.from({ length: 100 }, ask));
    await expect.poll(async () => (await refusalsOf(id)).length).toBe(10);
    site.clock.moveOn(61_000);
    await ask();
    await expect.poll(async () => (await refusalsOf(id)).at(-1)?.more).toBe(90);
    expect(await refusalsOf(id)).toHaveLength(11);
  });

  it('has an entry of its own if a role was missing', async () => {
    const { headers, id } = await aTokenHolder(site.deps);
    expect((await site.app.inject({ url: `/api/deliveries/${randomUUID()}`, headers })).statusCode).toBe(403);
    await expect
      .poll(async () => (await refusalsOf(id)).map(({ action }) => action))
      .toEqual(['route.called']);
  });
});
