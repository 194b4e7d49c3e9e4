import { describe, expect, it } from 'vitest';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { attachPdf } from '../../../test/referrals/attach-pdf.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';
import { escalateWatches } from './escalate-watches.ts';

// Somebody at risk of harm is referred as routine. The days go by from one story to the next.

const fixture = await referralLifeFixture();
const { site, place, referrer, provider, operator, call, get, shown, post, later, makeReferral } = fixture;

type ReferralInTest = { id: string; reference: string };

const goTo = (moment: string) => later(Date.parse(moment) - site.clock.now().getTime());
async function runAt(moment: string): Promise<void> {
  await goTo(moment);
  await escalateWatches(site.deps);
}

/** How many emails that nobody has opened or read it each of them got. */
async function told(about: ReferralInTest, ...people: { email: string }[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { email } of people) {
    const mails = await mailsTo(site, email);
    counts.push(
      mails.filter(({ text, subject }) => text.includes(about.reference) && subject.includes('nobody'))
        .length,
    );
  }
  return counts;
}

const atRisk = {
  risk: 'yes',
  risk_acted_on: { who_was_told: 'adult social care', when: '2026-11-20T10:00:00Z' },
};
const inCrisis = {
  risk: 'no',
  reasons: [{ text: 'He took an overdose yesterday and wants to die.' }],
};

describe('a routine referral of somebody in danger', () => {
  it.each([
    ['a risk that was acted on', atRisk, '2026-12-01'],
    ['words of a crisis', inCrisis, '2026-12-02'],
  ])('is watched as an urgent one with %s', async (_, given, day) => {
    await goTo(`${day}T10:00:00Z`);
    const made: ReferralInTest = await makeReferral(given);
    await runAt(`${day}T13:59:59Z`);
    expect(await told(made, provider, operator)).toEqual([0, 0]);
    await runAt(`${day}T14:00:00Z`);
    expect(await told(made, provider, operator)).toEqual([1, 0]);
    await runAt(`${day}T23:00:00Z`);
    const next = new Date(Date.parse(`${day}T10:00:00Z`) + 86_400_000).toISOString();
    await runAt(next);
    expect(await told(made, provider, operator)).toEqual([1, 1]);
    const mail = (await mailsTo(site, provider.email)).find(
      ({ text, subject }) => text.includes(made.reference) && subject.includes('nobody'),
    )!;
    expect(mail.subject).toContain('A referral that nobody has opened (with a risk of harm)');
    for (const detail of ['Person', 'overdose', 'adult social care', place.serviceName])
      expect(mail.text).not.toContain(detail);
    expect((await get(referrer, `/${made.id}`)).body.urgency, 'nobody changed it').toBe('routine');
  });

  it('is not told of once a person of the service has opened it', async () => {
    await goTo('2026-12-07T10:00:00Z');
    const made: ReferralInTest = await makeReferral(atRisk);
    await shown(provider, `/${made.id}`);
    await runAt('2026-12-08T10:00:00Z');
    expect(await told(made, provider, operator)).toEqual([0, 0]);
  });

  it('is watched while a correction tells of the danger', async () => {
    await goTo('2026-12-09T10:00:00Z');
    const danger = { safety_notes: 'He says that he wants to die.' };
    const [worse, better]: ReferralInTest[] = [await makeReferral(), await makeReferral(danger)];
    const correct = (made: ReferralInTest, body: object) =>
      call(referrer, 'PATCH', `/${made.id}`, { body, version: 1 });
    expect((await correct(worse!, danger)).status).toBe(200);
    expect(
      (await correct(better!, { safety_notes: null, reason: 'It was said of somebody else.' })).status,
    ).toBe(200);
    await runAt('2026-12-09T14:00:00Z');
    expect([await told(worse!, provider), await told(better!, provider)]).toEqual([[1], [0]]);
  });

  it('is first in the service’s list, as a risk, until opened', async () => {
    await goTo('2026-12-10T10:00:00Z');
    const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };
    const browser = await signedInBrowser(site, { role: 'provider', organisation });
    const made: ReferralInTest = await makeReferral(atRisk);
    const later1: ReferralInTest = await makeReferral();
    await makeReferral({ urgency: 'urgent' });
    const rows = async (path = '/referrals?view=received') =>
      (await browser.open(path)).page.querySelectorAll('tbody tr').map(({ textContent }) => textContent);
    for (const path of ['/referrals?view=received', '/referrals?view=received&tab=unanswered']) {
      const listed = await rows(path);
      const place = listed.findIndex((row) => row.includes(made.reference));
      expect(place, path).toBeLessThan(listed.findIndex((row) => row.includes(later1.reference)));
      expect(
        listed.slice(0, place + 1).every((row) => row.includes('Risk')),
        path,
      ).toBe(true);
      expect(listed[place]).toMatch(/Not opened yet\s+Risk/);
    }
    expect((await rows()).find((row) => row.includes(later1.reference))).not.toContain('Risk');
    expect(await rows('/referrals?view=received&urgent=yes')).not.toContainEqual(
      expect.stringContaining(made.reference),
    );
    await browser.open(`/referrals/${made.id}`);
    const opened = (await rows()).find((row) => row.includes(made.reference));
    expect(opened).toContain('Risk');
    expect(opened).not.toContain('Not opened yet');
    expect((await rows())[0]).not.toContain(made.reference);
  });

  it('has an email of its own, without a word of the person', async () => {
    await sendNotifications(site.deps);
    const made: ReferralInTest = await makeReferral(atRisk);
    const crisis: ReferralInTest = await makeReferral({ ...inCrisis, urgency: 'urgent' });
    await makeReferral();
    await sendNotifications(site.deps);
    const mails = await mailsTo(site, provider.email);
    const about = ({ reference }: ReferralInTest) =>
      mails.find(({ subject }) => subject.includes(reference))!;
    expect(about(made).subject).toContain('You have a new referral (with a risk of harm)');
    expect(about(crisis).subject).toContain('Urgent: you have a new referral (with a risk of harm)');
    for (const detail of ['Person', 'overdose', 'adult social care', place.serviceName])
      expect(about(made).text + about(crisis).text).not.toContain(detail);
  });
});

