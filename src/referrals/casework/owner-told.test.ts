import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../test/accounts/stored.ts';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { callerOf, findAccount, setLeave } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { escalateWatches } from '../escalation/escalate-watches.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';
import { remindOverdue } from '../overdue/remind-overdue.ts';
import { assignReferral } from './casework.ts';

// The owner of a referral hears of it before their colleagues do.

const fixture = await referralLifeFixture();
const { site, place, referrer, colleague, provider, operator, post, later, makeReferral } = fixture;
const ofService = { libraryOrganizationId: place.organizationId, name: place.organizationName };
const worker = await aTokenHolder(site.deps, { role: 'provider', organisation: ofService });

type ReferralInTest = { id: string; reference: string };
const day = 86_400_000;

async function assign(
  who: Holder,
  { id: referralId }: ReferralInTest,
  ownerId: string | null,
  seenOwnerId: string | null = [referrer, colleague].includes(who) ? referrer.id : null,
) {
  const caller = callerOf((await findAccount(site.deps.db, who.id))!, 'session');
  await assignReferral(site.deps, caller, { referralId, ownerId, seenOwnerId, ipAddress: '127.0.0.1' });
}

/** The subjects of the emails about a referral that each of them got so far, without the first about a new one. */
async function told(about: ReferralInTest, ...people: { email: string }[]): Promise<string[][]> {
  await sendNotifications(site.deps);
  const mailboxes: string[][] = [];
  for (const { email } of people) {
    const mails = (await mailsTo(site, email)).filter(({ text }) => text.includes(about.reference));
    const subjects = mails.map(({ subject }) => subject.split(/:| – /)[0]!);
    mailboxes.push(subjects.filter((subject) => subject !== 'You have a new referral').reverse());
  }
  return mailboxes;
}

describe('a colleague who becomes the owner of a referral', () => {
  it('is told by email, without a word about the person', async () => {
    const made = await makeReferral();
    await assign(referrer, made, colleague.id);
    expect(await told(made, colleague, referrer)).toEqual([['A referral was assigned to you'], []]);
    const [mail] = await mailsTo(site, colleague.email);
    expect(mail!.text).toContain(`http://localhost:8080/referrals/${made.id}`);
    for (const detail of ['Margaret', 'Person', place.serviceName]) expect(mail!.text).not.toContain(detail);
  });

  it('is not told if they took it themselves or chose no emails', async () => {
    const made = await makeReferral();
    await assign(colleague, made, colleague.id);
    const browser = plainBrowser(site.app);
    await browser.signIn(worker.email);
    await browser.post('/account/emails', { assigned: 'off' });
    await assign(provider, made, worker.id);
    expect(await told(made, colleague, worker)).toEqual([[], []]);
    await browser.post('/account/emails', {});
  });
});

describe('news of a referral that has an owner', () => {
  it('reach the owner of each side, and nobody else of it', async () => {
    const made = await makeReferral();
    await assign(worker, made, worker.id);
    await assign(colleague, made, colleague.id);
    await post(referrer, `/${made.id}/messages`, { text: 'Have you met her?' });
    await post(provider, `/${made.id}/messages`, { text: 'We rang.' });
    const message = ['You have a message about a referral'];
    expect(await told(made, worker, provider, colleague, referrer)).toEqual([message, [], message, []]);
  });

  it('reach the stand-in of an owner on leave, or else the others', async () => {
    const [away, alone] = [
      await aTokenHolder(site.deps, referring()),
      await aTokenHolder(site.deps, referring()),
    ];
    const made = await makeReferral();
    const another = await makeReferral();
    await assign(referrer, made, away.id);
    await assign(referrer, another, alone.id);
    await told(made);
    await goOnLeave(away, colleague.id);
    await disableAccount(site.deps.db, alone.id);
    for (const { id } of [made, another]) await post(provider, `/${id}/messages`, { text: 'We rang.' });
    const message = ['You have a message about a referral'];
    expect((await told(made, away, colleague, referrer)).map((each) => each.slice(-1))).toEqual([
      ['A referral was assigned to you'],
      message,
      [],
    ]);
    expect((await told(another, colleague, referrer)).map((each) => each.slice(-1))).toEqual([[], message]);
  });
});

describe('unseen news of a referral that has an owner', () => {
  it('are told to the owner, then to the others, then to operators', async () => {
    const made = await makeReferral();
    await assign(worker, made, worker.id);
    await post(referrer, `/${made.id}/messages`, { text: 'Have you met her?' });
    await told(made);
    const unread = async () =>
      (await told(made, worker, provider, operator)).map(
        (subjects) => subjects.filter((subject) => subject.startsWith('A message that nobody')).length,
      );
    const steps: number[][] = [];
    for (let step = 0; step < 3; step += 1) {
      await later(4 * day);
      await escalateWatches(site.deps);
      steps.push(await unread());
    }
    expect(steps).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]);
  });

  it('are told to the others if the owner transferred it', async () => {
    const { organizationId, organizationName } = place;
    const choir = await aService(site.deps, { serviceName: 'Choir', organizationId, organizationName });
    const made = await makeReferral({ urgency: 'urgent' });
    await assign(worker, made, provider.id);
    const transfer = { service_id: choir.serviceId, reason: 'She would rather sing.' };
    expect((await post(provider, `/${made.id}/transfer`, transfer, 1)).status).toBe(200);
    await later(4 * day);
    await escalateWatches(site.deps);
    expect((await told(made, worker))[0]).toContain('An urgent referral that nobody has opened');
  });
});

describe('an overdue referral that has an owner', () => {
  it('is told to the owner, then the service, then operators', async () => {
    const made = await makeReferral();
    await assign(provider, made, worker.id);
    await post(provider, `/${made.id}/accept`, {}, 1);
    const overdue = async () =>
      (await told(made, worker, provider, operator)).map(
        (subjects) => subjects.filter((subject) => subject.includes('accepted referral')).length,
      );
    const steps: number[][] = [];
    for (const days of [40, 10, 10]) {
      await later(days * day);
      await remindOverdue(site.deps);
      steps.push(await overdue());
    }
    expect(steps).toEqual([
      [1, 0, 0],
      [2, 1, 0],
      [3, 2, 1],
    ]);
  });

  it('is told to the others if the owner switched these emails off', async () => {
    const browser = plainBrowser(site.app);
    await browser.signIn(worker.email);
    await browser.post('/account/emails', { overdue: 'off' });
    const made = await makeReferral();
    await assign(provider, made, worker.id);
    await post(provider, `/${made.id}/accept`, {}, 1);
    await later(40 * day);
    await remindOverdue(site.deps);
    const subjects = (await told(made, provider))[0]!;
    expect(subjects.filter((subject) => subject.includes('accepted referral'))).toHaveLength(1);
  });
});

function referring() {
  return { organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' } };
}

function goOnLeave({ id }: Holder, standIn: string): Promise<unknown> {
  const today = site.clock.now().toISOString().slice(0, 10);
  const lastDay = new Date(site.clock.now().getTime() + 20 * day).toISOString().slice(0, 10);
  return setLeave(site.deps, siteActor, { id }, { firstDay: today, lastDay, standIn });
}
