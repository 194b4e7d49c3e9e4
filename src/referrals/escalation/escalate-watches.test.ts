import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../test/accounts/stored.ts';
import { anAccount, aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { auditedActions } from '../../../test/referrals/stored.ts';
import { escalateWatches } from './escalate-watches.ts';

// Urgent news reaches a person. The days go by from one story to the next.

const fixture = await referralLifeFixture();
const { site, place, elsewhere, referrer, colleague, provider, operator } = fixture;
const { call, get, shown, post, later, aPerson, makeReferral } = fixture;

type ReferralInTest = { id: string; reference: string };

/** At this moment the job runs, as it does every five minutes. */
async function runAt(moment: string): Promise<void> {
  await goTo(moment);
  await escalateWatches(site.deps);
}

const goTo = (moment: string) => later(Date.parse(moment) - site.clock.now().getTime());
const urgentOne = (): Promise<ReferralInTest> => makeReferral({ urgency: 'urgent' });

/** How many emails about a referral each of them got so far. */
async function told(about: ReferralInTest, ...people: { email: string }[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { email } of people) {
    const mails = await mailsTo(site, email);
    counts.push(mails.filter(({ text }) => text.includes(about.reference)).length);
  }
  return counts;
}

describe('an urgent referral that nobody opens', () => {
  it('is told to the service after 4 working hours, then operators', async () => {
    await goTo('2026-11-27T15:00:00Z');
    const made = await urgentOne();
    await runAt('2026-11-30T10:59:59Z');
    expect(await told(made, provider, operator)).toEqual([0, 0]);
    await goTo('2026-11-30T11:00:00Z');
    await Promise.all([escalateWatches(site.deps), escalateWatches(site.deps)]);
    expect(await told(made, provider, operator)).toEqual([1, 0]);
    await runAt('2026-11-30T14:59:59Z');
    expect(await told(made, provider, operator)).toEqual([1, 0]);
    await runAt('2026-11-30T15:00:00Z');
    await runAt('2026-12-01T15:00:00Z');
    expect(await told(made, provider, operator, referrer)).toEqual([1, 1, 0]);
    expect(await auditedActions(site.deps.db, made.id)).toEqual([
      'referral.requested',
      'referral.unseen_told',
      'referral.unseen_told',
    ]);
  });

  it('stands first for the referrer, as urgent and not opened', async () => {
    await goTo('2026-12-01T15:10:00Z');
    await makeReferral();
    const made = await urgentOne();
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const browser = await signedInBrowser(site, { role: 'referrer', organisation });
    const rowsOf = async (path: string) =>
      (await browser.open(path)).page.querySelectorAll('tbody tr').map(({ textContent }) => textContent);
    const listed = async () =>
      (await rowsOf('/referrals?view=made')).find((row) => row.includes(made.reference))!;
    expect(await listed()).toMatch(/Not opened yet\s+Urgent/);
    expect(await listed()).not.toContain('Telephone them');
    const tile = (await browser.open('/')).text.match(/(\d+) Need action/)?.[1];
    const onHome = await rowsOf('/');
    expect(onHome.some((row) => row.includes(made.reference))).toBe(false);
    expect(String(onHome.length)).toBe(tile);
    await goTo('2026-12-02T11:30:00Z');
    await browser.signIn();
    for (const path of [
      '/',
      '/referrals?view=made',
      '/referrals?view=made&tab=waiting',
      '/referrals?view=made&tab=unanswered',
    ])
      expect((await rowsOf(path))[0], path).toMatch(
        /Not delivered yet\s+Urgent[\s\S]*nobody at .* has opened it\. Telephone them/,
      );
    expect((await browser.open('/')).text).toMatch(/[1-9]\d* Urgent or at risk, not opened in time/);
    await shown(provider, `/${made.id}`);
    expect(await listed()).not.toContain('Not opened yet');
    const worse: ReferralInTest = await makeReferral();
    await post(referrer, `/${worse.id}/things-have-changed`, { text: 'She is worse.', urgency: 'urgent' });
    const rows = await rowsOf('/referrals?view=made');
    expect(rows.find((row) => row.includes(worse.reference))).toMatch(/Not opened yet\s+Urgent/);
  });

  it('is named by its reference and a link, and by nothing else', async () => {
    const made = await urgentOne();
    await runAt('2026-12-02T16:00:00Z');
    const subject = 'An urgent referral that nobody has opened – Onward test site';
    const mails = (await mailsTo(site, provider.email)).filter((each) => each.subject === subject);
    const mail = mails.find(({ text }) => text.includes(made.reference));
    expect(mail!.text).toContain(`http://localhost:8080/referrals/${made.id}`);
    for (const detail of ['Margaret', 'Person', 'lonely', place.serviceName, place.organizationName])
      expect(mail!.text).not.toContain(detail);
  });

  it('is told to operators at once if the service has nobody', async () => {
    const { body: made } = await post(referrer, '', aPerson(elsewhere.serviceId, { urgency: 'urgent' }));
    await runAt('2026-12-03T15:00:00Z');
    expect(await told(made, operator)).toEqual([1]);
    const organisation = {
      name: elsewhere.organizationName,
      libraryOrganizationId: elsewhere.organizationId,
    };
    const gone = await anAccount(site.deps, { role: 'provider', organisation });
    await disableAccount(site.deps.db, gone.id);
    const { body: another } = await post(referrer, '', aPerson(elsewhere.serviceId, { urgency: 'urgent' }));
    await runAt('2026-12-04T15:00:00Z');
    expect(await told(another, operator, gone)).toEqual([1, 0]);
  });

  it('is told to each person of the service who was not told', async () => {
    const made = await urgentOne();
    await runAt('2026-12-07T13:00:00Z');
    expect(await told(made, provider, operator)).toEqual([1, 0]);
    const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };
    const another = await anAccount(site.deps, { role: 'provider', organisation });
    await runAt('2026-12-08T13:00:00Z');
    expect(await told(made, provider, another, operator)).toEqual([1, 1, 0]);
    await runAt('2026-12-09T13:00:00Z');
    expect(await told(made, provider, another, operator)).toEqual([1, 1, 1]);
    await disableAccount(site.deps.db, another.id);
  });

  it('is told one step at a time after the site was away', async () => {
    await goTo('2026-12-10T10:00:00Z');
    const made = await urgentOne();
    await runAt('2026-12-14T23:00:00Z');
    await runAt('2026-12-15T12:59:59Z');
    expect(await told(made, provider, operator)).toEqual([1, 0]);
    await runAt('2026-12-15T13:00:00Z');
    expect(await told(made, provider, operator)).toEqual([1, 1]);
  });

  it.each([
    ['Christmas', '2026-12-24T16:00:00Z', '2026-12-29T12:00:00Z'],
    ['Easter and the clocks going forward', '2027-03-25T16:00:00Z', '2027-03-30T11:00:00Z'],
    ['the clocks going back', '2027-10-29T14:00:00Z', '2027-11-01T11:00:00Z'],
  ])('counts working hours over %s', async (_, madeAt, toldAt) => {
    await goTo(madeAt);
    const made = await urgentOne();
    await runAt(new Date(Date.parse(toldAt) - 1000).toISOString());
    expect(await told(made, provider)).toEqual([0]);
    await runAt(toldAt);
    expect(await told(made, provider)).toEqual([1]);
  });
});

