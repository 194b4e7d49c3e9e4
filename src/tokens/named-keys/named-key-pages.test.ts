import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { aNamedKey, statusCalls } from '../../../test/people/named-keys.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { setApiAccess } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';

let site: TestApp;
let calls: ReturnType<typeof statusCalls>;
beforeAll(async () => {
  site = await makeApp();
  calls = statusCalls(site);
});
afterAll(() => site.close());

const minute = 60_000;
type Browser = Awaited<ReturnType<typeof signedInBrowser>>;
type Visit = Awaited<ReturnType<Browser['open']>>;

const refresh = (refreshToken: string) =>
  site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken } });
const tokenOn = ({ page }: Visit) => page.querySelector('#refresh-token')?.getAttribute('value') ?? '';
const form = {
  name: 'Night import',
  scopes: ['library:read', 'webhooks'],
  networks: '192.0.2.0/24',
  idle_days: '30',
};

/** Somebody with one key, made on the pages. */
async function keyMaker(given: Record<string, string | string[]> = {}) {
  const browser = await signedInBrowser(site);
  const made = await browser.send('/apikeys/keys/new', { ...form, networks: '', ...given });
  const path = made.page.querySelector('a.nhsuk-button')!.getAttribute('href')!;
  return { browser, made, path, token: tokenOn(made) };
}

describe('creating a named key', () => {
  it('shows its refresh token once, and the keys page lists it', async () => {
    const { browser, made, path, token } = await keyMaker({ networks: form.networks });
    expect(made.status).toBe(200);
    expect(made.text).toContain('Copy it now');
    expect(token).toMatch(/^onr_/);
    const key = await browser.open(path);
    for (const words of [
      'Night import',
      'library:read',
      'webhooks',
      '192.0.2.0/24',
      'After 30 days',
      'Never',
    ])
      expect(key.text).toContain(words);
    const list = await browser.open('/apikeys');
    expect(list.page.querySelector(`a[href="${path}"]`)?.text).toBe('Night import');
    for (const { page } of [key, list]) expect(page.toString()).not.toContain(token);
    expect(list.page.querySelector('#refresh-token')?.getAttribute('value')).toMatch(/^onr_/);
    const entries = await storedEntries(site.deps.db, { actorId: browser.id, action: 'key.created' });
    expect(entries).toMatchObject([
      { details: { key: 'Night import', scopes: form.scopes, networks: ['192.0.2.0/24'], idle_days: 30 } },
    ]);
    for (const table of ['refresh_tokens', 'audit_entries'] as const)
      expect(await textOfTable(site.deps.db, table)).not.toContain(token);
    expect(site.logLines.join('')).not.toContain(token);
  });

  it('comes back with its mistakes and what was ticked', async () => {
    const browser = await signedInBrowser(site);
    const bad = { name: '', scopes: 'webhooks', networks: '"><b>', idle_days: '3' };
    const answer = await browser.send('/apikeys/keys/new', bad);
    expect(answer.status).toBe(422);
    expect(answer.page.querySelector('title')?.text).toMatch(/^Error: /);
    const links = answer.page
      .querySelectorAll('.nhsuk-error-summary a')
      .map((link) => link.getAttribute('href'));
    expect(links).toEqual(['#name', '#networks', '#idle_days']);
    expect(answer.page.querySelector('input[value="webhooks"]')?.hasAttribute('checked')).toBe(true);
    expect(answer.page.querySelector('#networks')?.text).toBe('"><b>');
    const empty = await browser.send('/apikeys/keys/new', {});
    expect(
      empty.page.querySelectorAll('.nhsuk-error-summary a').map((link) => link.getAttribute('href')),
    ).toEqual(['#name', '#scopes']);
    // A scope that was not offered is none.
    expect((await browser.send('/apikeys/keys/new', { ...form, scopes: 'deliveries' })).status).toBe(422);
    expect((await browser.open('/apikeys')).text).toContain('No named keys yet');
  });

  it('makes no second one when the browser sends it again', async () => {
    const { browser, token } = await keyMaker();
    const again = await browser.send('/apikeys/keys/new', { ...form, networks: '' });
    expect([again.status, tokenOn(again)]).toEqual([422, '']);
    expect((await refresh(token)).statusCode).toBe(200);
  });
});

describe('changing a named key', () => {
  it('shows the current values, and the change works at once', async () => {
    const { browser, path, token } = await keyMaker({ networks: form.networks });
    const { page } = await browser.open(`${path}/change`);
    expect(page.querySelectorAll('input[checked]').map((box) => box.getAttribute('value'))).toEqual(
      form.scopes,
    );
    expect(page.querySelector('#networks')?.text).toBe('192.0.2.0/24');
    const changed = { ...form, name: 'Morning import', scopes: 'webhooks', networks: '', idle_days: '' };
    expect((await browser.send(`${path}/change`, changed)).location).toBe(`${path}?done=changed`);
    expect((await browser.open(`${path}?done=changed`)).page.toString()).toContain('The key was changed.');
    const { access_token: access } = (await refresh(token)).json();
    expect((await calls.status(access)).json().token).toMatchObject({
      key: 'Morning import',
      scopes: ['webhooks'],
    });
    expect((await browser.send(`${path}/change`, { ...changed, name: ' ' })).status).toBe(422);
  });
});

