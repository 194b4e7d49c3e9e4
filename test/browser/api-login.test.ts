import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';
import { expectAccessible, follow, inChromium, openBrowser, openWindow, phone } from './open-browser.ts';

// A client on this computer sends its user here to sign in. Only a browser applies the site's Content-Security-Policy
// and its own rules about forms and redirects.

let site: SiteProcess;
let browser: Browser;
let client: Server;
let clientUrl: string;
const arrivals: { method: string; query: string; body: string; referer: string | undefined }[] = [];

beforeAll(async () => {
  client = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    if (url.startsWith('/signed-in')) {
      const query = url.slice('/signed-in'.length);
      arrivals.push({ method, query, body: await text(request), referer: headers.referer });
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      '<!doctype html><html lang="en"><title>Client</title><link rel="icon" href="data:,"><h1>Client</h1></html>',
    );
  }).listen(0, '127.0.0.1');
  [site, browser] = await Promise.all([readySite(), openBrowser(), once(client, 'listening')]);
  clientUrl = `http://127.0.0.1:${(client.address() as AddressInfo).port}/signed-in?state=a%2Fb`;
  const words = ['src/cli/main.ts', 'return-url', 'add', 'http://127.0.0.1/signed-in', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: site.env });
  expect(JSON.parse(stdout)).toEqual({ address: 'http://127.0.0.1/signed-in', registered: true });
});
afterAll(async () => {
  await browser.close();
  client.close();
  await site.remove();
});

/** A window that may go to the client without a complaint. */
async function openWindowOfUser(width?: number) {
  const window = await openWindow(browser, site.baseUrl, width);
  const complaints = () =>
    window.complaints.filter((each) => !each.startsWith(`went out to ${new URL(clientUrl).origin}/`));
  return { ...window, complaints };
}

async function statusOf(token: string | null) {
  const answer = await fetch(`${site.baseUrl}/api/token/status`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()) as { account: { email: string }; token: { source: string } };
}

const loginPath = (more = '') => `/apilogin?returnUrl=${encodeURIComponent(clientUrl)}${more}`;

async function typePassword(page: Page, login = site.logins.referrer): Promise<void> {
  await page.getByLabel('Email address').fill(login.email);
  await page.getByLabel('Password', { exact: true }).fill(login.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function arrive(page: Page) {
  await page.getByRole('heading', { name: 'Client' }).waitFor();
  return arrivals.pop()!;
}

describe('an operator', inChromium, () => {
  it('adds and removes a return address', async () => {
    const { page, complaints, close } = await openWindowOfUser(phone);
    await page.goto('/signin');
    await typePassword(page, site.logins.operator);
    await page.getByRole('link', { name: 'Admin' }).first().waitFor();
    await page.goto('/operator/return-addresses');
    await expectAccessible(page);
    const add = async (address: string) => {
      await page.getByLabel('Return address', { exact: true }).fill(address);
      await page.getByRole('button', { name: 'Add the address' }).click();
    };
    await add('https://client.example/?x=1');
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    await add('https://a-rather-long-name-of-a-client.example/that/goes/on/and/on');
    await page.getByRole('link', { name: '/that/goes/on' }).waitFor();
    await expectAccessible(page);
    await follow(page.getByRole('link', { name: '/that/goes/on' }));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the address' }).click();
    await page.getByRole('heading', { name: 'Return addresses' }).waitFor();
    expect(await page.getByText('/that/goes/on').count()).toBe(0);
    expect(complaints()).toEqual([]);
    await close();
  });
});

describe('the sign-in for a client', inChromium, () => {
  it('returns with a working token, and the next time asks first', async () => {
    const { page, complaints, close } = await openWindowOfUser();
    await page.goto(loginPath());
    await typePassword(page);
    const { query, referer } = await arrive(page);
    expect(query).toMatch(/^\?state=a%2Fb&token=ona_\w+$/);
    expect(referer).toBeUndefined();
    const token = new URLSearchParams(query).get('token');
    expect(await statusOf(token)).toMatchObject({
      account: { email: 'referrer@example.org' },
      token: { source: 'apilogin' },
    });

    await page.goto(loginPath());
    await page.getByRole('heading', { name: /^Continue as / }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    const again = await arrive(page);
    expect(new URLSearchParams(again.query).get('token')).toMatch(/^ona_/);
    expect(again.query).not.toBe(query);

    await page.goto(loginPath());
    await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await typePassword(page);
    expect((await arrive(page)).query).toContain('token=ona_');
    expect(complaints()).toEqual([]);
    await close();
    const { stdout, stderr } = site.output();
    expect(stdout + stderr).not.toContain(token);
  });

  it('sends the token by form_post, never in an address', async () => {
    const { page, complaints, close } = await openWindowOfUser(phone);
    await page.goto(loginPath('&response_mode=form_post'));
    await typePassword(page);
    const first = await arrive(page);
    await page.goto(loginPath('&response_mode=form_post'));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    for (const { method, query, body } of [first, await arrive(page)]) {
      expect([method, query]).toEqual(['POST', '?state=a%2Fb']);
      expect((await statusOf(new URLSearchParams(body).get('token'))).token.source).toBe('apilogin');
    }
    expect(complaints()).toEqual([]);
    await close();
  });

  it('works with a button without JavaScript', async () => {
    const context = await browser.newContext({ baseURL: site.baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(loginPath());
    await typePassword(page);
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    expect((await arrive(page)).query).toContain('token=ona_');
    await page.goto(loginPath('&response_mode=form_post'));
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('button', { name: 'Continue to 127.0.0.1' }).click();
    expect((await arrive(page)).body).toMatch(/^token=ona_\w+$/);
    await context.close();
  });
});

describe('a page of the client', inChromium, () => {
  it('calls the API with the token, as other pages cannot', async () => {
    const { page, close } = await openWindowOfUser();
    await page.goto(loginPath());
    await typePassword(page);
    const token = new URLSearchParams((await arrive(page)).query).get('token');
    const call = `fetch('${site.baseUrl}/api/token/status', { headers: { authorization: 'Bearer ${token}' } })
    .then(async (answer) => [answer.status, (await answer.json()).token.source], () => 'refused by the browser')`;
    expect(await page.evaluate(call)).toEqual([200, 'apilogin']);
    const exchange = `fetch('${site.baseUrl}/api/token/refresh', { method: 'POST', body: '{"refreshToken":"x"}',
    headers: { 'content-type': 'application/json' } }).then(() => 'let through', () => 'refused by the browser')`;
    expect(await page.evaluate(exchange)).toBe('refused by the browser');
    await page.goto(clientUrl.replace('127.0.0.1', 'localhost'));
    expect(await page.evaluate(call)).toBe('refused by the browser');
    await close();
  });
});
