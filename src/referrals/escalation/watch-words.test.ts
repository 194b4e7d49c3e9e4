import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';
import { escalateWatches } from './escalate-watches.ts';

// The service writes words of a crisis beside what it does. One email may be missed, so the site asks until somebody has read them.

const fixture = await referralLifeFixture();
const { site, place, referrer, provider, operator, get, shown, post, later, makeReferral, reason } = fixture;
const { organizationId, organizationName } = place;
const choir = await aService(site.deps, { serviceName: 'Choir', organizationId, organizationName });

type ReferralInTest = { id: string; reference: string };

const inDanger = 'She says she will kill herself tonight.';
const calm = 'She likes to sing.';
const workingDay = () => later(3 * 86_400_000);

async function told(about: ReferralInTest, ...people: { email: string }[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { email } of people) {
    const mails = (await mailsTo(site, email)).filter(
      ({ text, subject }) => text.includes(about.reference) && subject.includes('that nobody has read'),
    );
    counts.push(mails.length);
  }
  return counts;
}

const accepted = async (): Promise<ReferralInTest> => {
  const made = await makeReferral();
  await post(provider, `/${made.id}/accept`, {}, 1);
  return made;
};
const because = (text: string) => ({ status_reason: { code: 'other', text } });
const tomorrow = () => new Date(site.clock.now().getTime() + 86_400_000).toISOString();

/** What the service does, with a text; whether the referral has ended then. */
const doings: [string, { isEnd?: true }, (text: string) => Promise<ReferralInTest>][] = [
  [
    'an outcome',
    { isEnd: true },
    async (text) => {
      const made = await accepted();
      await post(provider, `/${made.id}/complete`, { outcome: { code: 'goals-met', text } }, 2);
      return made;
    },
  ],
  [
    'why it failed',
    { isEnd: true },
    async (text) => {
      const made = await accepted();
      await post(provider, `/${made.id}/fail`, because(text), 2);
      return made;
    },
  ],
  [
    'why it is declined',
    { isEnd: true },
    async (text) => {
      const made = await makeReferral();
      await post(provider, `/${made.id}/reject`, because(text), 1);
      return made;
    },
  ],
  [
    'why the person waits',
    {},
    async (text) => {
      const made = await accepted();
      await post(provider, `/${made.id}/hold`, because(text), 2);
      return made;
    },
  ],
  [
    'why the person still waits',
    {},
    async (text) => {
      const made = await accepted();
      await post(provider, `/${made.id}/hold`, because(calm), 2);
      await post(provider, `/${made.id}/change-wait`, because(text), 3);
      return made;
    },
  ],
  [
    'the reason for a transfer',
    {},
    async (text) => {
      const made = await accepted();
      await post(provider, `/${made.id}/transfer`, { service_id: choir.serviceId, reason: text }, 2);
      return made;
    },
  ],
  [
    'the place of an appointment',
    {},
    async (text) => {
      const made = await accepted();
      await post(provider, `/${made.id}/appointments`, { at: tomorrow(), kind: 'in-person', place: text });
      return made;
    },
  ],
  [
    'the note of a contact',
    {},
    async (text) => {
      const made = await accepted();
      await post(provider, `/${made.id}/contacts`, { kind: 'telephone', reached: true, note: text });
      return made;
    },
  ],
];

const endings = doings.filter(([, { isEnd }]) => isEnd);

describe('crisis words that the service writes with something else', () => {
  it.each(doings)('are told to the referrer’s side until somebody has read %s', async (_, __, act) => {
    const [unread, read, harmless] = [await act(inDanger), await act(inDanger), await act(calm)];
    await sendNotifications(site.deps);
    const urgent = (await mailsTo(site, referrer.email)).filter(({ subject }) =>
      /Urgent: news about .*today/.test(subject),
    );
    expect(urgent.some(({ text }) => text.includes(unread.reference))).toBe(true);
    await shown(provider, `/${unread.id}`);
    await get(referrer, `/${unread.id}`);
    await shown(referrer, `/${read.id}`);
    await workingDay();
    await escalateWatches(site.deps);
    for (const [made, count] of [
      [unread, 1],
      [read, 0],
      [harmless, 0],
    ] as const)
      expect(await told(made, referrer)).toEqual([count]);
    const mail = (await mailsTo(site, referrer.email)).find(({ subject }) =>
      subject.includes('that nobody has read'),
    )!;
    expect(mail.subject).toContain('(with a risk of harm)');
    expect(mail.text).not.toMatch(/kill|Person \d|Choir/);
    await workingDay();
    await escalateWatches(site.deps);
    await workingDay();
    await escalateWatches(site.deps);
    expect((await told(unread, operator))[0]).toBeGreaterThan(0);
  });

  it.each(endings)('give the referrer a row to confirm, where they are in %s', async (_, __, act) => {
    const [made, harmless] = [await act(inDanger), await act(calm)];
    await updatePrompts(site.deps);
    const kinds = async ({ id }: ReferralInTest) =>
      (await get(referrer, `/${id}`)).body.prompts.map(({ kind }: { kind: string }) => kind);
    expect(await kinds(made)).toContain('risk-to-act-on');
    expect(await kinds(harmless)).not.toContain('risk-to-act-on');
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const browser = await signedInBrowser(site, { role: 'referrer', organisation });
    const row = (await browser.open('/referrals?view=made')).page
      .querySelectorAll('tbody tr')
      .find(({ textContent }) => textContent.includes(made.reference));
    expect(row?.textContent).toContain('Risk');
    const { text } = await browser.open(`/referrals/${made.id}`);
    expect(text).toContain('What was written when the referral ended may tell of somebody in danger');
  });

  it('mark it as a risk for those to whom it is transferred', async () => {
    const newTeam = await signedInBrowser(site, {
      role: 'provider',
      organisation: { name: organizationName, libraryOrganizationId: organizationId },
    });
    await sendNotifications(site.deps);
    const made = await accepted();
    await post(provider, `/${made.id}/transfer`, { service_id: choir.serviceId, reason: inDanger }, 2);
    await sendNotifications(site.deps);
    const mail = (await mailsTo(site, newTeam.email)).find(
      ({ text, subject }) => text.includes(made.reference) && subject.includes('new referral'),
    )!;
    expect(mail.subject).toContain('(with a risk of harm)');
    const rows = (await newTeam.open('/referrals?view=received')).page.querySelectorAll('tbody tr');
    const row = rows.find(({ textContent }) => textContent.includes(made.reference));
    expect(row?.textContent).toContain('Risk');
    const { text } = await newTeam.open(`/referrals/${made.id}`);
    expect(text).toContain('Words of a crisis are in why it was transferred: read it.');
  });
});

describe('words of a crisis with which the referrer withdraws', () => {
  it('are told to the service until somebody there has opened it', async () => {
    const made = await accepted();
    await post(referrer, `/${made.id}/cancel`, because(inDanger), 2);
    const other = await accepted();
    await post(referrer, `/${other.id}/cancel`, reason, 2);
    await workingDay();
    await escalateWatches(site.deps);
    expect([await told(made, provider), await told(other, provider)]).toEqual([[1], [0]]);
  });
});
