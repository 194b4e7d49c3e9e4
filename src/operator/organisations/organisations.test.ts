import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aService } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { storeReferral } from '../../../test/delivery/test-site.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { rowInWords } from '../../../test/people/row-in-words.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { dayMs } from '../../platform/durations.ts';
import { listCapturedMails, sendMail } from '../../platform/mail/index.ts';
import { warnOfExpiringAgreements } from './warn-of-expiring-agreements.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
let referrer: typeof operator;
let here: string;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator' });
  referrer = await signedInBrowser(site, { organisation: { name: 'Infirmary Lane Surgery' } });
  const list = await operator.open(path);
  here = list.page.querySelector(`a[href^="${path}/"]`)!.getAttribute('href')!;
});
afterAll(() => site.close());

const path = '/operator/organisations';
const details = {
  sharing_role: 'controller',
  ico_number: 'za 123456',
  dspt_status: 'met',
  dspt_until_day: '30',
  dspt_until_month: '6',
  dspt_until_year: '2027',
  agreement: 'Sarrowby sharing agreement 7',
  agreement_from_day: '1',
  agreement_from_month: '4',
  agreement_from_year: '2026',
  agreement_until_day: '31',
  agreement_until_month: '12',
  agreement_until_year: '2026',
};

async function warnings() {
  await warnOfExpiringAgreements(site.deps);
  for (const { payload } of await takeJobs(site.deps.pool, { name: 'send-mail' }))
    await sendMail(site.deps, payload);
  const mails = await listCapturedMails(site.deps, 'everybody', { before: undefined, limit: 100 });
  return mails.filter(({ subject }) => subject.startsWith('Agreements'));
}

describe('an organisation', () => {
  it('has its role, ICO number, toolkit status and agreement', async () => {
    // Only operators can enter them, so others do not read that they are missing.
    expect((await referrer.open('/account')).text).not.toContain('ICO number');
    expect((await operator.open(here)).text).toContain('Not entered');
    expect((await operator.send(here, details)).location).toBe(`${here}?done=saved`);
    for (const text of [(await operator.open(path)).text, (await referrer.open('/account')).text])
      for (const said of ['Controller', 'ZA123456', 'Standards met', 'sharing agreement 7', '31 Dec'])
        expect(text).toContain(said);
    const { page } = await operator.open(here);
    expect(page.querySelector('main form')).toBeNull();
    expect(page.querySelector(`a[href="${here}/sharing#ico_number"]`)).not.toBeNull();
    const form = (await operator.open(`${here}/sharing`)).page;
    expect(form.querySelector('#agreement_until_day')!.getAttribute('value')).toBe('31');
    const [entry] = await storedEntries(site.deps.db, { action: 'organisation.facts_changed' });
    expect(entry!.details).toMatchObject({ icoNumber: 'ZA123456', agreementUntil: '2026-12-31' });
  });

  it('is not saved with a wrong date or number; says what to enter', async () => {
    const wrong = { ...details, ico_number: '123', dspt_until_month: '13', agreement: 'x'.repeat(201) };
    const refused = await operator.send(here, wrong);
    expect(refused.status).toBe(422);
    for (const text of [
      'Enter an ICO number like ZA123456',
      'Enter a real date, like 30 6 2027',
      'Use 200 characters or fewer',
    ])
      expect(refused.text).toContain(text);
    const never = await operator.send(here, { ...details, dspt_until_year: '9999' });
    expect([never.status, never.text]).toEqual([422, expect.stringContaining('Enter a real date')]);
    const backwards = await operator.send(here, { ...details, agreement_until_year: '2025' });
    expect(backwards.text).toContain('The agreement must end after it begins');
    expect((await operator.open(path)).text).toContain('ZA123456');
  });

  it('is only for operators to change', async () => {
    for (const url of [path, here]) expect((await referrer.open(url)).status).toBe(403);
    expect((await referrer.send(here, details)).status).toBe(403);
    expect((await operator.open(`${path}/nothing`)).status).toBe(404);
  });

  it('can be added from the library without an account, once', async () => {
    const { organizationName } = await aService(site.deps);
    const add = () => operator.send(path, { organisation: organizationName });
    const { location } = await add();
    expect((await operator.open(location!)).text).toContain(organizationName);
    expect((await add()).location).toBe(location);
    const unknown = await operator.send(path, { organisation: 'Nobody of this name' });
    expect([unknown.status, unknown.text]).toEqual([
      422,
      expect.stringContaining('The library has no organisation with exactly this name'),
    ]);
  });
});

