import { afterEach, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { beginAuthenticator, codeOf, somebody } from '../../../test/people/second-factors.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { dayMs } from '../../platform/durations.ts';
import { recordFactorRequirement } from '../index.ts';

const sites: TestApp[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function aLiveSite(env: Record<string, string> = {}): Promise<TestApp> {
  const site = await makeApp({ env: { ...liveEnv, ...env } });
  sites.push(site);
  return site;
}

const setUp = (next: string) => `/account/second-factor?next=${encodeURIComponent(next)}`;
const because = {
  ONWARD_SECOND_FACTORS_NOT_REQUIRED_BECAUSE: 'The council’s VPN asks for two factors',
};

describe('a new account on a live site', () => {
  it('has 14 days for two-step sign-in, and every page says so', async () => {
    const site = await aLiveSite();
    const { browser, email } = await somebody(site);
    const keys = await browser.get('/apikeys');
    expect([keys.statusCode, keys.body]).toEqual([200, expect.stringContaining('id="access-token"')]);
    expect(keys.body).toContain('Set up two-step sign-in by 5 December 2026');
    site.clock.moveOn(14 * dayMs - 60_000);
    await browser.signIn(email);
    expect((await browser.get('/referrals')).statusCode).toBe(200);
    site.clock.moveOn(60_000);
    for (const path of ['/', '/referrals', '/apikeys'])
      expect((await browser.get(path)).headers.location, path).toBe(setUp(path));
  });

  it('sets one up before it must, and is not asked again', async () => {
    const site = await aLiveSite();
    const { browser } = await somebody(site);
    expect((await browser.get('/account/second-factor')).body).toContain('Set one up by 5 December 2026');
    const secret = await beginAuthenticator(browser);
    await browser.post('/account/authenticator/confirm', { code: codeOf(site, secret) });
    expect((await browser.get('/')).body).not.toContain('Set up two-step sign-in by');
    expect((await browser.get('/account/second-factor')).headers.location).toBe('/account');
    expect((await browser.get('/account/authenticator/remove')).body).toContain(
      'Add another app or passkey first',
    );
  });
});

describe('an account that a live site had before it asked', () => {
  it('has 14 days from the first start that asks, not any later', async () => {
    const site = await aLiveSite();
    const { browser, email } = await somebody(site);
    const start = () => recordFactorRequirement(site.deps.db, { isRequired: true }, site.clock.now());
    site.clock.moveOn(100 * dayMs);
    await start();
    await browser.signIn(email);
    expect((await browser.get('/referrals')).statusCode).toBe(200);
    site.clock.moveOn(13 * dayMs);
    await start();
    site.clock.moveOn(dayMs);
    await browser.signIn(email);
    expect((await browser.get('/referrals')).headers.location).toBe(setUp('/referrals'));
    // The setting gave a reason for a time, and does not any more.
    await recordFactorRequirement(site.deps.db, { isRequired: false }, site.clock.now());
    await start();
    expect((await browser.get('/referrals')).statusCode).toBe(200);
  });
});

describe('a live site', () => {
  it('requires no second factor if it says why not', async () => {
    const site = await aLiveSite(because);
    const { browser, email } = await somebody(site);
    expect((await browser.get('/')).body).not.toContain('two-step sign-in');
    site.clock.moveOn(100 * dayMs);
    await browser.signIn(email);
    expect((await browser.get('/referrals')).statusCode).toBe(200);
  });

  it('asks operators at once if its settings say so', async () => {
    for (const env of [{}, because]) {
      const site = await aLiveSite({ ...env, ONWARD_SECOND_FACTOR: 'operators' });
      const operator = await somebody(site, { role: 'operator' });
      expect((await operator.browser.get('/operator')).headers.location).toBe(setUp('/operator'));
      const { browser } = await somebody(site);
      expect((await browser.get('/referrals')).statusCode).toBe(200);
    }
  });
});

describe('a test site', () => {
  it('requires no second factor unless it is set', async () => {
    const site = await makeApp();
    sites.push(site);
    const { browser, email } = await somebody(site);
    site.clock.moveOn(100 * dayMs);
    await browser.signIn(email);
    const page = await browser.get('/');
    expect([page.statusCode, page.body.includes('two-step sign-in')]).toEqual([200, false]);
  });
});
