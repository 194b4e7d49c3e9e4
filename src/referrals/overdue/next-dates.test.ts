import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { setServiceAddress } from '../../../test/delivery/receivers.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { auditedActions, storedReferral } from '../../../test/referrals/stored.ts';
import { callerOf, findAccount } from '../../accounts/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { countWorkRows, type WorklistRequest } from '../listing/worklist/list-work.ts';
import { findReferral } from '../model/referrals-store.ts';
import { remindOverdue } from './remind-overdue.ts';

// Nobody is forgotten: every open referral has a next date, and no site rejects a referral without a warning.

const fixture = await referralLifeFixture();
const { site, elsewhere, referrer, provider, operator, get, shown, post, later, aPerson, makeReferral } =
  fixture;

/** How many rows a worklist of somebody has. */
async function countOf({ id }: { id: string }, request: WorklistRequest): Promise<number> {
  const account = (await findAccount(site.deps.db, id))!;
  return countWorkRows(site.deps, callerOf(account, 'session'), request);
}

const goTo = (moment: string) => later(Date.parse(moment) - site.clock.now().getTime());
const subjectsTo = async ({ email }: { email: string }, about: { reference: string }) =>
  (await mailsTo(site, email))
    .filter(({ text }) => text.includes(about.reference))
    .map((mail) => mail.subject);
const read = async (id: string) => (await get(referrer, `/${id}`)).body;

describe('an open referral', () => {
  it('has a next date from the beginning to its end', async () => {
    const { id, due_at, next_date } = await makeReferral();
    expect([due_at, next_date]).toEqual(['2026-12-04T17:00:00.000Z', '2026-12-04']);
    expect((await post(provider, `/${id}/accept`, {}, 1)).body.next_date).toBe('2026-12-04');
    const wait = { ...fixture.reason, expected_date: '2027-02-01' };
    expect((await post(provider, `/${id}/hold`, wait, 2)).body.next_date).toBe('2026-12-18');
    await goTo('2026-12-10T10:00:00Z');
    expect((await post(provider, `/${id}/change-wait`, wait, 3)).body.next_date).toBe('2027-01-07');
    expect((await post(provider, `/${id}/start`, {}, 4)).body.next_date).toBe('2027-03-10');
    const outcome = { code: 'goals-met', text: 'She sings.' };
    expect((await post(provider, `/${id}/complete`, { outcome }, 5)).body.next_date).toBeNull();
  });

  it('gets no later date by a message before the first contact', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    expect((await read(id)).next_date).toBe('2026-12-24');
    await goTo('2026-12-14T10:00:00Z');
    await post(referrer, `/${id}/messages`, { text: 'Have you met her?' });
    expect((await read(id)).next_date).toBe('2026-12-24');
    await post(provider, `/${id}/messages`, { text: 'We rang, and try again.' });
    await post(provider, `/${id}/contacts`, { kind: 'telephone', reached: false });
    expect(await read(id)).toMatchObject({ next_date: '2026-12-24', version: 2 });
  });

  it('waits for a place at most a year', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const wait = (expected_date: string) =>
      post(provider, `/${id}/hold`, { ...fixture.reason, expected_date }, 2);
    expect((await wait('2027-12-16')).status).toBe(422);
    expect((await wait('2027-12-14')).status).toBe(200);
  });

  it('is checked on the waiting list on time, whatever is written', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const { next_date } = (await post(provider, `/${id}/hold`, { ...fixture.reason }, 2)).body;
    await later(24 * 60 * 60 * 1000);
    await post(provider, `/${id}/messages`, { text: 'We are very busy.' });
    expect((await read(id)).next_date).toBe(next_date);
    const { body } = await post(provider, `/${id}/contacts`, { kind: 'telephone', reached: true });
    expect(body.next_date > next_date).toBe(true);
  });

  it('gets a later date by a message of its service alone', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const { next_date } = (await post(provider, `/${id}/start`, {}, 2)).body;
    await later(24 * 60 * 60 * 1000);
    await post(referrer, `/${id}/messages`, { text: 'How is she?' });
    expect((await read(id)).next_date).toBe(next_date);
    await post(provider, `/${id}/messages`, { text: 'She sings.' });
    expect((await read(id)).next_date > next_date).toBe(true);
  });

  it('is overdue the day after, in lists, counts and one email', async () => {
    await goTo('2027-01-11T10:00:00Z');
    const made = await makeReferral();
    await post(provider, `/${made.id}/accept`, {}, 1);
    const { next_date } = await read(made.id);
    expect(next_date).toBe('2027-01-25');
    const lists = async () =>
      (await get(provider, '?overdue=true&limit=200')).body.items.map(({ id }: { id: string }) => id);
    const countOverdue = () => countOf(provider, { list: 'received', tab: 'all', overdueOnly: true });
    // The whole of that day in London is left.
    await goTo('2027-01-25T23:30:00Z');
    await remindOverdue(site.deps);
    const before = await countOverdue();
    expect([(await read(made.id)).overdue, (await lists()).includes(made.id)]).toEqual([false, false]);
    expect(await subjectsTo(provider, made)).toEqual([]);

    await goTo('2027-01-26T00:30:00Z');
    await Promise.all([remindOverdue(site.deps), remindOverdue(site.deps)]);
    await remindOverdue(site.deps);
    expect([(await read(made.id)).overdue, (await lists()).includes(made.id)]).toEqual([true, true]);
    expect(await countOverdue()).toBe(before + 1);
    expect(await subjectsTo(provider, made)).toEqual([
      expect.stringMatching(/^\d accepted referrals? (is|are) overdue – Onward test site$/),
    ]);
    expect(await auditedActions(site.deps.db, made.id)).toContain('referral.next_date_reminded');

    await post(provider, `/${made.id}/start`, {}, 2);
    expect(await read(made.id)).toMatchObject({ overdue: false, next_date: '2027-04-26' });
    await goTo('2027-04-27T10:00:00Z');
    await remindOverdue(site.deps);
    expect(await subjectsTo(provider, made)).toHaveLength(2);
  });
});

