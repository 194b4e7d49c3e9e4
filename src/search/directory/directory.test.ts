import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import {
  changeService,
  markSensitive,
  replaceDocument,
  storedDocuments,
} from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { storedUnmetSearches } from '../../../test/search/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importPostcodes, importServices } from '../../exchange/index.ts';

// Somebody without an account looks for help in the sample library.

const sample = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', '..', 'sample', name));
const befriending = '19096312-e822-4b61-87ce-491718e6e107';
let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_PUBLIC_DIRECTORY: 'true' } });
  await importServices(site.deps, siteActor, Readable.from([sample('library.ndjson')]));
  await importPostcodes(site.deps, siteActor, Readable.from([sample('postcodes.csv')]));
});
afterAll(() => site.close());

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await site.app.inject({ url: path, headers });
  const page = parse(answer.body);
  return { answer, page, status: answer.statusCode, text: page.querySelector('main')?.structuredText ?? '' };
}
const names = (page: ReturnType<typeof parse>) =>
  page.querySelectorAll('.onward-result h3 a').map((each) => each.text);
const links = (page: ReturnType<typeof parse>) =>
  page.querySelectorAll('a').map((each) => each.getAttribute('href') ?? '');

describe('the public directory', () => {
  it('does not exist unless the site switches it on', async () => {
    const closed = await makeApp();
    for (const path of ['/find', `/find/${befriending}`, '/robots.txt'])
      expect((await closed.app.inject(path)).statusCode, path).toBe(404);
    expect((await closed.app.inject('/')).body).not.toContain('href="/find"');
    await closed.close();
  });

  it('finds by words, postcode and filters, and needs no account', async () => {
    const { page, text } = await open('/find?search=befriend&postcode=ZT1+1HW&way=home');
    expect(names(page)).toContain('Good Company befriending');
    expect(text).toContain('Covers ZT1 1HW');
    expect(links(page)).toContain('tel:01632960011');
    expect(text).toContain('01632 960011 (Befriending coordinator)');
    const [first] = page.querySelectorAll('.onward-result');
    expect(first!.text, 'its entry says so').toContain('You can refer yourself');
    const leading = links(page).filter((href) => /^\/(services|referrals|lists)/.test(href));
    expect(leading).toEqual([]);
    const words = ['Make a referral', 'Accepting referrals', 'of referrals', 'Compare', 'fastest to respond'];
    expect(text).toContain('Sort by');
    for (const forStaff of words) expect(text).not.toContain(forStaff);
    expect((await open('/')).page.querySelector('a[href="/find"]')).not.toBeNull();
  });

  it('shows a service with how to get in touch, and the way back', async () => {
    const searched = '/find?search=befriend&postcode=ZT1+1HW';
    const { page, text, status } = await open(`/find/${befriending}?postcode=ZT1+1HW`, {
      referer: `http://localhost:8080${searched}`,
    });
    expect(status).toBe(200);
    expect(text).toContain('01632 960011');
    expect(text).not.toMatch(/referral|undefined|NaN/);
    expect(links(page)).toContain(searched);
    expect(page.querySelector('#address')?.getAttribute('value')).toBe(
      `http://localhost:8080/find/${befriending}`,
    );
  });

  it('offers the needs as links, until somebody has searched', async () => {
    const needs = async (path: string) =>
      (await open(path)).page.querySelectorAll('#results a[href^="/find?taxonomy_term_id="]');
    const [first] = await needs('/find');
    expect(
      (await open(first!.getAttribute('href')!)).page.querySelector('#needs input[checked]'),
    ).not.toBeNull();
    expect((await open('/find?search=debt')).text).not.toContain('What do you need help with?');
  });

  it('says what is wrong with a postcode', async () => {
    const { status, text } = await open('/find?postcode=nowhere');
    expect(status).toBe(400);
    expect(text).toContain('Enter a full postcode or the first part');
  });

  it('shows crisis help before everything else', async () => {
    const { page } = await open('/find?search=i+want+to+die');
    const main = page.querySelector('main')!;
    expect(main.structuredText.indexOf('116 123')).toBeGreaterThan(-1);
    expect(main.structuredText.indexOf('116 123')).toBeLessThan(
      main.structuredText.indexOf('Find a service'),
    );
    expect(page.querySelector('title')?.text).not.toContain('die');
    expect((await open('/find?search=lunch')).text).not.toContain('116 123');
  });

  it('keeps no words of a search, in the log or for others', async () => {
    site.logLines.length = 0;
    const { answer } = await open('/find?search=confidentialwords');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-robots-tag']).toBe('noindex');
    expect(site.logLines.join('')).toContain('/find');
    expect(site.logLines.join('')).not.toContain('confidentialwords');
    const alike = await open('/find', { cookie: 'anything=1' });
    expect(alike.answer.headers['cache-control']).toBe('public, max-age=60');
    expect(alike.answer.headers['set-cookie']).toBeUndefined();
  });

  it('counts searches towards the limit of a network', async () => {
    expect((await open('/find')).answer.headers['ratelimit-policy']).toContain('"network"');
  });

  it('keeps search engines from a test site and from searches', async () => {
    expect((await open('/robots.txt')).answer.body).toBe('User-agent: *\nDisallow: /\n');
    const live = await makeApp({ env: { ...liveEnv, ONWARD_PUBLIC_DIRECTORY: 'true' } });
    const { body } = await live.app.inject('/robots.txt');
    expect(body).toBe('User-agent: *\nAllow: /find\nAllow: /assets/\nDisallow: /find?\nDisallow: /\n');
    expect((await live.app.inject('/find')).headers['x-robots-tag']).toBeUndefined();
    expect((await live.app.inject('/find?search=lunch')).headers['x-robots-tag']).toBe('noindex');
    await live.close();
  });
});

