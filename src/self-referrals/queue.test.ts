import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../test/app/builders.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { storedDeliveries } from '../../test/delivery/stored.ts';
import { makeOrdinary, markSensitive } from '../../test/library/stored.ts';
import { selfReferralFixture } from '../../test/self-referrals/fixture.ts';
import { countSelfReferrals, emptyQueue, storedSelfReferrals } from '../../test/self-referrals/stored.ts';
import { savePostcodes } from '../library/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { dayMs, hourMs } from '../platform/durations.ts';
import { jobHandlers } from '../worker.ts';

const { site, serviceId, owner, deputy, operator, colleague, referred, setDesk, mails } =
  await selfReferralFixture();
const { db } = site.deps;
const at = (id: string, more = '') => `/self-referrals/${id}${more}`;
const call = (who: typeof owner, id: string, reached: 'yes' | 'no') =>
  who.send(at(id, '/call'), { reached, note: 'A note about the call' });

const close = (
  who: typeof owner,
  id: string,
  reason: string,
  more: { close_note?: string; same_as?: string } = {},
) => who.send(at(id, '/close'), { reason, close_note: '', ...more });
/** Sessions have ended by then. */
async function later(ms: number): Promise<void> {
  site.clock.moveOn(ms);
  for (const who of [owner, deputy, operator, colleague]) await who.signIn();
}

afterAll(() => site.close());
beforeEach(() => emptyQueue(db));