describe('an email that cannot be queued', () => {
  it('keeps its referral for the next run, and stops no others', async () => {
    await runAt('2027-11-03T10:00:00Z');
    const [first, second] = [await urgentOne(), await urgentOne()];
    await goTo('2027-11-03T14:00:00Z');
    const failing: typeof site.deps = {
      ...site.deps,
      secrets: {
        ...site.deps.secrets,
        seal: (purpose, context, text) => {
          if (text.includes(first.reference)) throw new Error('it cannot be sealed');
          return site.deps.secrets.seal(purpose, context, text);
        },
      },
    };
    await expect(escalateWatches(failing)).rejects.toThrow('nobody could be told of unseen news: 1');
    expect([await told(first, provider), await told(second, provider)]).toEqual([[0], [1]]);
    await escalateWatches(site.deps);
    expect([await told(first, provider), await told(second, provider)]).toEqual([[1], [1]]);
  });
});

describe('an urgent referral while the site can send no email', () => {
  it('is not told to anybody, and each step stays due', async () => {
    await goTo('2027-11-04T10:00:00Z');
    const made = await urgentOne();
    await goTo('2027-11-04T14:00:00Z');
    const { settings } = site.deps;
    await escalateWatches({ ...site.deps, settings: { ...settings, mode: 'live', smtpUrl: undefined } });
    expect(await auditedActions(site.deps.db, made.id)).toEqual(['referral.requested']);
    await escalateWatches(site.deps);
    expect(await told(made, provider, operator)).toEqual([1, 0]);
  });
});

