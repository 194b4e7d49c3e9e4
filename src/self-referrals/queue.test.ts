import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../test/app/builders.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { makeOrdinary, markSensitive } from '../../test/library/stored.ts';
import { selfReferralFixture } from '../../test/self-referrals/fixture.ts';
import { countSelfReferrals, emptyQueue, storedSelfReferrals } from '../../test/self-referrals/stored.ts';
import { dayMs } from '../platform/durations.ts';
import { jobHandlers } from '../worker.ts';

const { site, serviceId, owner, deputy, operator, colleague, referred, mails } = await selfReferralFixture();
const { db } = site.deps;
const at = (id: string, more = '') => `/self-referrals/${id}${more}`;
const call = (who: typeof owner, id: string, reached: 'yes' | 'no') =>
  who.send(at(id, '/call'), { reached, note: 'A note about the call' });

afterAll(() => site.close());
beforeEach(() => emptyQueue(db));

describe('the queue of self-referrals', () => {
  it('names nobody, and is for people who make referrals', async () => {
    await referred({ about: 'Company in the evenings', postcode: 'ZT1 1HW' });
    const { text, status } = await colleague.open('/self-referrals');
    expect([status, text.includes('Ring by')]).toEqual([200, true]);
    for (const personal of ['Marsh', 'Company in the evenings', 'ZT1', '01632'])
      expect(text).not.toContain(personal);
    expect((await operator.open('/self-referrals')).status).toBe(403);
    expect((await colleague.open('/')).text).toContain('Self-referrals to take');
  });

  it('shows what the person sent to who took it, the owner and the deputy alone', async () => {
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

  it('does not name a service that has become sensitive', async () => {
    await referred();
    expect((await colleague.open('/self-referrals')).text).toContain('Tuesday walking group');
    await markSensitive(db, serviceId);
    expect((await colleague.open('/self-referrals')).text).not.toContain('Tuesday walking group');
    await makeOrdinary(db, serviceId);
  });

  it('gives one to one person; the owner and the deputy can take over', async () => {
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
    await call(colleague, id, 'yes');
    await colleague.send(at(id, '/draft'), {});
    expect(await db.selectFrom('deliveries').select('id').execute()).toEqual([]);
    expect(serviceId).not.toBe('');
  });

  it('closes one with a reason, and only after calls where one is due', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    const close = (reason: string) => colleague.send(at(id, '/close'), { reason, close_note: '' });
    expect((await close('')).text).toContain('Choose a reason');
    expect((await close('no-longer-wanted')).text).toContain('Speak to the person first');
    for (const tries of [1, 2]) {
      await call(colleague, id, 'no');
      expect((await close('not-reached')).status, `after ${tries} calls`).toBe(422);
    }
    await call(colleague, id, 'no');
    expect((await close('not-reached')).status).toBe(303);
    expect((await colleague.open('/self-referrals')).text).toContain('Nobody waits.');
    expect((await call(colleague, id, 'yes')).status).toBe(422);
    const spam = await referred();
    await colleague.send(at(spam, '/take'), {});
    expect((await colleague.send(at(spam, '/close'), { reason: 'not-genuine', close_note: '' })).status).toBe(
      303,
    );
  });

  it('reminds owner and deputy when nothing followed a call', async () => {
    const id = await referred();
    await colleague.send(at(id, '/take'), {});
    await call(colleague, id, 'no');
    const watch = jobHandlers(site.deps)['watch-self-referrals'] as () => Promise<void>;
    const reminders = async () =>
      (await mails(deputy)).filter((subject) => subject.startsWith('People wait')).length;
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
    await colleague.send(at(id, '/close'), { reason: 'sent-twice', close_note: '' });
    const deleteExpired = jobHandlers(site.deps)['delete-expired'] as () => Promise<void>;
    site.clock.moveOn(29 * dayMs);
    await deleteExpired();
    expect(await countSelfReferrals(db)).toBe(1);
    site.clock.moveOn(dayMs);
    await deleteExpired();
    expect(await countSelfReferrals(db)).toBe(0);
    for (const who of [owner, deputy, operator, colleague]) await who.signIn();
  });

  it('deletes all of it when the person asks, by the owner or the deputy', async () => {
    const id = await referred({ about: 'Company in the evenings' });
    await colleague.send(at(id, '/take'), {});
    expect((await colleague.send(at(id, '/delete'), {})).status).toBe(404);
    expect(await storedSelfReferrals(db)).toContain('Company in the evenings');
    expect((await owner.send(at(id, '/delete'), {})).status).toBe(303);
    expect(await countSelfReferrals(db)).toBe(0);
    expect(await storedEntries(db, { action: 'self-referral.deleted', subjectId: id })).toHaveLength(1);
  });
});

describe('the referral that came of a self-referral', () => {
  it('takes what the person sent along when it is erased', async () => {
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