describe('an entry of the directory', () => {
  it('is left out once nobody has checked it for two years', async () => {
    const { db } = site.deps;
    const setChecked = (day: string) => changeService(db, befriending, { assured_on: day });
    const before = site.clock.now().toISOString();
    const year = Number(before.slice(0, 4)) - 2;
    // The index learns of a change by a notice, a moment later.
    const found = () => expect.poll(async () => names((await open('/find?search=befriend')).page));
    await setChecked(`${year}${before.slice(4, 10)}`);
    await found().toContain('Good Company befriending');
    expect((await open(`/find/${befriending}`)).status).toBe(200);
    await setChecked(`${year - 1}-12-31`);
    await found().not.toContain('Good Company befriending');
    const gone = await open(`/find/${befriending}`);
    const unknown = await open('/find/nobody');
    const words = ({ text }: typeof gone) => text.replace(/reference: .*/, '');
    expect([gone.status, words(gone)]).toEqual([404, words(unknown)]);
    await setChecked(before.slice(0, 10));
    await found().toContain('Good Company befriending');
  });

  it('is left out while the service does not run', async () => {
    const { db } = site.deps;
    await changeService(db, befriending, { status: 'inactive' });
    expect((await open(`/find/${befriending}`)).status).toBe(404);
    await changeService(db, befriending, { status: 'active' });
  });

  it('has no part that only staff read', async () => {
    const { db } = site.deps;
    const document = (await storedDocuments(db)).get(befriending)!;
    const assured = { ...JSON.parse(document), assurer_email: 'mary@example.org' };
    await replaceDocument(db, befriending, JSON.stringify(assured));
    expect((await open(`/find/${befriending}`)).text).not.toContain('mary@example.org');
    await replaceDocument(db, befriending, document);
  });

  it('has a way out if sensitive, and no map or search engine', async () => {
    await markSensitive(site.deps.db, befriending);
    const { page, answer } = await open(`/find/${befriending}`);
    expect(page.querySelector('.onward-leave a')?.text).toBe('Leave this page');
    expect(answer.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
    const listed = await open('/find?search=befriend&postcode=ZT1+1HW&map=true');
    expect(names(listed.page)).toContain('Good Company befriending');
    expect(listed.page.querySelector('#map')?.toString() ?? '').not.toContain('Good Company');
  });
});

describe('a need that people do not find', () => {
  const unmetPath = (postcode: string) =>
    `/find?postcode=${postcode}&taxonomy_term_id=${termId}&search=privatewords`;
  let termId: string;
  let operator: Awaited<ReturnType<typeof signedInBrowser>>;
  beforeAll(async () => {
    const { page } = await open('/find');
    termId = page.querySelector('input[name=taxonomy_term_id]')!.getAttribute('value')!;
    operator = await signedInBrowser(site, { role: 'operator' });
  });
  const searchFrom = (ip: string, url: string) => site.app.inject({ url, remoteAddress: ip });

  it('is counted by district and month from eight on, no words', async () => {
    for (let count = 1; count <= 8; count += 1) {
      const shown = await operator.open('/operator/unmet-need');
      expect(shown.text, `after ${count - 1}`).toContain('There are none yet.');
      await searchFrom(`192.0.2.${count}`, unmetPath('ZT1+1HW'));
    }
    const { text, page } = await operator.open('/operator/unmet-need');
    const cells = page.querySelectorAll('tbody td').map((each) => each.text);
    expect([cells[0], cells[2], cells[3]]).toEqual(['November 2026', 'ZT1', '8']);
    expect(text).not.toMatch(/privatewords|1HW/);
    // The definition of the figure L2 leads managers here.
    const manager = await signedInBrowser(site, { role: 'manager' });
    expect((await manager.open('/operator/unmet-need')).status).toBe(200);
    for (const from of [await operator.open('/operator'), await manager.open('/operator/reports')])
      expect(from.page.querySelector('main a[href="/operator/unmet-need"]')?.text).toBe(
        page.querySelector('h1')!.text,
      );
    expect(JSON.stringify(await storedUnmetSearches(site.deps.db))).not.toMatch(/privatewords|1HW|192\.0/);
  });

  it('is counted by people’s words for it, which are not stored', async () => {
    const before = (await storedUnmetSearches(site.deps.db)).map(({ term_id }) => term_id);
    for (const words of ['bailiffs+"zzznothing"', '"zzznothing"'])
      await searchFrom('192.0.2.77', `/find?postcode=ZT1+1HW&search=${words}`);
    const after = await storedUnmetSearches(site.deps.db);
    expect(after.map(({ term_id }) => term_id).filter((id) => !before.includes(id))).toEqual([
      'need:benefits-debt',
    ]);
    expect(JSON.stringify(after)).not.toMatch(/bailiff|zzz/);
  });

  it('counts once a minute for a network, and no made-up need', async () => {
    const before = await storedUnmetSearches(site.deps.db);
    await searchFrom('192.0.2.1', unmetPath('ZT1+1HW'));
    await searchFrom('192.0.2.99', '/find?postcode=ZT1+1HW&taxonomy_term_id=made-up');
    await searchFrom('192.0.2.99', '/find?postcode=ZT1+1HW&search=privatewords');
    expect(await storedUnmetSearches(site.deps.db)).toEqual(before);
    site.clock.moveOn(61_000);
    await searchFrom('192.0.2.1', unmetPath('ZT1+1HW'));
    expect(await storedUnmetSearches(site.deps.db)).not.toEqual(before);
  });
});