describe('an urgent referral while the site has nobody to tell', () => {
  it('is kept, fails loudly, and is told once there is an operator', async () => {
    const alone = await makeApp();
    const lonely = await aService(alone.deps);
    const { headers } = await aTokenHolder(alone.deps);
    const payload = aReferral(lonely.serviceId, { urgency: 'urgent' });
    const url = '/api/referrals';
    const { reference } = (await alone.app.inject({ method: 'POST', url, headers, payload })).json();
    alone.clock.moveOn(7 * 86_400_000);
    await expect(escalateWatches(alone.deps)).rejects.toThrow('nobody could be told of unseen news: 1');
    const first = await anAccount(alone.deps, { role: 'operator' });
    await escalateWatches(alone.deps);
    const mails = await mailsTo(alone, first.email);
    expect(mails.filter(({ text }) => text.includes(reference))).toHaveLength(1);
    await alone.close();
  });
});

describe('an urgent referral that somebody opened', () => {
  it('is seen by name on both sides, and nobody is told', async () => {
    await goTo('2027-11-08T10:00:00Z');
    const { id, reference, seen } = await makeReferral({ urgency: 'urgent' });
    expect(seen).toBeNull();
    expect((await get(referrer, `/${id}`)).body.seen).toBeNull();
    expect((await get(operator, `/${id}`)).body.seen).toBeNull();
    site.clock.moveOn(60_000);
    const at = site.clock.now().toISOString();
    const first = (await shown(provider, `/${id}`)).body;
    expect(first).toMatchObject({ version: 1, seen: { at, by: { name: 'Test Person' } } });
    site.clock.moveOn(60_000);
    await shown(provider, `/${id}`);
    expect((await get(referrer, `/${id}`)).body.seen).toEqual(first.seen);
    await runAt('2027-11-10T10:00:00Z');
    expect(await told({ id, reference }, provider, operator)).toEqual([0, 0]);
  });

  it('is not seen by a program that reads it with a person’s key', async () => {
    const made = await urgentOne();
    await get(provider, `/${made.id}`);
    expect((await get(provider, `/${made.id}/history`)).status).toBe(200);
    expect((await get(referrer, `/${made.id}`)).body.seen).toBeNull();
    await runAt('2027-11-11T10:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
    await post(provider, `/${made.id}/messages`, { text: 'We ring her today.' });
    await runAt('2027-11-11T16:00:00Z');
    expect((await get(referrer, `/${made.id}`)).body.seen.by.name).toBe('Test Person');
    expect(await told(made, provider, operator)).toEqual([1, 0]);
  });

  it('is told to nobody once it was answered or cancelled', async () => {
    const made = await urgentOne();
    const { body } = await post(provider, `/${made.id}/accept`, {}, 1);
    expect(body.seen).toMatchObject({ by: { name: 'Test Person' } });
    const cancelled = await urgentOne();
    await post(referrer, `/${cancelled.id}/cancel`, fixture.reason, 1);
    await runAt('2027-11-12T10:00:00Z');
    expect([await told(made, provider), await told(cancelled, provider)]).toEqual([[0], [0]]);
  });
});

describe('an urgent referral that was routine at first', () => {
  it('is told to the service four hours after it became urgent', async () => {
    const routine: ReferralInTest = await makeReferral();
    await goTo('2027-11-15T10:00:00Z');
    const change = { text: 'She is worse.', urgency: 'urgent' };
    await post(referrer, `/${routine.id}/things-have-changed`, change);
    await runAt('2027-11-15T14:00:00Z');
    expect(await told(routine, provider)).toEqual([1]);
  });
});

describe('an urgent referral that is made routine', () => {
  it('is told to the service all the same while unopened', async () => {
    await goTo('2027-11-15T15:00:00Z');
    const made = await urgentOne();
    const reason = 'The crisis team has seen her.';
    const lowered = await call(referrer, 'PATCH', `/${made.id}`, {
      version: 1,
      body: { urgency: 'routine', reason },
    });
    expect(lowered.status).toBe(200);
    await runAt('2027-11-16T11:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
    const [mail] = await mailsTo(site, provider.email);
    expect(mail!.subject).toContain('A referral that nobody has opened');
  });
});

describe('a referral that the service had opened', () => {
  const correct = async (made: ReferralInTest, body: object) => {
    const { version } = (await get(referrer, `/${made.id}`)).body;
    const answer = await call(referrer, 'PATCH', `/${made.id}`, { version, body });
    expect(answer.status).toBe(200);
  };
  const unsafe = { channel: 'phone', safe: 'no', voicemail: false, who_must_not_know: 'Her husband' };

  it('is watched again once urgent, until somebody sees that', async () => {
    await goTo('2027-11-15T15:00:00Z');
    const made: ReferralInTest = await makeReferral();
    await post(provider, `/${made.id}/accept`, {}, 1);
    await correct(made, { urgency: 'urgent' });
    await runAt('2027-11-16T10:59:00Z');
    expect(await told(made, provider)).toEqual([0]);
    await runAt('2027-11-16T11:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
    await shown(provider, `/${made.id}`);
    await runAt('2027-11-16T16:00:00Z');
    expect(await told(made, provider, operator)).toEqual([1, 0]);
  });

  it('is watched once it is not safe to contact the person', async () => {
    const [made, ended]: [ReferralInTest, ReferralInTest] = [await makeReferral(), await makeReferral()];
    await shown(provider, `/${made.id}`);
    await correct(made, { contact: unsafe });
    await correct(ended, { contact: unsafe });
    await post(referrer, `/${ended.id}/cancel`, fixture.reason, 2);
    await runAt('2027-11-17T16:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
    expect(await told(ended, provider)).toEqual([0]);
    const [mail] = await mailsTo(site, provider.email);
    expect(mail!.subject).toContain('A referral was corrected, and nobody has seen that');
    expect(mail!.text).not.toContain('husband');
    await get(provider, `/${made.id}`);
    await runAt('2027-11-18T16:00:00Z');
    expect(await told(made, provider, operator)).toEqual([1, 1]);
  });

  it('has a change that makes it urgent chased after 4 hours', async () => {
    await goTo('2027-11-19T10:00:00Z');
    const made: ReferralInTest = await makeReferral();
    await shown(provider, `/${made.id}`);
    const change = { text: 'She is worse.', urgency: 'urgent' };
    await post(referrer, `/${made.id}/things-have-changed`, change);
    await runAt('2027-11-19T14:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
    await shown(provider, `/${made.id}`);
    await runAt('2027-11-22T10:00:00Z');
    expect(await told(made, provider, operator)).toEqual([1, 1]);
  });
});

describe('a message that nobody reads', () => {
  const write = (who: Holder, { id }: ReferralInTest, text = 'Can you ring us?') =>
    post(who, `/${id}/messages`, { text });

  it('is told to the referrer, to a colleague and to operators', async () => {
    await goTo('2027-11-23T10:00:00Z');
    const made: ReferralInTest = await makeReferral();
    await write(provider, made);
    await write(provider, made);
    await runAt('2027-11-24T09:59:59Z');
    expect(await told(made, referrer, colleague, operator)).toEqual([0, 0, 0]);
    await runAt('2027-11-24T10:00:00Z');
    expect(await told(made, referrer, colleague, operator)).toEqual([1, 0, 0]);
    const [mail] = await mailsTo(site, referrer.email);
    expect(mail!.subject).toContain('2 messages that nobody has read');
    expect(mail!.text).not.toContain('ring');
    await runAt('2027-11-25T10:00:00Z');
    expect(await told(made, referrer, colleague, operator)).toEqual([1, 1, 0]);
    await runAt('2027-11-26T10:00:00Z');
    await runAt('2027-11-29T10:00:00Z');
    expect(await told(made, referrer, colleague, operator)).toEqual([1, 1, 1]);
  });

  it('is told to nobody else once somebody of the side has read it', async () => {
    const made: ReferralInTest = await makeReferral();
    await write(provider, made);
    await shown(provider, `/${made.id}/messages`);
    await runAt('2027-11-30T10:00:00Z');
    expect(await told(made, referrer, colleague)).toEqual([1, 0]);
    await get(colleague, `/${made.id}/messages`);
    await shown(colleague, `/${made.id}/messages`);
    await runAt('2027-12-01T10:00:00Z');
    expect(await told(made, referrer, colleague, operator)).toEqual([1, 0, 0]);
  });

  it('is told to the service, and stays unread after the end', async () => {
    const made: ReferralInTest = await makeReferral();
    await post(provider, `/${made.id}/accept`, {}, 1);
    await post(provider, `/${made.id}/fail`, fixture.reason, 2);
    const { body } = await write(referrer, made);
    await runAt('2027-12-02T10:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
    await shown(provider, `/${made.id}/messages/${body.id}`);
    await runAt('2027-12-03T10:00:00Z');
    expect(await told(made, provider, operator)).toEqual([1, 0]);
  });

  it('waits while the referral is restricted', async () => {
    const made: ReferralInTest = await makeReferral();
    await write(referrer, made);
    await post(operator, `/${made.id}/restrict`, { reason: 'They asked for it in writing.' });
    await runAt('2027-12-06T10:00:00Z');
    expect(await told(made, provider)).toEqual([0]);
    await post(operator, `/${made.id}/unrestrict`, { reason: 'They agreed to it in writing.' });
    await runAt('2027-12-07T10:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
  });
});

describe('a change that nobody confirms', () => {
  it('is told until somebody of the other side confirms it', async () => {
    const made: ReferralInTest = await makeReferral();
    const { body } = await post(provider, `/${made.id}/things-have-changed`, { text: 'She is in hospital.' });
    await shown(referrer, `/${made.id}`);
    await runAt('2027-12-08T10:00:00Z');
    expect(await told(made, referrer, colleague)).toEqual([1, 0]);
    await post(colleague, `/${made.id}/things-have-changed/${body.id}/confirm`);
    await runAt('2027-12-09T10:00:00Z');
    expect(await told(made, referrer, colleague, operator)).toEqual([1, 0, 0]);
  });
});

describe('a message whose words are not shown', () => {
  const answering = {
    role: 'provider' as const,
    organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
  };

  it('is not read on a page with a form', async () => {
    await goTo('2027-12-13T10:00:00Z');
    const made: ReferralInTest = await makeReferral();
    await post(referrer, `/${made.id}/messages`, { text: 'Can you ring us?' });
    const browser = await signedInBrowser(site, answering);
    expect((await browser.open(`/referrals/${made.id}/correct`)).status).toBe(200);
    await runAt('2027-12-14T10:00:00Z');
    expect(await told(made, provider)).toEqual([1]);
    await browser.signIn();
    expect((await browser.open(`/referrals/${made.id}`)).text).toContain('Can you ring us?');
    await runAt('2027-12-15T10:00:00Z');
    expect(await told(made, operator)).toEqual([0]);
  });

  it('is not read by a colleague to whom the service is not named', async () => {
    await markSensitive(site.deps.db, place.serviceId);
    const made: ReferralInTest = await makeReferral();
    await post(provider, `/${made.id}/messages`, { text: 'Can you ring us?' });
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const browser = await signedInBrowser(site, { role: 'referrer', organisation });
    const path = `/referrals/${made.id}`;
    expect((await browser.open(path)).text).toContain('Not shown, because the service is restricted');
    await shown(colleague, `/${made.id}/messages`);
    await runAt('2027-12-16T10:00:00Z');
    expect(await told(made, referrer)).toEqual([1]);
    await browser.signIn();
    await browser.send(`${path}/open`, { reason: 'I cover for a colleague this week.' });
    const opened = await browser.open(path);
    expect(opened.text).toMatch(/Messages 1 new[\s\S]*Can you ring us/);
    await runAt('2027-12-17T10:00:00Z');
    await runAt('2027-12-20T10:00:00Z');
    expect(await told(made, operator)).toEqual([0]);
  });
});

describe('the owner’s account', () => {
  it('is left out once it is disabled, and the next step follows', async () => {
    const made: ReferralInTest = await makeReferral();
    await post(provider, `/${made.id}/messages`, { text: 'Can you ring us?' });
    await disableAccount(site.deps.db, referrer.id);
    site.clock.moveOn(24 * 3_600_000);
    await escalateWatches(site.deps);
    expect(await told(made, referrer, colleague)).toEqual([0, 1]);
    site.clock.moveOn(3 * 24 * 3_600_000);
    await escalateWatches(site.deps);
    expect(await told(made, referrer, colleague, operator)).toEqual([0, 1, 1]);
  });
});
