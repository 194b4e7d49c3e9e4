import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '../../sdk/test/packed.ts';
import { until } from '../app/until.ts';
import { sampleKeys } from '../people/api-client.ts';
import { readySite } from '../process/ready-site.ts';
import { freePort, type SiteProcess } from '../process/site-process.ts';
import { follow, inChromium, openBrowser, openWindow, showPage, signIn } from './open-browser.ts';

// The example of a practice's own app, installed and run as its README says, beside a real test site.

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

let site: SiteProcess;
let browser: Browser;
let clone: string;
let app: PracticeApp;
let refreshToken: string;

type PracticeApp = { address: string; output(): string; stop(): Promise<void> };

beforeAll(async () => {
  [site, browser, clone] = await Promise.all([readySite(), openBrowser(), installExample()]);
  const words = ['src/cli/main.ts', 'return-url', 'add', 'http://localhost/signed-in'];
  await run(process.execPath, words, { cwd: root, env: site.env });
  refreshToken = await makeKeyOfApp();
  app = await startApp(await freePort());
});
afterAll(async () => {
  await app?.stop();
  await browser.close();
  await site.remove();
  await rm(clone, { recursive: true });
});

/** What somebody has who has cloned the repository and packed the client, with what the example installs. */
async function installExample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-example-'));
  const packed = await packClient();
  await copyFile(packed, join(folder, basename(packed)));
  await mkdir(join(folder, 'examples'));
  const example = join(folder, 'examples', 'practice');
  const isOurs = (path: string) => !/node_modules|package-lock|store\.json/.test(basename(path));
  await cp(join(root, 'examples', 'practice'), example, { recursive: true, filter: isOurs });
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: example });
  return folder;
}

/** A system account of the surgery, made by the operator, and its key, made by its owner. */
async function makeKeyOfApp(): Promise<string> {
  const operator = await openWindow(browser, site.baseUrl);
  await signIn(operator.page, site.logins.operator);
  await operator.page.goto('/operator/accounts/new-system');
  await operator.page.getByLabel('Name of the system').fill('Practice app');
  await operator.page.getByLabel('Organisation', { exact: true }).fill('Infirmary Lane Surgery');
  await operator.page.getByLabel('Owner’s email address').fill(site.logins.referrer.email);
  await follow(operator.page.getByRole('button', { name: 'Add the system' }));
  await operator.close();

  const owner = await openWindow(browser, site.baseUrl);
  await signIn(owner.page, site.logins.referrer);
  await owner.page.goto('/system-accounts');
  await follow(owner.page.getByRole('link', { name: 'Practice app' }));
  await follow(owner.page.getByRole('button', { name: 'Create a named key' }));
  await owner.page.getByLabel('Name', { exact: true }).fill('Server in the cellar');
  await owner.page.getByLabel('referrals:read').check();
  await owner.page.getByLabel('webhooks').check();
  await follow(owner.page.getByRole('button', { name: 'Create the key' }));
  const token = await owner.page.locator('#refresh-token').inputValue();
  await owner.close();
  return token;
}

