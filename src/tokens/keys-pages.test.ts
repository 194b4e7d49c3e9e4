import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { until } from '../../test/app/until.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';
import { countAccessTokens, giveRefreshToken } from '../../test/tokens/stored.ts';
import { setApiAccess } from '../accounts/index.ts';
import { buildApp } from '../app.ts';
import { siteActor } from '../audit/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { createSecrets } from '../platform/secrets/index.ts';
import { createAppDeps } from '../site/start-site.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const minute = 60_000;
const day = 24 * 60 * minute;
type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

async function keysOn(browser: Browser) {
  const { page, text } = await browser.open('/apikeys');
  const value = (id: string) => page.querySelector(`#${id}`)?.getAttribute('value') ?? '';
  return { page, text, access: value('access-token'), refresh: value('refresh-token') };
}

const refresh = (refreshToken: string, remoteAddress = '192.0.2.7') =>
  site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken }, remoteAddress });
const status = async (token: string) =>
  (await site.app.inject({ url: '/api/token/status', headers: { authorization: `Bearer ${token}` } }))
    .statusCode;

const tokensOf = (accountId: string) => countAccessTokens(site.deps.db, accountId);

describe('making new keys', () => {
  it('first says what will stop working, and stops only that', async () => {
    const browser = await signedInBrowser(site);
    const other = await keysOn(await signedInBrowser(site));
    expect((await browser.open('/apikeys/regenerate')).text).toContain('none is live now');
    const old = await keysOn(browser);
    const { access_token: refreshed } = (await refresh(old.refresh)).json();
    const asked = await browser.open('/apikeys/regenerate');
    expect(asked.text).toContain('your 2 live access tokens');
    expect(asked.text).toContain('from 192.0.2.7');
    expect((await refresh(old.refresh)).statusCode, 'asking changes nothing').toBe(200);
    expect((await browser.send('/apikeys/regenerate', {})).location).toBe('/apikeys?done=regenerated');
    const made = await keysOn(browser);
    expect(made.refresh).not.toBe(old.refresh);
    expect((await refresh(old.refresh)).statusCode).toBe(401);
    for (const token of [old.access, refreshed]) await until(async () => (await status(token)) === 401);
    for (const keys of [made, other]) {
      expect([await status(keys.access), (await refresh(keys.refresh)).statusCode]).toEqual([200, 200]);
    }
  });
});

describe('the form of the refresh token’s limits', () => {
  it('changes where the token works from; the page warns outsiders', async () => {
    const browser = await signedInBrowser(site);
    const form = await browser.open('/apikeys/limits');
    expect(form.text).toContain('Your IP address is 127.0.0.1');
    await browser.send('/apikeys/limits', { networks: '192.0.2.0/24\r\n2001:db8::/48', idle_days: '30' });
    const { text } = await keysOn(browser);
    for (const words of ['192.0.2.0/24', '2001:db8::/48', 'After 30 days', '127.0.0.1, is not allowed'])
      expect(text).toContain(words);
    const again = await browser.open('/apikeys/limits');
    expect(again.page.querySelector('#networks')?.text).toBe('192.0.2.0/24\n2001:db8::/48');
    expect(again.page.querySelector('#idle_days')?.getAttribute('value')).toBe('30');
    const changes = await storedEntries(site.deps.db, { action: 'keys.limits_changed', actorId: browser.id });
    expect(changes).toMatchObject([
      { details: { networks: ['192.0.2.0/24', '2001:db8::/48'], idle_days: 30 } },
    ]);
    await browser.send('/apikeys/limits', { networks: '127.0.0.0/8', idle_days: '' });
    expect((await keysOn(browser)).text).not.toContain('is not allowed');
  });

  it('is still found at its earlier address', async () => {
    const browser = await signedInBrowser(site);
    expect((await browser.open('/apikeys/guards')).location).toBe('/apikeys/limits');
  });

  it('comes back with its mistakes and changes nothing', async () => {
    const browser = await signedInBrowser(site);
    const answer = await browser.send('/apikeys/limits', { networks: '10.0.0.0/8\n"><b>', idle_days: '3' });
    expect(answer.status).toBe(422);
    expect(answer.page.querySelector('title')?.text).toMatch(/^Error: /);
    expect(
      answer.page.querySelectorAll('.nhsuk-error-summary a').map((link) => link.getAttribute('href')),
    ).toEqual(['#networks', '#idle_days']);
    expect(answer.page.querySelector('#networks')?.text).toBe('10.0.0.0/8\n"><b>');
    expect((await keysOn(browser)).text).toContain('Any');
    for (const form of [
      {},
      { networks: '' },
      { networks: ['', ''], idle_days: '' },
      { networks: 'x'.repeat(6000), idle_days: '' },
    ])
      expect((await browser.send('/apikeys/limits', form as Record<string, string>)).status).toBe(400);
  });
});

