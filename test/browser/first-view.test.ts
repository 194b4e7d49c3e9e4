import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiClient, sampleKeys } from '../people/api-client.ts';
import { inChromium, openWindow, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

// The first view of a page, with nothing in the browser's cache.

const { site, browser } = await siteInBrowser({ ONWARD_PUBLIC_DIRECTORY: 'true' });

/** Over the wire, with the headers. */
const maxBytes = 100 * 1024;

type View = { readonly bytes: number; readonly shift: number };

/** Opens the page with an empty cache, and says what came over the wire and how far its parts moved (CLS). */
async function firstView(page: Page, path: string): Promise<View> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const answer = await page.goto(path, { waitUntil: 'networkidle' });
  expect(answer!.status(), path).toBe(200);
  const shift = await page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const each of list.getEntries()) sum += each.value })
      .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 200);
  })`);
  await devtools.detach();
  return { bytes, shift };
}

async function firstViews(
  signedInAs: 'referrer' | 'provider' | 'operator' | undefined,
  paths: readonly string[],
): Promise<string[]> {
  const { page, complaints, close } = await openWindow(browser, site.baseUrl);
  if (signedInAs) await signIn(page, site.logins[signedInAs]);
  const found: string[] = [];
  for (const path of paths) {
    const { bytes, shift } = await firstView(page, path);
    if (bytes > maxBytes) found.push(`${path}: ${bytes} bytes`);
    if (shift > 0) found.push(`${path}: moves by ${shift}`);
  }
  await close();
  return [...found, ...complaints];
}

let referral: string;
let service: string;
beforeAll(async () => {
  const api = apiClient(site.baseUrl, (await sampleKeys(site, 'referrer')).access);
  const first = JSON.parse(await readFile('sample/first-referral.json', 'utf8'));
  service = first.service_id;
  for (const family_name of ['Example', 'Featherstonehaugh', 'Okafor', 'Smith']) {
    const patient = { ...first.patient, family_name };
    const { status, body } = await api.post('/api/referrals', { ...first, patient });
    expect(status).toBe(201);
    referral = `/referrals/${body.id}`;
  }
});

describe('the way back', inChromium, () => {
  it('leads to the form again after it was refused', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto(`/referrals/new?service=${service}`);
    await page.getByRole('button', { name: 'Continue' }).first().click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await page.goto('/referrals');
    await page.goBack();
    await page.getByRole('heading', { name: 'Make a referral' }).waitFor();
    await close();
  });
});

describe('the first view of a page', inChromium, () => {
  it('is small for everybody, and nothing in it moves', async () => {
    const paths = [
      '/signin',
      '/find',
      '/find?search=lonely',
      '/problems/wrong-state',
      '/guide/events-and-webhooks',
    ];
    expect(await firstViews(undefined, [...paths, '/privacy'])).toEqual([]);
  });

  it('is small for a referrer, and nothing in it moves', async () => {
    const search = '/services?search=befriending&postcode=ZT1+3GH';
    const ofServices = ['/services', search, `/services/${service}`];
    const form = `/referrals/new?service=${service}`;
    const paths = ['/', ...ofServices, form, '/referrals', referral, `${referral}/correct`];
    expect(await firstViews('referrer', [...paths, '/account', '/account/passkeys', '/webhooks'])).toEqual(
      [],
    );
  });

  it('is small for a provider, and nothing in it moves', async () => {
    expect(await firstViews('provider', ['/', '/referrals', referral, '/library'])).toEqual([]);
  });

  it('is small for an operator, and nothing in it moves', async () => {
    const paths = [
      'accounts',
      'organisations',
      'library',
      'reports',
      'settings',
      'audit',
      'deliveries',
      'site',
    ];
    expect(
      await firstViews('operator', ['/', '/operator', ...paths.map((path) => `/operator/${path}`)]),
    ).toEqual([]);
  });
});
