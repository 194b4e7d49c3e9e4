import { describe, expect, it } from 'vitest';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { attachPdf } from '../../../test/referrals/attach-pdf.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { remindOverdue } from './remind-overdue.ts';

// The site never closes by itself an urgent referral, or one of somebody at risk, that nobody of the service has seen.

const fixture = await referralLifeFixture();
const { site, place, referrer, provider, operator, call, get, shown, post, later, makeReferral } = fixture;

type ReferralInTest = { id: string; reference: string };

const day = 86_400_000;
const atRisk = () => ({
  risk: 'yes',
  risk_acted_on: { who_was_told: 'adult social care', when: site.clock.now().toISOString() },
});

const inDanger = 'She says she will kill herself tonight.';

const statusOf = async ({ id }: ReferralInTest) => (await get(referrer, `/${id}`)).body.status;
const mailsAbout = async ({ email }: { email: string }, { reference }: ReferralInTest) =>
  (await mailsTo(site, email)).filter(({ text }) => text.includes(reference));
/** How many emails of an unopened referral each of them got. */
async function told(made: ReferralInTest): Promise<number[]> {
  const counts: number[] = [];
  for (const who of [provider, operator, referrer]) {
    const mails = await mailsAbout(who, made);
    counts.push(mails.filter(({ subject }) => subject.startsWith('Urgent: nobody')).length);
  }
  return counts;
}
const warned = async (made: ReferralInTest) =>
  (await mailsAbout(provider, made)).filter(({ subject }) => subject.includes('about to be declined')).length;

async function afterDays(days: number): Promise<void> {
  await later(days * day);
  await remindOverdue(site.deps);
  await remindOverdue(site.deps);
}

describe('a referral that nobody of the service has opened', () => {
  it.each([
    ['it is urgent', () => ({ urgency: 'urgent' })],
    ['somebody is at risk', atRisk],
    ['its words mention a crisis', () => ({ reasons: [{ text: 'She wants to die.' }] })],
  ])('stays open if %s; people are told, and told again', async (_, given) => {
    const made: ReferralInTest = await makeReferral(given());
    const routine: ReferralInTest = await makeReferral();
    await afterDays(22);
    expect([await told(made), await warned(made), await warned(routine)]).toEqual([[1, 1, 1], 0, 1]);
    await afterDays(9);
    expect([await statusOf(made), await statusOf(routine)]).toEqual(['requested', 'rejected']);
    expect(await told(made)).toEqual([2, 2, 2]);
    const [mail] = await mailsAbout(referrer, made);
    expect(mail!.text).toContain('Telephone the service, or find the person other help now.');
    for (const detail of [
      'Person',
      'wants to die',
      'adult social care',
      place.serviceName,
      place.organizationName,
    ])
      expect(mail!.text).not.toContain(detail);
  });

  it.each([
    [
      'a message',
      async ({ id }: ReferralInTest) => (await post(referrer, `/${id}/messages`, { text: inDanger })).body.id,
    ],
    [
      'what has changed',
      async ({ id }: ReferralInTest) =>
        (await post(referrer, `/${id}/things-have-changed`, { text: inDanger })).body.id,
    ],
    [
      'the name of a file',
      ({ id }: ReferralInTest) => attachPdf(site, referrer, id, 'she will kill herself tonight'),
    ],
  ])('is never closed by the site if words of a crisis are in %s', async (_, write) => {
    const made: ReferralInTest = await makeReferral();
    await write(made);
    await afterDays(22);
    expect([await told(made), await warned(made)]).toEqual([[1, 1, 1], 0]);
    const [mail] = (await mailsAbout(operator, made)).filter(({ subject }) =>
      subject.startsWith('Urgent: nobody'),
    );
    expect(mail!.subject).toMatch(/with a risk of harm/);
    await afterDays(14);
    expect(await statusOf(made)).toBe('requested');
  });

  it('stays open for a crisis told later, until that is read', async () => {
    const made: ReferralInTest = await makeReferral();
    await afterDays(22);
    expect(await warned(made)).toBe(1);
    await post(referrer, `/${made.id}/messages`, { text: inDanger });
    await afterDays(14);
    expect([await statusOf(made), (await told(made))[1]]).toEqual(['requested', 1]);
    const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };
    await (await signedInBrowser(site, { role: 'provider', organisation })).open(`/referrals/${made.id}`);
    await afterDays(0);
    await afterDays(14);
    expect([await statusOf(made), await warned(made)]).toEqual(['rejected', 2]);
  });

  it('is warned of once somebody has opened it, and then closed', async () => {
    const made: ReferralInTest = await makeReferral({ urgency: 'urgent' });
    await afterDays(40);
    expect((await shown(provider, `/${made.id}`)).status).toBe(200);
    await afterDays(1);
    expect([await statusOf(made), await warned(made)]).toEqual(['requested', 1]);
    await afterDays(14);
    expect([await statusOf(made), await told(made)]).toEqual(['rejected', [1, 1, 1]]);
  });

  it('stays open if it became urgent after the warning', async () => {
    const made: ReferralInTest = await makeReferral();
    await shown(provider, `/${made.id}`);
    await afterDays(22);
    expect(await warned(made)).toBe(1);
    const body = { urgency: 'urgent' };
    expect((await call(referrer, 'PATCH', `/${made.id}`, { body, version: 1 })).status).toBe(200);
    await afterDays(14);
    expect([await statusOf(made), (await told(made))[1]! > 0]).toEqual(['requested', true]);
    await shown(provider, `/${made.id}`);
    await afterDays(0);
    expect([await statusOf(made), await warned(made)]).toEqual(['requested', 2]);
  });

  it('is not told of once it was answered', async () => {
    const made: ReferralInTest = await makeReferral({ urgency: 'urgent' });
    await post(provider, `/${made.id}/accept`, {}, 1);
    await afterDays(40);
    expect(await told(made)).toEqual([0, 0, 0]);
  });
});
