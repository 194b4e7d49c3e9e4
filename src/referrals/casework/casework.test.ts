import { describe, expect, it } from 'vitest';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { inviteAccount } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { tellReminders } from './tell-reminders.ts';

const fixture = await referralPagesFixture();
const { site, place, browser, referrer, provider, aReferralPage } = fixture;
const ofService = { libraryOrganizationId: place.organizationId, name: place.organizationName };
const colleague = await browser({
  role: 'provider',
  name: 'Dana Colleague',
  email: 'dana@example.org',
  organisation: ofService,
});

/** The value that the page offers for somebody in the list of owners. */
async function ownerValue(path: string, name: string): Promise<string> {
  const { page } = await provider.open(path);
  const option = page.querySelectorAll('#owner option').find(({ text }) => text === name);
  return option!.getAttribute('value')!;
}

describe('the owner of a referral', () => {
  it('is a colleague, seen and listed by the own side alone', async () => {
    const path = await aReferralPage();
    const owner = await ownerValue(path, 'Dana Colleague');
    const { location } = await provider.send(`${path}/owner`, { owner, seen_owner: '' });
    expect((await provider.open(location)).text).toMatch(/Assigned to: Dana Colleague/);
    expect((await referrer.open(path)).text).not.toContain('Dana Colleague');
    const own = await colleague.open('/referrals?view=received&mine=yes');
    expect(own.page.querySelectorAll('tbody tr')).toHaveLength(1);
    expect((await provider.open('/referrals?view=received&mine=yes')).text).toContain(
      'Nothing is assigned to you',
    );
  });

  it('is not changed by somebody who has not seen the latest', async () => {
    const path = await aReferralPage();
    const owner = await ownerValue(path, 'Dana Colleague');
    await provider.send(`${path}/owner`, { owner, seen_owner: '' });
    const self = (await ownerValue(path, 'Test Person')) as string;
    const late = await provider.send(`${path}/owner`, { owner: self, seen_owner: '' });
    expect([late.status, late.text.includes('A colleague has assigned it since')]).toEqual([422, true]);
  });

  it('is nobody of another organisation', async () => {
    const path = await aReferralPage();
    const stranger = '00000000-0000-4000-8000-000000000000';
    const refused = await provider.send(`${path}/owner`, { owner: stranger, seen_owner: '' });
    expect(refused.text).toContain('Choose a colleague of your organisation');
    expect((await referrer.open(path)).page.querySelectorAll('#owner option')).toHaveLength(1);
  });

  it('is nobody who was invited and has not come yet', async () => {
    const path = await aReferralPage();
    await inviteAccount(site.deps, siteActor, {
      name: 'Nina New',
      email: 'nina@example.org',
      roles: ['provider'],
      hasApiAccess: false,
      organisation: ofService,
    });
    const options = (await provider.open(path)).page.querySelectorAll('#owner option');
    const names = options.map(({ text }) => text);
    expect([names.includes('Dana Colleague'), names.includes('Nina New')]).toEqual([true, false]);
  });
});

describe('a new referral', () => {
  it('is assigned to its maker, and to nobody of the service', async () => {
    const path = await aReferralPage();
    expect((await referrer.open(path)).text).toContain('Assigned to: Test Person (you)');
    expect((await provider.open(path)).text).toContain('Assigned to: nobody yet');
    const row = (await referrer.open('/referrals?view=made')).page.querySelector(`a[href^="${path}?"]`)!;
    expect(row.closest('tr')!.text, 'to the owner').not.toContain('Assigned to');
    const helper = await browser({
      role: 'referrer',
      name: 'Noor Helper',
      organisation: { name: 'Infirmary Lane Surgery' },
    });
    expect((await helper.open(path)).text).toContain('Assigned to: Test Person');
    const seen = (await helper.open('/referrals?view=made')).page.querySelector(`a[href^="${path}?"]`)!;
    expect(seen.closest('tr')!.text).toContain('Assigned to Test Person');
    const { page } = await helper.open(path);
    const noor = page.querySelectorAll('#owner option').find(({ text }) => text === 'Noor Helper')!;
    const maker = page.querySelector('[name=seen_owner]')!.getAttribute('value')!;
    await helper.send(`${path}/owner`, { owner: noor.getAttribute('value')!, seen_owner: maker });
    expect((await referrer.open(path)).text).toContain('Assigned to: Noor Helper');
  });
});