describe('an automatic rejection', () => {
  it('is warned of five working days before, to both sides', async () => {
    await goTo('2027-05-04T10:00:00Z');
    const made = await makeReferral();
    const urgent = await makeReferral({ urgency: 'urgent' });
    await shown(provider, `/${urgent.id}`);
    // It is rejected 28 days later, on 1 June. The last Monday of May is a holiday, and the job runs every hour.
    await goTo('2027-05-24T08:59:00Z');
    await remindOverdue(site.deps);
    const warnings = async () =>
      (await subjectsTo(provider, made)).filter((subject) => subject.includes('declined'));
    expect(await warnings()).toEqual([]);
    await goTo('2027-05-24T09:00:00Z');
    await remindOverdue(site.deps);
    await remindOverdue(site.deps);
    expect(await warnings()).toEqual(['2 referrals are about to be declined (1 urgent) – Onward test site']);
    const [mail] = await mailsTo(site, provider.email);
    expect(mail!.text).toContain(
      `\n${urgent.reference} (urgent), on 1 June 2027\n${made.reference}, on 1 June 2027\n`,
    );
    const [toReferrer] = await mailsTo(site, referrer.email);
    expect(toReferrer!.text).toContain(`\n${made.reference}, on 1 June 2027\n`);
    expect(await subjectsTo(referrer, made)).toEqual(await warnings());
    await goTo('2027-06-01T09:59:00Z');
    await remindOverdue(site.deps);
    expect((await read(made.id)).status).toBe('requested');
    const rejected = () => countOf(referrer, { list: 'made', tab: 'waiting', status: 'rejected' });
    const before = await rejected();
    await goTo('2027-06-01T10:00:00Z');
    await remindOverdue(site.deps);
    expect((await read(made.id)).status).toBe('rejected');
    expect(await rejected()).toBe(before + 2);
  });

  it('gives five working days after the warning, late or not', async () => {
    const made = await makeReferral();
    await goTo('2027-07-30T16:00:00Z');
    await remindOverdue(site.deps);
    expect((await read(made.id)).status).toBe('requested');
    await goTo('2027-08-06T15:59:00Z');
    await remindOverdue(site.deps);
    expect((await read(made.id)).status).toBe('requested');
    await goTo('2027-08-06T16:00:00Z');
    await remindOverdue(site.deps);
    expect((await read(made.id)).status).toBe('rejected');
  });

  it('is told to operators where the service has nobody', async () => {
    const { body: made } = await post(referrer, '', aPerson(elsewhere.serviceId));
    await goTo('2027-08-31T10:00:00Z');
    await remindOverdue(site.deps);
    expect(await subjectsTo(operator, made)).toEqual([
      '1 referral is about to be declined – Onward test site',
    ]);
  });

  it('does not come if the service answers after the warning', async () => {
    const made = await makeReferral();
    await goTo('2027-09-24T10:00:00Z');
    await remindOverdue(site.deps);
    await post(provider, `/${made.id}/accept`, {}, 1);
    await goTo('2027-10-24T10:00:00Z');
    await remindOverdue(site.deps);
    expect((await read(made.id)).status).toBe('accepted');
  });
});