describe('a crisis in what is written after the referral was sent', () => {
  it.each([
    ['message', 'messages', '2026-12-14'],
    ['change of the person’s life', 'things-have-changed', '2026-12-15'],
  ])('is watched at the pace of an urgent referral in a %s', async (_, path, day) => {
    await goTo(`${day}T09:30:00Z`);
    const made: ReferralInTest = await makeReferral();
    const calm: ReferralInTest = await makeReferral();
    await shown(provider, `/${made.id}`);
    await shown(provider, `/${calm.id}`);
    await goTo(`${day}T10:00:00Z`);
    await post(referrer, `/${made.id}/${path}`, { text: 'She is going to kill herself tonight.' });
    await post(referrer, `/${calm.id}/${path}`, { text: 'She has moved house.' });
    await runAt(`${day}T14:00:00Z`);
    expect([await told(made, provider), await told(calm, provider)]).toEqual([[1], [0]]);
    const browser = await signedInBrowser(site, {
      role: 'provider',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    });
    const rows = (await browser.open('/referrals?view=received')).page.querySelectorAll('tbody tr');
    const row = rows.find(({ textContent }) => textContent.includes(made.reference));
    expect(row?.textContent).toContain('Risk');
  });
});

describe('a file whose name tells of a crisis', () => {
  const attach = (id: string, name: string) => attachPdf(site, referrer, id, name);
  const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };

  it('is watched until a person of the other side has opened it', async () => {
    await goTo('2026-12-16T09:30:00Z');
    const [made, opened, calm]: ReferralInTest[] = [
      await makeReferral(),
      await makeReferral(),
      await makeReferral(),
    ];
    for (const each of [made!, opened!, calm!]) await shown(provider, `/${each.id}`);
    await goTo('2026-12-16T10:00:00Z');
    await attach(made!.id, 'Her suicide note');
    const read = await attach(opened!.id, 'Her suicide note');
    await attach(calm!.id, 'Letter of the council');
    const browser = await signedInBrowser(site, { role: 'provider', organisation });
    const rows = async () =>
      (await browser.open('/referrals?view=received')).page.querySelectorAll('tbody tr');
    const listed = (await rows()).map(({ textContent }) => textContent);
    const placeOf = ({ reference }: ReferralInTest) => listed.findIndex((row) => row.includes(reference));
    for (const each of [made!, opened!]) {
      expect(listed[placeOf(each)]).toContain('Risk');
      expect(placeOf(each)).toBeLessThan(placeOf(calm!));
      expect(listed.slice(0, placeOf(each)).every((row) => /Risk|Urgent/.test(row))).toBe(true);
    }
    // A program that fetches it is no person who has seen it.
    await get(provider, `/${made!.id}/attachments`);
    await get(provider, `/${opened!.id}/attachments/${read}`);
    await browser.open(`/referrals/${opened!.id}/attachments/${read}`);
    await runAt('2026-12-16T14:00:00Z');
    expect(await told(made!, provider)).toEqual([1]);
    expect(await told(opened!, provider)).toEqual([0]);
    expect(await told(calm!, provider)).toEqual([0]);
    const mail = (await mailsTo(site, provider.email)).find(
      ({ subject, text }) => subject.includes('file') && text.includes(made!.reference),
    )!;
    expect(mail.subject).toContain('A file that nobody has opened (with a risk of harm)');
    expect(mail.subject + mail.text).not.toMatch(/suicide/i);
  });

  it('is watched from the day on which the draft with it is sent', async () => {
    await goTo('2026-12-17T10:00:00Z');
    const draft: ReferralInTest & { version: number } = await makeReferral({ status: 'draft' });
    await attach(draft.id, 'Her suicide note');
    expect((await post(referrer, `/${draft.id}/request`, {}, draft.version)).status).toBe(200);
    await runAt('2026-12-17T14:00:00Z');
    expect(await told(draft, provider)).toEqual([1]);
  });

  it('is no longer watched once it is removed', async () => {
    await goTo('2026-12-18T10:00:00Z');
    const made: ReferralInTest = await makeReferral();
    const file = await attach(made.id, 'Her suicide note');
    await post(referrer, `/${made.id}/attachments/${file}/remove`, {
      reason: { code: 'about-somebody-else', text: 'A letter of another patient.' },
    });
    await runAt('2026-12-18T14:00:00Z');
    expect(await told(made, provider)).toEqual([0]);
  });
});
