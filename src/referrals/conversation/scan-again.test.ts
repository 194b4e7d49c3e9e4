import { afterAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTestNhsNumber, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { virusScanner } from '../../../test/network/virus-scanner.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { siteChecks } from '../../cli/commands/site/all-checks.ts';
import { describeFailure, listConnectionFailures } from '../../platform/connections/index.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';
import { scanAgain } from './scan-again.ts';

const scanner = await virusScanner();
const site = await makeApp({ env: { ONWARD_SCAN_URL: scanner.url } });
afterAll(async () => {
  await site.close();
  scanner.close();
});
const place = await aService(site.deps);
const referrer = await aTokenHolder(site.deps, { organisation: { name: 'Oak Surgery' } });
const provider = await aTokenHolder(site.deps, {
  role: 'provider',
  organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
});

let people = 0;
async function makeReferral(): Promise<{ id: string; reference: string }> {
  people += 1;
  const patient = {
    nhs_number: aTestNhsNumber(people),
    given_name: 'Ann',
    family_name: `Person${people}`,
    birth_date: '1950-03-09',
    address: { lines: ['4 Mill Lane'], postcode: 'ZT1 3GH' },
    telephone: '01632 960123',
  };
  const payload = aReferral(place.serviceId, { patient });
  const made = { method: 'POST', url: '/api/referrals', headers: referrer.headers, payload } as const;
  const answer = await site.app.inject(made);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}

async function attach({ id }: { id: string }, content: string, isAway = false) {
  scanner.isAway = isAway;
  const answer = await site.app.inject({
    method: 'POST',
    url: `/api/referrals/${id}/attachments`,
    headers: { ...referrer.headers, 'content-type': 'multipart/form-data; boundary=x' },
    payload: `--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${content}\r\n--x--\r\n`,
  });
  scanner.isAway = false;
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

const open = (who: typeof referrer, referral: { id: string }, file: { id: string }) =>
  site.app.inject({ url: `/api/referrals/${referral.id}/attachments/${file.id}`, headers: who.headers });

/** Attaches a file on the page, and gives what the page says then. */
async function attachOnPage({ id }: { id: string }, isAway: boolean) {
  scanner.isAway = isAway;
  const browser = await signedInBrowser(site, { organisation: { name: 'Oak Surgery' } });
  const { headers } = await site.app.inject({
    method: 'POST',
    url: `/referrals/${id}/attachments`,
    headers: { ...browser.headers, 'content-type': 'multipart/form-data; boundary=x' },
    payload: `--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 A.\r\n--x--\r\n`,
  });
  scanner.isAway = false;
  return (await browser.open(String(headers.location))).text;
}

const filesOf = async ({ id }: { id: string }) =>
  (await site.app.inject({ url: `/api/referrals/${id}/attachments`, headers: referrer.headers })).json()
    .items;

const historyOf = async ({ id }: { id: string }) =>
  (await site.app.inject({ url: `/api/referrals/${id}/history`, headers: referrer.headers })).json().items;

const filesToScan = () => siteChecks['files to scan']!(site.deps);

async function subjectsFor(who: { email: string }, { reference }: { reference: string }) {
  await sendNotifications(site.deps);
  const mails = await mailsTo(site, who.email);
  return mails.filter(({ text }) => text.includes(reference)).map(({ subject }) => subject);
}

describe('who attaches a file on the page', () => {
  it('learns whether it was scanned, in a plain sentence', async () => {
    const referral = await makeReferral();
    const words = 'The file was attached, but not scanned for viruses.';
    expect(await attachOnPage(referral, true)).toContain(words);
    const scanned = await attachOnPage(referral, false);
    expect(scanned).toContain('The file was attached');
    expect(scanned).not.toContain(words);
    await scanAgain(site.deps);
    expect((await filesOf(referral)).map((file: { scanned: boolean }) => file.scanned)).toEqual([true, true]);
  });
});

describe('a file that came while the scanner was away', () => {
  it('is scanned once it answers; site check counts it until then', async () => {
    const referral = await makeReferral();
    const file = await attach(referral, '%PDF-1.7 A letter.', true);
    const locked = await attach(referral, '%PDF-1.7 trailer<</Encrypt 5 0 R>>', true);
    expect([file.scanned, locked.scanned]).toEqual([false, false]);
    scanner.isAway = true;
    await scanAgain(site.deps);
    expect(await filesToScan()).toMatchObject({ result: expect.stringContaining('2 not scanned yet') });
    scanner.isAway = false;
    await scanAgain(site.deps);
    const scanned = Object.fromEntries((await filesOf(referral)).map((each: any) => [each.id, each.scanned]));
    expect(scanned).toEqual({ [file.id]: true, [locked.id]: false });
    expect(await filesToScan()).toEqual({ result: 'the virus scanner has looked at each file' });
  });

  it('is blocked if it has a virus, and those concerned are told', async () => {
    const referral = await makeReferral();
    const file = await attach(referral, '%PDF-1.7 EICAR', true);
    expect((await open(provider, referral, file)).statusCode).toBe(200);
    await scanAgain(site.deps);
    for (const who of [provider, referrer]) expect((await open(who, referral, file)).statusCode).toBe(404);
    expect((await filesOf(referral))[0]).toMatchObject({ removed: { reason: { code: 'virus' } } });
    expect((await historyOf(referral)).at(-1)).toMatchObject({ kind: 'file-with-virus' });
    const entries = await storedEntries(site.deps.db, { action: 'referral.file_blocked' });
    expect(entries.map(({ subject_id }) => subject_id)).toEqual([referral.id]);
    expect((await subjectsFor(referrer, referral))[0]).toContain('A file of a referral has a virus');
    expect((await subjectsFor(provider, referral)).join()).toContain('A file that you opened has a virus');
    await scanAgain(site.deps);
    expect(await storedEntries(site.deps.db, { action: 'referral.file_blocked' })).toHaveLength(1);
  });

  it('is reported when every second file fails', async () => {
    const referral = await makeReferral();
    const headings = async () =>
      (await listConnectionFailures(site.deps.db, site.clock.now())).map(
        (each) => describeFailure(each).heading,
      );
    for (let count = 0; count < 3; count += 1) {
      await attach(referral, `%PDF-1.7 ${count}`);
      await attach(referral, `%PDF-1.7 again ${count}`, true);
    }
    await attach(referral, '%PDF-1.7 The last.');
    expect(await headings()).toEqual(['The virus scanner does not look at some files']);
    expect(await siteChecks.connections!(site.deps)).toMatchObject({ remedy: expect.any(String) });
    site.clock.moveOn(86_400_000);
    expect(await headings()).toEqual([]);
  });
});