describe('an unanswered referral', () => {
  it('is reminded of when it is overdue, where a site sets no days', async () => {
    const made = await makeReferral();
    const deps = { ...site.deps, settings: { ...site.deps.settings, remindAfterDays: undefined } };
    await goTo('2027-11-05T17:00:00Z');
    await remindOverdue(deps);
    expect(await subjectsTo(provider, made)).toEqual([]);
    await goTo('2027-11-05T17:00:01Z');
    await remindOverdue(deps);
    await remindOverdue(deps);
    expect(await subjectsTo(provider, made)).toEqual([expect.stringMatching(/waits? for an answer/)]);
  });
});

describe('a referral that becomes urgent', () => {
  it('has the same dates, whether corrected or changed', async () => {
    for (const accepted of [false, true]) {
      const [corrected, changed] = [await makeReferral(), await makeReferral()];
      if (accepted) for (const { id } of [corrected, changed]) await post(provider, `/${id}/accept`, {}, 1);
      const before = await read(changed.id);
      await site.app.inject({
        method: 'PATCH',
        url: `/api/referrals/${corrected.id}`,
        headers: { ...referrer.headers, 'if-match': accepted ? '"2"' : '"1"' },
        payload: { urgency: 'urgent' },
      });
      const news = { text: 'She is worse.', urgency: 'urgent' };
      await post(provider, `/${changed.id}/things-have-changed`, news);
      const [one, other] = [await read(corrected.id), await read(changed.id)];
      expect([one.urgency, one.due_at, one.next_date]).toEqual(['urgent', other.due_at, other.next_date]);
      expect([other.next_date < before.next_date, other.due_at === before.due_at]).toEqual([true, accepted]);
    }
  });
});

describe('a rejection that would be on a Sunday', () => {
  it('comes on the next working day, as it was announced', async () => {
    await goTo('2027-11-07T10:00:00Z');
    const made = await makeReferral();
    await goTo('2027-11-26T17:00:00Z');
    await remindOverdue(site.deps);
    expect((await findReferral(site.deps.db, made.id))!.rejectionAt).toEqual(
      new Date('2027-12-06T10:00:00Z'),
    );
    for (const [moment, status] of [
      ['2027-12-05T12:00:00Z', 'requested'],
      ['2027-12-06T10:00:00Z', 'rejected'],
    ] as const) {
      await goTo(moment);
      await remindOverdue(site.deps);
      expect((await read(made.id)).status).toBe(status);
    }
  });
});

describe('an automatic rejection by a service without accounts', () => {
  it('is warned of, with its day, at the address for referrals', async () => {
    const { serviceId } = await aService(site.deps);
    const email = 'desk@sarrowby-choir.example.org';
    await setServiceAddress(site.deps.db, { serviceId, channel: 'email', address: email });
    const { body: made } = await post(referrer, '', aPerson(serviceId));
    await later(24 * 86_400_000);
    await remindOverdue(site.deps);
    await remindOverdue(site.deps);
    const mails = (await mailsTo(site, email)).filter(({ subject }) => subject.includes('declined'));
    expect(mails).toHaveLength(1);
    const { rejection_at } = await storedReferral(site.deps.db, made.id);
    const day = dayInWords(rejection_at!);
    expect(mails[0]!.subject).toContain(
      `A referral to your service is declined on ${day} if nobody answers: ${made.reference}`,
    );
    expect(mails[0]!.text).toContain('ring the referrer on 01632 960001');
    await goTo(rejection_at!.toISOString());
    await remindOverdue(site.deps);
    expect((await read(made.id)).status).toBe('rejected');
  });
});
