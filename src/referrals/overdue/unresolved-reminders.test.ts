import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../test/accounts/stored.ts';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { setChannels } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { callerOf, findAccount } from '../../accounts/index.ts';
import { escalateWatches } from '../escalation/escalate-watches.ts';
import { countReasonsToAct } from '../listing/worklist/list-work.ts';
import { remindOverdue } from './remind-overdue.ts';
import { updatePrompts } from './update-prompts.ts';

// What nobody acts on is told again, and to somebody else. The days go by from one story to the next.

const fixture = await referralLifeFixture();
const { site, referrer, colleague, provider, operator } = fixture;
const { get, post, later, aPerson, makeReferral, reason } = fixture;

type ReferralInTest = { id: string; reference: string };

const goTo = (moment: string) => later(Date.parse(moment) - site.clock.now().getTime());

/** At this moment the jobs run. */
async function runAt(moment: string): Promise<void> {
  await goTo(moment);
  await updatePrompts(site.deps);
  await escalateWatches(site.deps);
  await remindOverdue(site.deps);
}

/** How many emails about a referral with these words in the subject each of them got so far. */
async function told(about: ReferralInTest, words: string, ...people: { email: string }[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { email } of people) {
    const mails = (await mailsTo(site, email)).filter(({ subject }) => subject.includes(words));
    counts.push(mails.filter(({ text }) => text.includes(about.reference)).length);
  }
  return counts;
}

const ownersOf = async (who: Holder, { id }: ReferralInTest): Promise<string[]> =>
  (await get(who, `/${id}`)).body.prompts.map(
    ({ kind, owner }: { kind: string; owner: object | null }) => `${kind}: ${owner ? 'owned' : 'operators'}`,
  );
/** How many referrals need attention because of a reported death. */
const countReportedDeaths = async ({ id }: Holder) => {
  const caller = callerOf((await findAccount(site.deps.db, id))!, 'session');
  const count = async (list: 'made' | 'received') =>
    (await countReasonsToAct(site.deps, caller, { list })).get('reported-death') ?? 0;
  return { made: await count('made'), received: await count('received') };
};

describe('a reported death that nobody settles', () => {
  const words = 'nobody has settled it';

  it('gives both sides an owner, and reaches operators last', async () => {
    await goTo('2026-11-30T10:00:00Z');
    const made: ReferralInTest = await makeReferral();
    const before = await countReportedDeaths(provider);
    await post(provider, `/${made.id}/died`, { told_by: 'Her daughter' });
    await runAt('2026-11-30T10:01:00Z');
    expect(await ownersOf(referrer, made)).toEqual(['death-reported: owned']);
    expect((await countReportedDeaths(referrer)).made).toBe(1);
    expect((await countReportedDeaths(provider)).received).toBe(before.received + 1);
    expect(await told(made, words, referrer, provider, operator)).toEqual([0, 0, 0]);
    await runAt('2026-12-01T10:00:00Z');
    expect(await told(made, words, referrer, provider, operator)).toEqual([1, 1, 0]);
    await runAt('2026-12-02T10:00:00Z');
    await runAt('2026-12-03T10:00:00Z');
    expect(await told(made, words, colleague, operator)).toEqual([1, 2]);
    const [mail] = await mailsTo(site, referrer.email);
    expect(mail!.text).not.toMatch(/daughter|Margaret/);
  });

  it('is not told again once somebody said that it was a mistake', async () => {
    const made: ReferralInTest = await makeReferral();
    await post(provider, `/${made.id}/died`, { told_by: 'Her daughter' });
    await post(provider, `/${made.id}/died/undo`);
    await runAt('2026-12-07T10:00:00Z');
    expect(await told(made, words, referrer, provider)).toEqual([0, 0]);
    expect(await ownersOf(referrer, made)).toEqual([]);
  });
});