async function startApp(port: number): Promise<PracticeApp> {
  const started: ChildProcess = spawn(process.execPath, ['src/main.js'], {
    cwd: join(clone, 'examples', 'practice'),
    env: { PATH: process.env.PATH, SITE: site.baseUrl, REFRESH_TOKEN: refreshToken, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [started.stdout!, started.stderr!]) stream.on('data', (text) => (output += text));
  await until(() => {
    if (started.exitCode !== null) throw new Error(output);
    return output.includes('is at http');
  });
  return {
    address: `http://localhost:${port}`,
    output: () => output,
    async stop() {
      if (started.exitCode !== null) return;
      const ended = once(started, 'exit');
      started.kill('SIGTERM');
      await ended;
    },
  };
}

/** A window in which somebody has signed in to the app with their account of the site. */
async function openApp() {
  const window = await openWindow(browser, app.address);
  await window.page.goto('/');
  await show(window.page, '1-welcome');
  await follow(window.page.getByRole('link', { name: 'Sign in' }));
  await window.page.getByLabel('Email address').fill(site.logins.referrer.email);
  await window.page.getByLabel('Password', { exact: true }).fill(site.logins.referrer.password);
  await window.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await window.page.getByRole('heading', { name: 'Your practice’s referrals' }).waitFor();
  expect(window.page.url()).toBe(`${app.address}/`);
  const complaints = () =>
    window.complaints.filter((each) => !each.startsWith(`went out to ${site.baseUrl}/`));
  return { ...window, complaints };
}

/** As `showPage`, with the example’s pages apart from the site’s. */
const show = (page: Page, name: string) => showPage(page, `example-${name}`);

async function find(page: Page): Promise<void> {
  await page.goto('/find');
  await page.getByLabel('What does the person need?').fill('lonely since her husband died');
  await page.getByLabel('Postcode (optional)').fill('ZT1 3GH');
  await follow(page.getByRole('button', { name: 'Search' }));
}

async function fillIn(page: Page, lastName: string): Promise<void> {
  await follow(page.getByRole('link', { name: 'Refer to' }).first());
  await page.getByLabel('First name').fill('Margaret <b>');
  await page.getByLabel('Last name').fill(lastName);
  await page.getByLabel('Date of birth').fill('1947-03-09');
  await page.getByLabel('First line of the address').fill('4 Mill Lane');
  await page.getByLabel('Postcode').fill('ZT1 3GH');
  await page.getByLabel('Why do you refer them?').fill('She seldom leaves the house.');
  await page.getByLabel('The person agrees to be referred').check();
}

/** A token of the referrer, from the keys page. */
async function accessToken(): Promise<string> {
  return (await sampleKeys(site, 'referrer')).access;
}

const kept = async () =>
  JSON.parse(await readFile(join(clone, 'examples', 'practice', 'store.json'), 'utf8')) as {
    webhook: { id: string; secret: string };
    referrals: Record<string, { status: string; person: string }>;
    events: Record<string, { done: boolean; event: { type: string } }>;
  };
const statusOf = async (person: string) =>
  Object.values((await kept()).referrals).find((each) => each.person === person)?.status;

describe('the practice’s app', inChromium, () => {
  it('signs in, finds a service, refers and hears the answer', async () => {
    const { page, complaints, close } = await openApp();
    await page.getByText('Nobody was referred with this app yet.').waitFor();
    await show(page, '2-home');
    await follow(page.getByRole('link', { name: 'Find a service' }));
    await show(page, '3-find');
    await find(page);
    await show(page, '4-results');
    // What was searched for is about a patient.
    expect(page.url()).toBe(`${app.address}/find`);
    await fillIn(page, 'Accepted');
    await page.getByLabel('The person agrees to be referred').uncheck();
    await follow(page.getByRole('button', { name: 'Refer' }));
    await page.getByText('There is a problem').waitFor();
    await show(page, '5-refused');
    expect(await page.getByLabel('First name').inputValue()).toBe('Margaret <b>');
    await page.getByLabel('The person agrees to be referred').check();
    await follow(page.getByRole('button', { name: 'Refer' }));
    await page.getByText('Reference').waitFor();
    await until(async () => {
      const types = Object.values((await kept()).events).map(({ event }) => event.type);
      return types.includes('referral.accepted') && (await statusOf('Margaret <b> Accepted')) === 'accepted';
    });
    await page.reload();
    await page.getByText('Accepted by the service').waitFor();
    await page.getByText('referral.accepted').waitFor();
    await show(page, '6-referral');
    await page.goto('/');
    expect(await page.getByRole('row').nth(1).textContent()).toMatch(
      /Margaret <b> Accepted.*Accepted by the service/s,
    );
    await show(page, '7-list');
    await follow(page.getByRole('button', { name: 'Sign out' }));
    await page.goto('/find');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(complaints()).toEqual([]);
    await close();
  });

  it('makes one referral of a form that is sent twice', async () => {
    const { page, close } = await openApp();
    await find(page);
    await fillIn(page, 'Doubled');
    const form = await page.evaluate<string>(
      'new URLSearchParams(new FormData(document.querySelector("main form"))).toString()',
    );
    const sendForm = () =>
      page.request.post('/refer', {
        data: form,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.address },
        maxRedirects: 0,
      });
    const [first, second] = [await sendForm(), await sendForm()];
    expect([first.status(), second.headers().location]).toEqual([303, first.headers().location]);
    const elsewhere = await page.request.post('/refer', {
      data: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    });
    expect(elsewhere.status()).toBe(403);
    await close();
  });

  it('says in its own words that the person was referred already', async () => {
    const { page, close } = await openApp();
    for (let count = 0; count < 2; count += 1) {
      await find(page);
      await fillIn(page, 'Repeated');
      await follow(page.getByRole('button', { name: 'Refer' }));
    }
    const summary = page.getByRole('alert');
    await summary
      .getByText(/The person has an open referral to this service already: \S+\. Nothing/)
      .waitFor();
    expect(await summary.textContent()).not.toMatch(/allow_duplicate|referral_id/);
    await show(page, '9-referred-already');
    await close();
  });

  it('says one thing about each field', async () => {
    const { page, close } = await openApp();
    await find(page);
    await follow(page.getByRole('link', { name: 'Refer to' }).first());
    await follow(page.getByRole('button', { name: 'Refer' }));
    const labels = await page.getByRole('alert').getByRole('link').allTextContents();
    expect(labels.length).toBeGreaterThan(3);
    expect(new Set(labels).size).toBe(labels.length);
    await page.getByText('Postcode: must not be empty').waitFor();
    await show(page, '10-empty-form');
    await close();
  });

  it.each([
    [{ SITE: undefined }, /^Set SITE: the README says how\.\n$/],
    [{ SITE: 'localhost' }, /^SITE or REFRESH_TOKEN is wrong: [^\n]+\n$/],
    [{}, /^Port \d+ is in use: set PORT to another\.\n$/],
  ])('says in one line why it does not start: %j', async (more, line) => {
    const port = new URL(app.address).port;
    const env = {
      PATH: process.env.PATH,
      SITE: site.baseUrl,
      REFRESH_TOKEN: refreshToken,
      PORT: port,
      ...more,
    };
    const starting = run(process.execPath, ['src/main.js'], {
      cwd: join(clone, 'examples', 'practice'),
      env,
    });
    await expect(starting).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(line) });
  });

  it('takes no token that a stranger slips in', async () => {
    const { page, close } = await openWindow(browser, app.address);
    for (const path of ['/signed-in?token=ona_1', '/signed-in?state=&token=ona_1'])
      expect((await page.goto(path))!.status()).toBe(400);
    await show(page, '8-not-begun');
    await close();
  });

  it('answers 400 to unsigned calls, and 500 when it fails itself', async () => {
    const { secret } = (await kept()).webhook;
    const { signWebhook } = await import('../../sdk/src/index.ts');
    const body = JSON.stringify({
      id: 'one',
      type: 'service.changed',
      resource: { type: 'service', id: 'x' },
    });
    const tell = (headers: Record<string, string>) =>
      fetch(`${app.address}/told`, { method: 'POST', body, headers }).then(({ status }) => status);
    const signed = await signWebhook(body, { id: 'one', secret });
    expect(await tell({ ...signed, 'webhook-id': 'two' })).toBe(400);
    // Nothing can be stored while a folder is in the way.
    const blocked = join(clone, 'examples', 'practice', 'store.json.new');
    await mkdir(blocked);
    expect(await tell(signed)).toBe(500);
    await rm(blocked, { recursive: true });
    expect(await tell(signed)).toBe(204);
    expect(await tell(signed)).toBe(204);
    await until(async () => (await kept()).events.one?.done === true);
  });

  it('hears what happened while it was away', async () => {
    const { page, close } = await openApp();
    await find(page);
    await fillIn(page, 'Doubtful');
    await follow(page.getByRole('button', { name: 'Refer' }));
    const id = new URL(page.url()).searchParams.get('id');
    await close();
    const port = Number(new URL(app.address).port);
    await app.stop();
    const headers = { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' };
    const status_reason = { code: 'client-declined', text: 'She has changed her mind.' };
    const cancelled = await fetch(`${site.baseUrl}/api/referrals/${id}/cancel`, {
      method: 'POST',
      headers: { ...headers, 'if-match': '"1"' },
      body: JSON.stringify({ status_reason }),
    });
    expect(cancelled.status).toBe(200);
    app = await startApp(port);
    await until(async () => (await statusOf('Margaret <b> Doubtful')) === 'cancelled');
  });

  it('logs no token, and nothing about a person', () => {
    expect(app.output()).not.toMatch(/on[ar]_[A-Za-z0-9]{6}_|Margaret|husband/);
    const { stdout, stderr } = site.output();
    expect(stdout + stderr).not.toMatch(/on[ar]_[A-Za-z0-9]{6}_|Margaret/);
  });
});
