import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { whileDeadlocked } from '../../../../test/referrals/stored.ts';

describe('the database ends one side of a deadlock', () => {
  it('tells that caller to try again, and they can', async () => {
    const site = await makeApp();
    try {
      const { serviceId } = await aService(site.deps);
      const { headers } = await aTokenHolder(site.deps, {});
      const payload = aReferral(serviceId);
      const submit = () => site.app.inject({ method: 'POST', url: '/api/referrals', payload, headers });
      const ended = await whileDeadlocked(site.deps.db, submit);
      expect([ended.statusCode, ended.headers['retry-after'], ended.json().type]).toEqual([
        503,
        '5',
        expect.stringMatching(/unavailable$/),
      ]);
      expect((await submit()).statusCode).toBe(201);
    } finally {
      await site.close();
    }
  });
});

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('an address with another method', () => {
  it('says which methods it takes', async () => {
    const answer = await site.app.inject({ method: 'PUT', url: '/api/token/status?secret=1' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(answer.json().type).toContain('/problems/method-not-allowed');
    const one = await site.app.inject({
      method: 'DELETE',
      url: '/api/referrals/01a1fdee-0ed5-7668-b9e2-cc3bd2afcadc',
    });
    expect([one.statusCode, one.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, PATCH, PUT']);
  });

  it('says nothing of methods if there is no such address', async () => {
    for (const url of ['/api/nothing', '/nothing', '/api/token/status/more', '/apiXtoken/status']) {
      const answer = await site.app.inject({ method: 'PUT', url });
      expect([answer.statusCode, answer.headers.allow], url).toEqual([404, undefined]);
    }
  });

  it('is answered with a page where the address is that of a page', async () => {
    const answer = await site.app.inject({ method: 'DELETE', url: '/services' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([405, 'text/html; charset=utf-8']);
  });

  it('leads from the address of a form to the page with it', async () => {
    for (const [url, page] of [
      ['/operator/patients/legal-hold', '/operator/patients'],
      [
        '/operator/library/imports/01a1fdee-0ed5-7668-b9e2-cc3bd2afcadc/stop',
        '/operator/library/imports/01a1fdee-0ed5-7668-b9e2-cc3bd2afcadc',
      ],
    ]) {
      const { statusCode, body } = await site.app.inject({ url: url! });
      expect(statusCode).toBe(405);
      expect(body).toContain(`<a href="${page}">Go to the page with the form</a>`);
    }
    expect((await site.app.inject({ url: '/signout' })).body).toContain('home page');
  });

  it('answers HEAD like GET, and tells strangers no more', async () => {
    const home = await site.app.inject({ method: 'HEAD', url: '/healthz' });
    expect([home.statusCode, home.body]).toEqual([200, '']);
    expect((await site.app.inject({ method: 'HEAD', url: '/api/referrals' })).statusCode).toBe(401);
    const page = await site.app.inject({ method: 'HEAD', url: '/referrals' });
    expect([page.statusCode, page.headers.location]).toEqual([303, '/signin?next=%2Freferrals']);
  });
});

describe('an address of the API', () => {
  it('has another detail if unknown than if its object is hidden', async () => {
    const { headers } = await aTokenHolder(site.deps);
    const detailOf = async (url: string) => (await site.app.inject({ url, headers })).json().detail;
    expect(await detailOf('/api/referals')).toContain('No API endpoint');
    expect(await detailOf('/api/referrals/01a1fdee-0ed5-7668-b9e2-cc3bd2afcadc')).toContain('not yours');
  });
});