describe('the queue of self-referrals', () => {
  it('is in the menu while people can refer themselves, or wait', async () => {
    const menu = async (who = colleague) => {
      const { page } = await who.open('/');
      return [
        page.querySelector('header a[href="/self-referrals"]') !== null,
        page.querySelector('main a[href="/self-referrals"]') !== null,
      ];
    };
    expect(await menu()).toEqual([true, true]);
    expect(await menu(operator)).toEqual([false, false]);
    const id = await referred();
    await setDesk({ open: '' });
    expect(await menu(), 'one waits').toEqual([true, true]);
    await colleague.send(at(id, '/take'), {});
    await call(colleague, id, 'yes');
    await close(colleague, id, 'helped-by-call');
    expect(await menu()).toEqual([false, false]);
    await setDesk();
    expect(await menu()).toEqual([true, true]);
  });

  it('names nobody, and is for people who make referrals', async () => {
    await referred({ about: 'Company in the evenings', postcode: 'ZT1 1HW' });
    const { text, status } = await colleague.open('/self-referrals');
    expect([status, text.includes('Ring by')]).toEqual([200, true]);
    for (const personal of ['Marsh', 'Company in the evenings', 'ZT1', '01632'])
      expect(text).not.toContain(personal);
    expect((await operator.open('/self-referrals')).status).toBe(403);
    expect((await colleague.open('/')).text).toContain('Self-referrals to take');
  });

  it('shows what was sent only to taker, owner and deputy', async () => {
    const id = await referred();
    for (const who of [colleague, operator])
      expect((await who.open(at(id))).status).toBeGreaterThanOrEqual(403);
    expect((await colleague.send(at(id, '/take'), {})).location).toBe(at(id));
    expect((await colleague.open(at(id))).text).toContain('Ines Marsh');
    expect((await deputy.open(at(id))).text).toContain('Ines Marsh');
    expect((await colleague.send(at(id, '/give-back'), {})).status).toBe(303);
    expect((await colleague.open(at(id))).status).toBe(404);
    const reads = await storedEntries(db, { action: 'self-referral.read', subjectId: id });
    expect(reads).toHaveLength(2);
  });

  it('says beside a postcode that the site does not know it', async () => {
    const known = { postcode: 'ZT1 1HW', latitude: 52, longitude: -2.7 };
    await inTransaction(db, (trx) => savePostcodes(trx, [known]));
    const saysSo = async (postcode: string) => {
      const id = await referred({ postcode });
      await colleague.send(at(id, '/take'), {});
      return (await colleague.open(at(id))).text.includes('This site does not know it');
    };
    expect([await saysSo('ZZ99 9ZZ'), await saysSo('ZT1 1HW')]).toEqual([true, false]);
  });

  it('does not name a service that has become sensitive', async () => {
    await referred();
    expect((await colleague.open('/self-referrals')).text).toContain('Tuesday walking group');
    await markSensitive(db, serviceId);
    expect((await colleague.open('/self-referrals')).text).not.toContain('Tuesday walking group');
    await makeOrdinary(db, serviceId);
  });

  it('gives each to one person; owner and deputy can take over', async () => {
    const id = await referred();
    await owner.send(at(id, '/take'), {});
    const taken = await colleague.send(at(id, '/take'), {});
    expect([taken.status, taken.text.includes('A colleague has taken it')]).toEqual([422, true]);
    expect(taken.text).toContain('Taken by');
    expect((await deputy.send(at(id, '/take'), {})).status).toBe(303);
    expect((await colleague.open('/self-referrals')).text).toContain('Taken by Dev Deputy');
  });

  it('makes no draft before somebody has spoken to the person', async () => {
    const id = await referred({ safe: 'only_at', only_at: 'Mondays before noon', about: 'Company' });
    await colleague.send(at(id, '/take'), {});
    expect((await colleague.send(at(id, '/draft'), {})).status).toBe(422);
    await call(colleague, id, 'no');
    expect((await colleague.send(at(id, '/draft'), {})).status).toBe(422);
    await call(colleague, id, 'yes');
    const { location } = await colleague.send(at(id, '/draft'), {});
    expect(location).toMatch(/^\/referrals\/[\w-]+\/edit$/);
    const again = await colleague.send(at(id, '/draft'), {});
    expect([again.status, again.text.includes('settled already')]).toEqual([422, true]);
    const { page, text } = await colleague.open(String(location));
    const value = (name: string) => page.querySelector(`[name=${name}]`)?.getAttribute('value');
    expect([value('given_name'), value('family_name')]).toEqual(['Ines', 'Marsh']);
    expect(page.toString()).toContain('Mondays before noon');
    expect(page.toString()).toContain('Company');
    expect(text).toContain('Tuesday walking group');
  });

  it('sends nothing to the service, by a self-referral or a call', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    expect((await call(colleague, id, 'yes')).status).toBe(303);
    expect((await colleague.send(at(id, '/draft'), {})).status).toBe(303);
    expect(await storedDeliveries(db)).toEqual([]);
  });

  it('closes one with a reason, and after the calls that it needs', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    expect((await close(colleague, id, '')).text).toContain('Choose a reason');
    expect((await close(colleague, id, 'no-longer-wanted')).text).toContain('Speak to the person first');
    await call(colleague, id, 'yes');
    expect((await close(colleague, id, 'no-longer-wanted')).status).toBe(303);
    expect((await colleague.open('/self-referrals')).text).toContain('There are no self-referrals to take.');
    expect((await call(colleague, id, 'yes')).status).toBe(422);
  });

  it('reminds owner and deputy when nothing followed a call', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    await call(colleague, id, 'no');
    const watch = jobHandlers(site.deps)['watch-self-referrals'] as () => Promise<void>;
    const reminders = async () =>
      (await mails(deputy)).filter((subject) => subject.startsWith('People are waiting')).length;
    site.clock.moveOn(4 * dayMs);
    await watch();
    expect(await reminders()).toBe(0);
    site.clock.moveOn(2 * dayMs);
    await watch();
    await watch();
    expect(await reminders()).toBe(1);
    for (const who of [owner, deputy, operator, colleague]) await who.signIn();
    expect((await colleague.open('/self-referrals')).text).toContain('Overdue');
  });

  it('keeps what was settled for 30 days, and then nothing of it', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    await colleague.send(at(id, '/close'), { reason: 'not-genuine', close_note: 'A list of adverts' });
    const deleteExpired = jobHandlers(site.deps)['delete-expired'] as () => Promise<void>;
    site.clock.moveOn(29 * dayMs);
    await deleteExpired();
    expect(await countSelfReferrals(db)).toBe(1);
    site.clock.moveOn(dayMs);
    await deleteExpired();
    expect(await countSelfReferrals(db)).toBe(0);
    for (const who of [owner, deputy, operator, colleague]) await who.signIn();
  });

  it('lets the owner or the deputy delete all if the person asks', async () => {
    const id = await referred({ about: 'Company in the evenings' });
    await colleague.send(at(id, '/take'), {});
    expect((await colleague.send(at(id, '/delete'), {})).status).toBe(404);
    expect(await storedSelfReferrals(db)).toContain('Company in the evenings');
    expect((await owner.send(at(id, '/delete'), {})).status).toBe(303);
    expect(await countSelfReferrals(db)).toBe(0);
    expect(await storedEntries(db, { action: 'self-referral.deleted', subjectId: id })).toHaveLength(1);
  });
});