describe('a new refresh token for a named key', () => {
  it('is shown once, and the old one works as long as was chosen', async () => {
    const { browser, path, token } = await keyMaker();
    const asked = await browser.open(`${path}/regenerate`);
    expect(
      asked.page.querySelectorAll('input[type="radio"]').map((radio) => radio.getAttribute('value')),
    ).toEqual(['0', '1', '8', '24']);
    const version = asked.page.querySelector('input[name="version"]')!.getAttribute('value')!;
    expect((await refresh(token)).statusCode, 'asking changes nothing').toBe(200);
    const made = await browser.send(`${path}/regenerate`, { version, hours: '24' });
    expect(made.text).toContain('works beside it until 22 November 2026 at 9:30am');
    expect((await refresh(tokenOn(made))).statusCode).toBe(200);
    expect((await refresh(token)).statusCode).toBe(200);
    const key = await browser.open(path);
    expect(key.text).toContain('The old refresh token still works');
    expect((await browser.send(`${path}/end-overlap`, {})).location).toBe(`${path}?done=overlap-ended`);
    expect((await refresh(token)).statusCode).toBe(401);
    expect((await browser.open(path)).text).not.toContain('still works');
  });

  it('is not made a second time by the same form', async () => {
    const { browser, path } = await keyMaker();
    const made = await browser.send(`${path}/regenerate`, { version: '1', hours: '0' });
    const again = await browser.send(`${path}/regenerate`, { version: '1', hours: '0' });
    expect([again.status, tokenOn(again)]).toEqual([409, '']);
    expect(again.text).toContain('Somebody made a new token for this key meanwhile');
    expect((await refresh(tokenOn(made))).statusCode).toBe(200);
    for (const hours of ['25', '-1', '1e1', ''])
      expect((await browser.send(`${path}/regenerate`, { version: '2', hours })).status, hours).toBe(400);
  });
});

describe('revoking a named key', () => {
  it('is asked for first, and ends only that key', async () => {
    const { browser, path, token } = await keyMaker();
    const other = await aNamedKey(site, browser.id);
    expect((await browser.open(`${path}/revoke`)).text).toContain('It has not been used yet');
    expect((await refresh(token)).statusCode).toBe(200);
    expect((await browser.send(`${path}/revoke`, {})).location).toBe('/apikeys?done=key-revoked');
    expect((await refresh(token)).statusCode).toBe(401);
    expect((await other.refresh()).statusCode).toBe(200);
    expect((await browser.open(path)).status).toBe(404);
    expect((await browser.open('/apikeys?done=key-revoked')).page.toString()).toContain(
      'The key was revoked.',
    );
  });
});

describe('the pages of named keys', () => {
  it('ask for the password again some time after sign-in', async () => {
    const { browser, path, token } = await keyMaker();
    site.clock.moveOn(15 * minute + 1);
    const asked = [
      await browser.open('/apikeys/keys/new'),
      await browser.send('/apikeys/keys/new', { ...form, name: 'another' }),
      await browser.open(path),
      ...(await Promise.all(
        ['change', 'regenerate', 'revoke'].map((each) => browser.open(`${path}/${each}`)),
      )),
      await browser.send(`${path}/change`, form),
      await browser.send(`${path}/regenerate`, { version: '1', hours: '0' }),
      await browser.send(`${path}/revoke`, {}),
      await browser.send(`${path}/end-overlap`, {}),
    ];
    for (const { location, page } of asked) {
      expect(location).toMatch(/^\/signin\?next=%2Fapikeys%2Fkeys%2F/);
      expect(page.toString()).not.toMatch(/on[ar]_/);
    }
    expect((await refresh(token)).statusCode).toBe(200);
  });

  it('show nobody the keys of others, and without API access none', async () => {
    const { browser, path } = await keyMaker();
    const stranger = await signedInBrowser(site, { role: 'referrer' });
    for (const answer of [
      await stranger.open(path),
      await stranger.open(`${path}/change`),
      await stranger.send(`${path}/change`, form),
      await stranger.send(`${path}/regenerate`, { version: '1', hours: '0' }),
      await stranger.send(`${path}/revoke`, {}),
      await stranger.open('/apikeys/keys/nothing'),
    ])
      expect(answer.status).toBe(404);
    await setApiAccess(site.deps, siteActor, browser.email, { isAllowed: false });
    for (const answer of [
      await browser.open('/apikeys/keys/new'),
      await browser.send('/apikeys/keys/new', form),
      await browser.open(path),
      await browser.send(`${path}/regenerate`, { version: '1', hours: '0' }),
    ])
      expect([answer.status, answer.location]).toEqual([303, '/apikeys']);
  });
});