describe('an organisation with nobody to answer', () => {
  it('is marked on the lists, until somebody is invited', async () => {
    const place = await aService(site.deps, { serviceName: 'Unanswered walks' });
    const { location } = await operator.send(path, { organisation: place.organizationName });
    const mark = '1 service has nobody to answer';
    const listed = () => operator.open(`${path}?name=${encodeURIComponent(place.organizationName)}`);
    const list = await listed();
    expect(list.text).toContain(mark);
    expect(list.page.querySelector('td a[href^="/operator/accounts/new?organisation="]')).not.toBeNull();
    const own = await operator.open(location!);
    expect(own.text).toContain('1 service accepts referrals, and nobody can answer them');
    const settings = `/services/${place.serviceId}/referral-settings`;
    expect(own.page.querySelector(`a[href="${settings}"]`)).not.toBeNull();
    const found = await operator.open('/services?search=Unanswered+walks');
    expect(found.page.querySelector(`a[href="${settings}"]`)).not.toBeNull();
    expect(found.text).toContain('Nobody to answer');
    expect((await referrer.open('/services?search=Unanswered+walks')).text).not.toContain('Nobody to answer');
    const { organizationId: libraryOrganizationId, organizationName: name } = place;
    await anAccount(site.deps, { role: 'provider', organisation: { name, libraryOrganizationId } });
    expect((await listed()).text).not.toContain(mark);
    expect((await operator.open(location!)).text).not.toContain('nobody can answer them');
  });
});

describe('the end of an agreement with the organisation of a service', () => {
  it('is on its referrers’ form from 30 days before', async () => {
    const place = await aService(site.deps);
    const { location } = await operator.send(path, { organisation: place.organizationName });
    const formSays = async (year: string, month: string, day: string) => {
      const end = { agreement_until_year: year, agreement_until_month: month, agreement_until_day: day };
      await operator.send(location!.split('?')[0]!, { ...details, ...end, agreement_from_year: '2020' });
      return (await referrer.open(`/referrals/new?service=${place.serviceId}`)).text;
    };
    expect(await formSays('2026', '12', '22')).not.toContain('sharing agreement');
    expect(await formSays('2026', '12', '21')).toMatch(
      /The sharing agreement ends soon.*ends on 21 December 2026/s,
    );
    expect(await formSays('2026', '11', '21')).toContain('ends soon');
    expect(await formSays('2026', '11', '20')).toMatch(
      /The sharing agreement has ended.*ended on 20 November 2026\. Before you send a referral, ask/s,
    );
    expect(await formSays('2030', '12', '31')).not.toContain('sharing agreement');
  });
});

describe('the end of an agreement', () => {
  it('is told to operators once, 30 days before', async () => {
    await operator.send(here, details);
    expect(await warnings()).toEqual([]);
    // The 1st of December, and 30 days are left.
    site.clock.moveOn(10 * dayMs);
    const [mail, ...others] = await warnings();
    expect([mail!.to, others]).toEqual([operator.email, []]);
    expect(mail!.text).toContain('Infirmary Lane Surgery: Sharing agreement, ends on 31 December 2026');
    expect(mail!.text).not.toContain('Toolkit');
    expect(await warnings(), 'a second time').toHaveLength(1);
    await operator.signIn();
    expect((await operator.open(path)).text).toContain('Sharing agreement ends soon');
    expect((await operator.open('/operator')).text).toContain('1 ended or ending soon');
    await operator.send(here, { ...details, agreement_until_year: '2027' });
    expect((await operator.open(path)).text).not.toContain('ends soon');
    site.clock.moveOn(190 * dayMs);
    expect((await warnings())[0]!.text).toContain('Toolkit status, ends on 30 June 2027');
    site.clock.moveOn(200 * dayMs);
    expect((await warnings())[0]!.text).toContain('Sharing agreement, ends on 31 December 2027');
    await operator.signIn();
    expect((await operator.open(path)).text).toContain('Toolkit status has ended');
    expect(await warnings(), 'one for each end').toHaveLength(3);
  });
});

describe('the list of organisations', () => {
  it('counts people, services, open referrals; omits empty fields', async () => {
    const { organizationId, organizationName, serviceId } = await aService(site.deps);
    const organisation = { name: organizationName, libraryOrganizationId: organizationId };
    await anAccount(site.deps, { role: 'provider', organisation });
    const left = await anAccount(site.deps, { role: 'provider', organisation });
    await operator.send(`/operator/accounts/${left.id}/disabled`, { switch: 'disable', reason: 'Left us' });
    const service = { name: 'Walks', organization_id: organizationId, organization_name: organizationName };
    for (const status of ['requested', 'completed'] as const)
      await storeReferral(site.deps.pool, { service_id: serviceId, service, status });
    const listed = async () => {
      const { page } = await operator.open(`${path}?${new URLSearchParams({ name: organizationName })}`);
      return rowInWords(page.querySelector('tbody tr')!);
    };
    expect(await listed()).toMatch(/People 1 Services 1 Open referrals 1/);
    expect(await listed()).not.toContain('Not entered');
    // A count that grows would tell which referral is to a sensitive service.
    await markSensitive(site.deps.db, serviceId);
    expect(await listed()).toContain('Open referrals 0');
  });
});
