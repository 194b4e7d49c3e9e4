import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandLineActor, setApiAccess } from '../../src/accounts/index.ts';
import { newToken } from '../../src/tokens/model/token.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { storedEntries } from '../audit/stored.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';

// The audit has refusals, too. Anyone can cause refusals, but nobody can fill the audit with them.

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());
beforeEach(() => site.clock.moveOn(61_000));

async function refusals(action: string) {
  const entries = await storedEntries(site.deps.db, { action, outcome: 'refused' });
  return entries.map(({ actor_id, actor_name, subject_id, address, details }) => ({
    actorId: actor_id,
    actor: actor_name,
    subject: subject_id,
    address,
    details,
  }));
}

describe('refusals in the audit', () => {
  it('record too many attempts once a minute, without the name', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const payload = 'email=somebody%40example.org&password=wrong';
    const signIn = () => site.app.inject({ method: 'POST', url: '/signin', headers, payload });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) statuses.push((await signIn()).statusCode);
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
    expect(await refusals('attempt.slowed_down')).toEqual([
      {
        actorId: null,
        actor: 'somebody',
        subject: null,
        address: '127.0.0.1',
        details: { kind: 'sign-in' },
      },
    ]);
  });

  it('record an ended refresh token, with its account if known', async () => {
    const { tag } = site.deps.tokenServices;
    const refresh = (refreshToken: string) =>
      site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken } });
    for (let time = 0; time < 4; time += 1) await refresh(newToken('refresh', tag));
    // What was never a token of this site is noise.
    await refresh('onr_mistyped');
    const browser = await signedInBrowser(site);
    const { page } = await browser.open('/apikeys');
    const own = page.querySelector('#refresh-token')!.getAttribute('value')!;
    await setApiAccess(site.deps, commandLineActor, browser.email, { isAllowed: false });
    expect((await refresh(own)).statusCode).toBe(403);
    expect(await refusals('token.refreshed')).toMatchObject([
      { actor: 'somebody', details: { reason: 'unknown or replaced' } },
      { actorId: browser.id, details: { reason: 'API access is off' } },
    ]);
  });

  it('record a forbidden call by its route, not by its address', async () => {
    const person = await signedInBrowser(site, { role: 'referrer' });
    for (const path of ['/operator/audit?who=secret', '/operator/audit', '/operator'])
      expect((await person.open(path)).status).toBe(403);
    const entries = async () =>
      (await refusals('route.called')).filter(({ actorId }) => actorId === person.id);
    await expect.poll(entries).toMatchObject([{ subject: 'GET /operator/audit' }]);
  });

  it('record links that lead nowhere, at most sixty a minute', async () => {
    for (let network = 0; network < 90; network += 1)
      await site.app.inject({
        url: `/invitation/${'x'.repeat(43)}`,
        remoteAddress: `2001:db8:0:${network.toString(16)}::1`,
      });
    const entries = await refusals('link.opened');
    expect(entries).toHaveLength(60);
    expect(entries[0]).toMatchObject({ actor: 'somebody', details: { purpose: 'invitation' } });
    expect(JSON.stringify(entries)).not.toContain('xxx');
  });

  it('record a refused return address by reason, not by address', async () => {
    const operator = await signedInBrowser(site, { role: 'operator' });
    const path = '/operator/return-addresses';
    expect((await operator.send(path, { address: 'https://client.example/?token=abc' })).status).toBe(422);
    await operator.send(`${path}/remove`, { address: 'https://client.example/abc' });
    const [entry] = await refusals('return_address.registered');
    expect(entry).toMatchObject({
      actorId: operator.id,
      details: { reason: expect.stringMatching(/^must /) },
    });
    expect(JSON.stringify(entry)).not.toContain('client.example');
    expect(await refusals('return_address.removed')).toMatchObject([{ details: { reason: 'not-found' } }]);
  });
});