describe('a referral that ended without help', () => {
  const words = 'ended without help';

  it('is told again after five working days, and to more people', async () => {
    const [made, helped]: [ReferralInTest, ReferralInTest] = [await makeReferral(), await makeReferral()];
    for (const { id } of [made, helped]) await post(provider, `/${id}/reject`, reason, 1);
    await post(referrer, `/${helped.id}/seen-to`);
    await runAt('2026-12-14T09:59:00Z');
    expect(await told(made, words, referrer)).toEqual([0]);
    await runAt('2026-12-14T10:00:00Z');
    expect(await told(made, words, referrer, colleague, operator)).toEqual([1, 0, 0]);
    await runAt('2026-12-21T10:00:00Z');
    expect(await told(made, words, referrer, colleague, operator)).toEqual([1, 1, 0]);
    await runAt('2026-12-30T10:00:00Z');
    expect(await told(made, words, referrer, colleague, operator)).toEqual([1, 1, 1]);
    expect(await told(helped, words, referrer, colleague, operator)).toEqual([0, 0, 0]);
  });

  it('is not told to who ended it, or of somebody who died', async () => {
    const [own, died]: [ReferralInTest, ReferralInTest] = [await makeReferral(), await makeReferral()];
    await post(referrer, `/${own.id}/cancel`, reason, 1);
    await post(provider, `/${died.id}/reject`, { status_reason: { code: 'died', text: 'Her son rang.' } }, 1);
    await runAt('2027-01-18T10:00:00Z');
    expect([await told(own, words, referrer), await told(died, words, referrer)]).toEqual([[0], [0]]);
  });

  it('needs nobody once rerouted, unless the new one is withdrawn', async () => {
    const made: ReferralInTest = await makeReferral();
    const caller = callerOf((await findAccount(site.deps.db, referrer.id))!, 'session');
    const unhelped = async () =>
      (await countReasonsToAct(site.deps, caller, { list: 'made' })).get('unhelped') ?? 0;
    await post(provider, `/${made.id}/reject`, reason, 1);
    const before = await unhelped();
    const consent = { referral: true, share_with_gp: false };
    const again = { service_id: fixture.elsewhere.serviceId, consent, allow_duplicate: true };
    const { status, body } = await post(referrer, `/${made.id}/reroute`, again);
    expect([status, (await unhelped()) < before]).toEqual([201, true]);
    await post(referrer, `/${body.id}/withdraw-as-error`, {}, 1);
    expect(await unhelped()).toBe(before);
  });

  it('has another owner once its referrer has left', async () => {
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const leaver = await aTokenHolder(site.deps, { organisation, name: 'Lena Leaver' });
    const { body: made } = await post(leaver, '', aPerson());
    await post(provider, `/${made.id}/reject`, reason, 1);
    await disableAccount(site.deps.db, leaver.id);
    await runAt('2027-01-18T10:05:00Z');
    expect(await ownersOf(colleague, made)).toEqual(['referrer-left: owned']);
    await post(colleague, `/${made.id}/seen-to`);
    expect(await ownersOf(colleague, made)).toEqual([]);
    await runAt('2027-01-18T10:10:00Z');
    expect(await ownersOf(colleague, made)).toEqual([]);
  });
});

describe('a draft that is not sent', () => {
  const words = 'attention';
  const draft = async (who: Holder): Promise<ReferralInTest> =>
    (await post(who, '', aPerson(undefined, { status: 'draft' }))).body;

  it('is told to its maker after five working days, until sent', async () => {
    const made = await draft(referrer);
    expect((await get(referrer, `/${made.id}`)).body.status).toBe('draft');
    await runAt('2027-01-25T10:00:00Z');
    expect(await told(made, words, referrer)).toEqual([0]);
    await runAt('2027-01-25T10:15:00Z');
    expect(await told(made, words, referrer, colleague)).toEqual([1, 0]);
    expect(await ownersOf(referrer, made)).toEqual(['draft-waiting: owned']);
    await runAt('2027-02-01T10:20:00Z');
    expect(await told(made, words, referrer)).toEqual([2]);
    expect((await post(referrer, `/${made.id}/request`, {}, 1)).status).toBe(200);
    expect(await ownersOf(referrer, made)).toEqual([]);
  });

  it('is told to its maker at once if its service takes none', async () => {
    const closing = await aService(site.deps);
    const body = aPerson(closing.serviceId, { status: 'draft' });
    const { body: made } = await post(referrer, '', body);
    await setChannels(site.deps.db, closing.serviceId, { accepts: false, channels: ['inbox'] });
    await runAt('2027-02-01T10:25:00Z');
    expect(await ownersOf(referrer, made)).toEqual(['draft-waiting: owned']);
    const browser = plainBrowser(site.app);
    await browser.signIn(referrer.email);
    const { body: text } = await browser.get(`/referrals/${made.id}`);
    expect(text).toContain('This service takes no referrals here now: find another one');
    expect(text).not.toContain('Nothing is missing');
  });

  it('is told to a colleague if its author has left', async () => {
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const leaver = await aTokenHolder(site.deps, { organisation, name: 'Lena Leaver' });
    const made = await draft(leaver);
    await disableAccount(site.deps.db, leaver.id);
    await runAt('2027-02-01T10:30:00Z');
    const counts = await told(made, words, referrer, colleague);
    expect(counts.toSorted()).toEqual([0, 1]);
  });
});

describe('a next date that has passed', () => {
  it('is told every five working days, from the third to operators', async () => {
    await goTo('2027-02-08T10:00:00Z');
    const made: ReferralInTest = await makeReferral();
    await post(provider, `/${made.id}/accept`, {}, 1);
    const counts: number[][] = [];
    for (const day of ['2027-02-23', '2027-02-26', '2027-03-02', '2027-03-09', '2027-03-16']) {
      await runAt(`${day}T10:00:00Z`);
      counts.push(await told(made, 'overdue', provider, operator));
    }
    expect(counts).toEqual([
      [1, 0],
      [1, 0],
      [2, 0],
      [3, 1],
      [4, 2],
    ]);
    await post(provider, `/${made.id}/contacts`, { kind: 'telephone', reached: true });
    await runAt('2027-03-23T10:00:00Z');
    expect(await told(made, 'overdue', provider, operator)).toEqual([4, 2]);
  });
});
