import { describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { disableAccount, setLeave } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { remindOverdue } from '../overdue/remind-overdue.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';
import { escalateWatches } from './escalate-watches.ts';

// While somebody is on leave, somebody else is told in their place.

const fixture = await referralLifeFixture();
const { site, operator, post, get, later, aPerson } = fixture;

type ReferralInTest = { id: string; reference: string };

const day = 86_400_000;
const dayAfter = (days: number) =>
  new Date(site.clock.now().getTime() + days * day).toISOString().slice(0, 10);
/** On leave from today, for a month. */
const goOnLeave = (who: Holder, standIn = '') =>
  setLeave(site.deps, siteActor, { id: who.id }, { firstDay: dayAfter(0), lastDay: dayAfter(30), standIn });

/** How many emails about a referral each of them got. */
async function told(about: ReferralInTest, ...people: { email: string }[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { email } of people) {
    const mails = await mailsTo(site, email);
    counts.push(mails.filter(({ text }) => text.includes(about.reference)).length);
  }
  return counts;
}

let teams = 0;
/** People of one new organisation that makes referrals. */
async function aTeam(count: number): Promise<Holder[]> {
  teams += 1;
  const organisation = { name: `Team ${teams}` };
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      aTokenHolder(site.deps, { organisation, name: `Colleague ${index + 1}` }),
    ),
  );
}

/** A referral about which the service has written something that nobody of the referrer's side reads. */
async function anUnreadMessage(referrer: Holder): Promise<ReferralInTest> {
  const { body: made } = await post(referrer, '', aPerson());
  await post(fixture.provider, `/${made.id}/messages`, { text: 'Can you ring us?' });
  return made;
}

async function watchAfterWorkingDay(): Promise<void> {
  await later(4 * day);
  await escalateWatches(site.deps);
}

describe('a message for somebody on leave', () => {
  it('is told to the stand-in, and then to a colleague at work', async () => {
    const [away, standIn, deputyAway, deputy] = (await aTeam(4)) as [Holder, Holder, Holder, Holder];
    await goOnLeave(away, standIn.id);
    await goOnLeave(deputyAway, deputy.id);
    const made = await anUnreadMessage(away);
    await watchAfterWorkingDay();
    expect(await told(made, away, standIn, deputyAway, deputy)).toEqual([0, 1, 0, 0]);
    await watchAfterWorkingDay();
    expect(await told(made, away, standIn, deputyAway, deputy, operator)).toEqual([0, 1, 0, 1, 0]);
    await watchAfterWorkingDay();
    expect(await told(made, away, deputyAway, operator)).toEqual([0, 0, 1]);
  });

  it('goes to operators if nobody else is in the organisation', async () => {
    const [last] = (await aTeam(1)) as [Holder];
    await goOnLeave(last);
    const made = await anUnreadMessage(last);
    await watchAfterWorkingDay();
    expect(await told(made, last, operator)).toEqual([0, 1]);
  });

  it('is told to the person once they are back', async () => {
    const [back, standIn] = (await aTeam(2)) as [Holder, Holder];
    const made = await anUnreadMessage(back);
    await goOnLeave(back, standIn.id);
    await later(31 * day);
    await escalateWatches(site.deps);
    expect(await told(made, back, standIn)).toEqual([1, 0]);
  });
});

describe('a service whose staff are all on leave', () => {
  it('has its urgent and overdue referrals told to the operators', async () => {
    const place = await aService(site.deps);
    const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };
    const only = await aTokenHolder(site.deps, { role: 'provider', organisation });
    await goOnLeave(only);
    const { body: made } = await post(fixture.referrer, '', aPerson(place.serviceId, { urgency: 'urgent' }));
    await watchAfterWorkingDay();
    expect(await told(made, only, operator)).toEqual([0, 1]);
    await later(10 * day);
    await remindOverdue(site.deps);
    expect(await told(made, only, operator)).toEqual([0, 2]);
    const mails = (await mailsTo(site, operator.email)).filter(({ text }) => text.includes(made.reference));
    const reminder = mails.find(({ subject }) =>
      subject.startsWith('Urgent: 1 referral waits for an answer'),
    )!;
    expect(reminder.text).toContain('Everybody of the service is on leave: telephone the service.');
    expect(reminder.text).not.toContain('your service');
  });
});

describe('a prompt about what a referral has lost', () => {
  it('goes to the stand-in, and back to the owner after the leave', async () => {
    const [away, standIn] = (await aTeam(2)) as [Holder, Holder];
    const place = await aService(site.deps);
    const { body: made } = await post(away, '', aPerson(place.serviceId));
    await aService(site.deps, { ...place, status: 'inactive' });
    await goOnLeave(away, standIn.id);
    await updatePrompts(site.deps);
    const owner = async () => (await get(operator, `/${made.id}`)).body.prompts[0].owner.name;
    expect([await owner(), await told(made, away, standIn)]).toEqual(['Colleague 2', [0, 1]]);
    await later(31 * day);
    await updatePrompts(site.deps);
    expect([await owner(), await told(made, away, standIn)]).toEqual(['Colleague 1', [1, 1]]);
  });
});

describe('a stand-in whose account is disabled', () => {
  it('is passed over for the next colleague, and then operators', async () => {
    const [away, standIn, deputy] = (await aTeam(3)) as [Holder, Holder, Holder];
    await goOnLeave(away, standIn.id);
    await disableAccount(site.deps, siteActor, { id: standIn.id });
    const place = await aService(site.deps);
    const { body: made } = await post(away, '', aPerson(place.serviceId));
    await aService(site.deps, { ...place, status: 'inactive' });
    await updatePrompts(site.deps);
    expect(await told(made, away, standIn, deputy, operator)).toEqual([0, 0, 1, 0]);
    await disableAccount(site.deps, siteActor, { id: deputy.id });
    await updatePrompts(site.deps);
    expect(await told(made, away, standIn, deputy, operator)).toEqual([0, 0, 1, 1]);
    const mails = (await mailsTo(site, operator.email)).filter(({ text }) => text.includes(made.reference));
    expect(mails.at(-1)!.text).not.toContain('can sign in');
  });
});