describe('the keys page', () => {
  it('shows keys to copy by hand, or with its own script', async () => {
    const browser = await signedInBrowser(site);
    const { page } = await keysOn(browser);
    for (const id of ['access-token', 'refresh-token']) {
      expect(page.querySelector(`#${id}`)?.hasAttribute('readonly')).toBe(true);
      const button = page.querySelector(`button[data-copies="${id}"]`)!;
      expect(button.getAttribute('type')).toBe('button');
      expect(page.querySelector(`#${button.getAttribute('data-live-region')}`)?.getAttribute('role')).toBe(
        'status',
      );
    }
    const script = await site.app.inject(page.querySelector('script')!.getAttribute('src')!);
    expect([script.statusCode, script.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
  });

  it('makes no key for a prefetch or a HEAD request', async () => {
    const browser = await signedInBrowser(site);
    const { cookie } = await browser.send('/signin', { email: browser.email, password: browser.password });
    const headers = { cookie: String(cookie).split(';')[0]!, 'sec-purpose': 'prefetch;prerender' };
    expect((await site.app.inject({ url: '/apikeys', headers })).statusCode).toBe(204);
    const look = { method: 'HEAD', url: '/apikeys', headers: { cookie: headers.cookie } } as const;
    expect((await site.app.inject(look)).statusCode).toBe(204);
    expect(await tokensOf(browser.id)).toBe(0);
  });

  it('shows when and from where each key was last used', async () => {
    const browser = await signedInBrowser(site);
    const { text, refresh: token } = await keysOn(browser);
    expect(text).toContain('Never');
    expect(text).toContain('Not since it was made on 21 November 2026 at 9:30am');
    const { access_token: access } = (await refresh(token)).json();
    site.clock.moveOn(2 * minute);
    await status(access);
    await until(async () =>
      (await keysOn(browser)).text.includes('21 November 2026 at 9:32am, from 127.0.0.1'),
    );
    expect((await keysOn(browser)).text).toContain('21 November 2026 at 9:30am, from 192.0.2.7');
  });

  it('asks for the password again some time after sign-in', async () => {
    const browser = await signedInBrowser(site);
    const { refresh: token } = await keysOn(browser);
    const made = await tokensOf(browser.id);
    site.clock.moveOn(15 * minute + 1);
    const limits = { networks: '10.0.0.0/8', idle_days: '' };
    const asked = [
      await browser.open('/apikeys'),
      await browser.open('/apikeys/regenerate'),
      await browser.send('/apikeys/regenerate', {}),
      await browser.open('/apikeys/limits'),
      await browser.send('/apikeys/limits', limits),
    ];
    const back = ['', '/regenerate', '/regenerate', '/limits', '/limits'];
    const ids = /unsent_form%3D[0-9a-f-]{36}/;
    expect(asked.map(({ location }) => location?.replace(ids, 'unsent_form%3Did'))).toEqual(
      back.map((path, index) => {
        const isForm = [2, 4].includes(index);
        const page = `/apikeys${path}${isForm ? '?unsent_form=id' : ''}`;
        return `/signin?next=${encodeURIComponent(page)}${isForm ? '&nothing_done=yes' : ''}`;
      }),
    );
    for (const { page } of asked) expect(page.toString()).not.toMatch(/on[ar]_/);
    expect(await tokensOf(browser.id)).toBe(made);
    expect((await refresh(token)).statusCode).toBe(200);
    await browser.signIn();
    expect((await browser.send('/apikeys/limits', limits)).location).toBe('/apikeys?done=limits');
    expect((await refresh(token)).statusCode).toBe(403);
  });

  it('shows no keys without API access, and says whom to ask', async () => {
    const browser = await signedInBrowser(site);
    const { refresh: token } = await keysOn(browser);
    await setApiAccess(site.deps, siteActor, browser.email, { isAllowed: false });
    const { text, page } = await browser.open('/apikeys');
    expect(text).toContain('API access is not enabled');
    expect(text).toContain('the people who run Onward test site');
    expect(page.toString()).not.toMatch(/on[ar]_/);
    for (const answer of [
      await browser.open('/apikeys/regenerate'),
      await browser.send('/apikeys/regenerate', {}),
      await browser.open('/apikeys/limits'),
      await browser.send('/apikeys/limits', { networks: '10.0.0.0/8', idle_days: '7' }),
    ])
      expect([answer.status, answer.location]).toEqual([303, '/apikeys']);
    await setApiAccess(site.deps, siteActor, browser.email, { isAllowed: true });
    expect((await keysOn(browser)).refresh).toBe(token);
    expect((await refresh(token)).statusCode).toBe(200);
  });

  it('says that a refresh token was idle too long, and what to do', async () => {
    const browser = await signedInBrowser(site);
    await browser.send('/apikeys/limits', { networks: '', idle_days: '7' });
    site.clock.moveOn(7 * day);
    await browser.signIn();
    const stopped = await keysOn(browser);
    expect(stopped.page.querySelector('h2.nhsuk-card__heading')?.text).toContain(
      'Your refresh token has stopped working',
    );
    expect((await refresh(stopped.refresh)).statusCode).toBe(401);
    await browser.send('/apikeys/regenerate', {});
    const { text, refresh: token } = await keysOn(browser);
    expect(text).not.toContain('has stopped working');
    expect(text, 'new keys keep what was set').toContain('After 7 days');
    expect((await refresh(token)).statusCode).toBe(200);
  });

  it('offers new keys in a copy under another site key', async () => {
    const browser = await signedInBrowser(site);
    const old = await keysOn(browser);
    const secrets = createSecrets(randomBytes(32));
    const { notices, pool, workerIsHealthy } = site.deps;
    const platform = { ...site.deps, secrets, metrics: createMetrics() };
    const app = await buildApp(createAppDeps(platform, pool, notices, { workerIsHealthy }));
    try {
      const thief = { ...site, app };
      const authorization = `Bearer ${old.access}`;
      const called = await app.inject({ url: '/api/token/status', headers: { authorization } });
      expect([called.statusCode, called.json().detail]).toEqual([
        401,
        expect.stringContaining('another site'),
      ]);
      const payload = { refreshToken: old.refresh };
      const refreshed = await app.inject({ method: 'POST', url: '/api/token/refresh', payload });
      expect([refreshed.statusCode, refreshed.json().detail]).toEqual([
        401,
        expect.stringContaining('another site'),
      ]);
      const there = await signedInBrowser(thief as TestApp);
      await giveRefreshToken(site.deps.db, browser.id, there.id);
      const shown = await there.open('/apikeys');
      expect(shown.text).toContain('made with another site key');
      expect(shown.page.toString()).not.toContain('onr_');
      await there.send('/apikeys/regenerate', {});
      const made = (await there.open('/apikeys')).page.querySelector('#refresh-token')?.getAttribute('value');
      const again = await app.inject({
        method: 'POST',
        url: '/api/token/refresh',
        payload: { refreshToken: made },
      });
      expect(again.statusCode).toBe(200);
    } finally {
      await app.close();
    }
  });
});