describe('a self-referral that nobody has answered', () => {
  it('is given up only after three calls at least two hours apart', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    for (const _ of [1, 2, 3]) await call(colleague, id, 'no');
    expect((await colleague.open(at(id))).text).toContain('at least two hours apart. So far: 1.');
    await later(2 * hourMs);
    await call(colleague, id, 'no');
    expect((await close(colleague, id, 'not-reached')).text).toContain('at least two hours apart');
    await later(2 * hourMs);
    await call(colleague, id, 'no');
    expect((await close(colleague, id, 'not-reached')).status).toBe(303);
  });

  it('is closed as sent twice only if the other one stays', async () => {
    const id = await referred();
    const stranger = await referred({ given_name: 'Otto', family_name: 'Other' });
    await colleague.send(at(id, '/take'), {});
    expect((await colleague.open(at(id))).text).toContain('There is no other one');
    for (const same_as of ['', id, stranger])
      expect((await close(colleague, id, 'sent-twice', { same_as })).text).toContain(
        'Choose the other self-referral',
      );
    const other = await referred({ given_name: 'INES' });
    expect((await colleague.open(at(id))).text).toContain('INES Marsh, sent');
    expect((await close(colleague, id, 'sent-twice', { same_as: other })).status).toBe(303);
    expect((await owner.open(at(id))).page.querySelector(`main a[href="${at(other)}"]`)).not.toBeNull();
    await colleague.send(at(other, '/take'), {});
    expect((await close(colleague, other, 'sent-twice', { same_as: id })).status).toBe(422);
  });

  it('is not closed twice, each as the copy of the other', async () => {
    const [one, other] = [await referred(), await referred()];
    await colleague.send(at(one, '/take'), {});
    await deputy.send(at(other, '/take'), {});
    const answers = await Promise.all([
      close(colleague, one, 'sent-twice', { same_as: other }),
      close(deputy, other, 'sent-twice', { same_as: one }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  });

  it('is closed as not genuine only with a note why', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    expect((await close(colleague, id, 'not-genuine')).text).toContain('Say in the note why');
    expect((await close(colleague, id, 'not-genuine', { close_note: 'An advert' })).status).toBe(303);
  });
});

describe('a self-referral in words of a crisis', () => {
  const crisis = { about: 'I took an overdose and want to die' };
  const closings = async () =>
    (await mails(owner)).filter((subject) => subject.startsWith('Closed without a call')).length;

  it('needs a note of owner or deputy to close without a call', async () => {
    const [id, other] = [await referred(crisis), await referred()];
    await colleague.send(at(id, '/take'), {});
    for (const _ of [1, 2, 3]) {
      await later(2 * hourMs);
      await call(colleague, id, 'no');
    }
    for (const reason of ['not-reached', 'not-genuine', 'sent-twice']) {
      const { status, text } = await close(colleague, id, reason, { close_note: 'Spam', same_as: other });
      expect([status, text.includes('ask the owner or the deputy')], reason).toEqual([422, true]);
    }
    expect((await deputy.open(at(id))).text).toContain('only the owner or the deputy can close it');
    expect((await close(deputy, id, 'sent-twice', { same_as: other })).text).toContain('why nobody spoke');
    expect(await closings()).toBe(0);
    const more = { close_note: 'The same hour, the same words', same_as: other };
    expect((await close(deputy, id, 'sent-twice', more)).status).toBe(303);
    expect(await closings()).toBe(1);
    // The one that stays is rung as this one would have been.
    expect((await owner.open('/self-referrals')).text).toContain('Ring now: words of a crisis');
  });

  it('is rung only at the times that the person named as safe', async () => {
    const id = await referred({ ...crisis, safe: 'only_at', only_at: 'Weekdays 10 to 11' });
    await colleague.send(at(id, '/take'), {});
    const list = (await owner.open('/self-referrals')).text;
    expect(list).toContain('Ring when it is safe: words of a crisis');
    const { text } = await colleague.open(at(id));
    expect(text).toContain('safe to ring only at: Weekdays 10 to 11');
    for (const words of [list, text, (await mails(owner)).join()]) expect(words).not.toContain('Ring now');
  });

  it('stays first until somebody has spoken to the person', async () => {
    const id = await referred(crisis);
    await colleague.send(at(id, '/take'), {});
    await call(colleague, id, 'no');
    expect((await owner.open('/self-referrals')).text).toContain('Ring now: words of a crisis');
    await call(colleague, id, 'yes');
    expect((await owner.open('/self-referrals')).text).not.toContain('Ring now: words of a crisis');
  });

  it('is told of again after four hours, to operators too', async () => {
    const urgent = async (who: typeof owner) =>
      (await mails(who)).filter((subject) => subject.startsWith('Urgent: nobody has spoken')).length;
    const before = await urgent(operator);
    const id = await referred(crisis);
    const watch = jobHandlers(site.deps)['watch-self-referrals'] as () => Promise<void>;
    await watch();
    expect(await urgent(operator)).toBe(before);
    const showsOverdue = async () => (await owner.open('/self-referrals')).text.includes('Overdue');
    expect(await showsOverdue()).toBe(false);
    await later(5 * hourMs);
    // As the email says.
    expect(await showsOverdue()).toBe(true);
    for (let time = 0; time < 2; time += 1) await watch();
    expect(await urgent(operator)).toBe(before + 1);
    await colleague.send(at(id, '/take'), {});
    await call(colleague, id, 'no');
    await later(5 * hourMs);
    await watch();
    expect([await urgent(operator), await urgent(owner)]).toEqual([before + 2, before + 2]);
  });

  it('is closed by a colleague who spoke to them, without an email', async () => {
    const before = await closings();
    const [id, other] = [await referred(crisis), await referred(crisis)];
    await colleague.send(at(other, '/take'), {});
    await call(colleague, other, 'yes');
    await colleague.send(at(id, '/take'), {});
    expect((await close(colleague, id, 'sent-twice', { same_as: other })).status).toBe(303);
    expect((await close(colleague, other, 'helped-by-call')).status).toBe(303);
    expect(await closings()).toBe(before);
  });
});

describe('the referral that came of a self-referral', () => {
  it('is erased together with what the person had sent', async () => {
    const id = await referred({ about: 'Company in the evenings' });
    await colleague.send(at(id, '/take'), {});
    await call(colleague, id, 'yes');
    const { location } = await colleague.send(at(id, '/draft'), {});
    const draftId = String(location).split('/')[2]!;
    const { headers } = await aTokenHolder(site.deps, { role: 'operator' });
    const erased = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draftId}/erase`,
      headers,
      payload: { reason: 'The person asked for it.', ground: 'unlawful' },
    });
    expect(erased.statusCode).toBe(200);
    expect(await countSelfReferrals(db)).toBe(0);
  });
});