describe('a private note', () => {
  it('is read by the own organisation alone, and saved once', async () => {
    const path = await aReferralPage();
    const note = 'Her son rang <b>twice</b> 🌻';
    await provider.send(`${path}/notes`, { note });
    await provider.send(`${path}/notes`, { note });
    const { text } = await colleague.open(path);
    expect(text.split(note)).toHaveLength(2);
    for (const other of [referrer, await browser({ role: 'operator' })])
      expect((await other.open(path)).text).not.toContain('Her son');
    expect((await provider.send(`${path}/notes`, { note: ' ' })).text).toContain('Write the note');
  });
});

describe('the next referral of a list', () => {
  it('is a link on the page, also after this one has been answered', async () => {
    const other = await browser({ role: 'provider', organisation: ofService });
    const list = '/referrals?view=received&tab=unanswered';
    const { page } = await other.open(list);
    const rows = page
      .querySelectorAll('tbody tr a')
      .map((link) => link.getAttribute('href')!.replaceAll('&amp;', '&'));
    const [first, second] = rows as [string, string];
    const nextOn = async (url: string) =>
      (await other.open(url)).page.querySelector('a[rel=next]')?.getAttribute('href')?.split('?')[0];
    expect(await nextOn(first)).toBe(second.split('?')[0]);
    const [path, query] = first.split('?');
    const { location } = await other.send(`${path}/accept?${query}`, { version: '2' });
    expect(await nextOn(location)).toBe(second.split('?')[0]);
    const banner = (await other.open(location)).page.querySelector('.nhsuk-notification-banner')!;
    const links = banner.querySelectorAll('a').map((link) => link.getAttribute('href')!.split('?')[0]);
    expect(links).toEqual([second.split('?')[0], '/referrals']);
    expect(banner.text).toContain(`${rows.length - 1} more need an answer`);
    expect((await other.open(first)).page.querySelector('.nhsuk-back-link')!.getAttribute('href')).toBe(
      '/referrals?view=received&tab=unanswered',
    );
  });
});

describe('a reminder', () => {
  it('must be on a real day, after today and within a year', async () => {
    const path = await aReferralPage();
    const said = async (remind_day: string, remind_month: string, remind_year: string) => {
      const { page } = await provider.send(`${path}/reminder`, { remind_day, remind_month, remind_year });
      return page.querySelector('.nhsuk-error-summary a')?.text.trim();
    };
    expect(await said('', '', '')).toBe('Enter the date on which you want to be reminded');
    expect(await said('31', '2', '2027')).toBe('The date must be a real date, like 5 4 2027');
    expect(await said('1', '1', '2020')).toBe('The date must be after today');
    expect(await said('1', '1', '2030')).toBe('The date must be within a year');
  });

  it('comes before a weekend, not after it', async () => {
    const path = await aReferralPage();
    const shown = async (remind_day: string, remind_month: string, remind_year: string) => {
      await provider.send(`${path}/reminder`, { remind_day, remind_month, remind_year });
      return /You are reminded on ([^.]*)\./.exec((await provider.open(path)).text)?.[1];
    };
    expect(await shown('5', '12', '2026')).toBe('4 December 2026');
    expect(await shown('28', '12', '2026'), 'a bank holiday').toBe('24 December 2026');
    expect(await shown('22', '11', '2026'), 'no working day is left').toBe('22 November 2026');
  });

  it('puts the referral under what needs action, and emails once', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    await colleague.send(`${path}/reminder`, { remind_day: '22', remind_month: '11', remind_year: '2026' });
    const isListed = async () => {
      const dana = plainBrowser(site.app);
      await dana.signIn('dana@example.org');
      return (await dana.get('/referrals?view=received&tab=waiting')).body.includes(path);
    };
    expect(await isListed()).toBe(false);
    site.clock.moveOn(24 * 3_600_000);
    expect(await isListed()).toBe(true);
    await tellReminders(site.deps);
    await tellReminders(site.deps);
    const mails = await mailsTo(site, 'dana@example.org');
    expect(mails.filter(({ subject }) => subject.startsWith('Your reminder'))).toHaveLength(1);
  });
});
