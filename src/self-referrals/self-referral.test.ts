import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removePassword, setPasswordHash } from '../../test/accounts/stored.ts';
import { makeApp } from '../../test/app/make-app.ts';
import {
  makeOrdinary,
  markSensitive,
  setAccepts,
  setMinimumAge,
  setPrivacy,
} from '../../test/library/stored.ts';
import { mailsTo } from '../../test/network/mailbox.ts';
import { liveEnv } from '../../test/process/live-env.ts';
import { selfReferralFixture } from '../../test/self-referrals/fixture.ts';
import { countSelfReferrals, emptyQueue, fillQueue } from '../../test/self-referrals/stored.ts';
import { disableAccount, enableAccount } from '../accounts/index.ts';
import { siteActor } from '../audit/index.ts';
import { dayMs, hourMs } from '../platform/durations.ts';
import { readSettings } from '../platform/settings/index.ts';
import { hasNhsNumber } from '../referrals/index.ts';
import { jobHandlers } from '../worker.ts';
import { type DeskPerson, dayToRingBy, maxUnsettled } from './model.ts';

type Leave = Pick<DeskPerson, 'leave'>;

const fixture = await selfReferralFixture();
const { site, serviceId, serviceName, owner, deputy, operator, colleague, setDesk, stranger, path, first } =
  fixture;
const { filled, referred, mails } = fixture;
const { db } = site.deps;
const button = async () => (await stranger(`/find/${serviceId}`)).page.querySelector(`a[href="${path}"]`);

/** After the clock went on, sessions have ended. */
async function signEverybodyIn(): Promise<void> {
  for (const who of [owner, deputy, operator, colleague]) await who.signIn();
}

afterAll(() => site.close());
beforeEach(() => emptyQueue(db));

describe('the page on which people refer themselves', () => {
  it('exists only if site, service and an operator allow it', async () => {
    expect((await button())?.text).toBe('Refer yourself');
    await setPrivacy(db, serviceId, { self_referral: false });
    expect([await button(), (await stranger(path)).status]).toEqual([null, 404]);
    await setPrivacy(db, serviceId, { self_referral: true });
    await setAccepts(db, serviceId, false);
    expect([await button(), (await stranger(path)).status]).toEqual([null, 404]);
    await setAccepts(db, serviceId, true);
    await setDesk({ open: '' });
    expect([await button(), (await stranger(path)).status]).toEqual([null, 503]);
    await setDesk();
    expect(await button()).not.toBeNull();
    const off = await makeApp({ env: { ONWARD_PUBLIC_DIRECTORY: 'true' } });
    expect((await off.app.inject(path)).statusCode).toBe(404);
    await off.close();
    expect(() => readSettings({ ONWARD_SELF_REFERRAL: 'true' })).toThrow('ONWARD_PUBLIC_DIRECTORY');
    const live = { ...liveEnv, ONWARD_PUBLIC_DIRECTORY: 'true', ONWARD_SELF_REFERRAL: 'true' };
    expect(() => readSettings(live)).toThrow('ONWARD_SMTP_URL must be set');
  });

  it('is told of in the results of the directory, while it exists', async () => {
    const isTold = async () => (await stranger('/find')).text.includes('You can refer yourself');
    expect(await isTold()).toBe(true);
    await setDesk({ open: '' });
    expect(await isTold()).toBe(false);
    await setDesk();
  });

  it('says first for which ages the service is', async () => {
    expect((await stranger(path)).text).not.toContain('for people aged');
    await setMinimumAge(db, serviceId, 55);
    expect((await stranger(path)).text).toContain(`${serviceName} is for people aged 55 and over.`);
    await setMinimumAge(db, serviceId, null);
  });

  it('says what to do instead if it is off or nobody can ring', async () => {
    const linksOf = ({ page }: Awaited<ReturnType<typeof stranger>>) =>
      page.querySelectorAll('main a').map((each) => each.getAttribute('href')!);
    const ways = [`/find/${serviceId}`, '/find'];
    await setDesk({ open: '' });
    const closed = await stranger(path);
    expect(closed.text).toContain('Nobody here could ring you soon enough');
    expect(linksOf(closed).slice(-2)).toEqual(ways);
    await setDesk();
    const details = await filled();
    await setPrivacy(db, serviceId, { self_referral: false });
    for (const answer of [await stranger(path), await stranger(path, details)]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('You cannot refer yourself here');
      expect(answer.text).toContain('Nothing that you wrote was kept');
      expect(linksOf(answer)).toContain('tel:999');
      expect(linksOf(answer).slice(-2)).toEqual(ways);
    }
    await setPrivacy(db, serviceId, { self_referral: true });
    const unknown = await stranger('/find/nobody/refer-yourself');
    expect([unknown.status, linksOf(unknown).at(-1)]).toEqual([404, '/find']);
    expect(linksOf(unknown)).not.toContain('/find/nobody');
    const off = await makeApp({ env: { ONWARD_PUBLIC_DIRECTORY: 'true' } });
    const { body } = await off.app.inject(path);
    expect(body).toContain('You cannot refer yourself here');
    await off.close();
  });

  it('is never there for a sensitive service', async () => {
    await markSensitive(db, serviceId);
    expect([await button(), (await stranger(path)).status]).toEqual([null, 404]);
    await makeOrdinary(db, serviceId);
  });

  it('says whom to call and when somebody rings before any field', async () => {
    const { page, text, headers } = await stranger(path);
    expect(page.querySelectorAll('main textarea, main input:not([type=radio])')).toHaveLength(0);
    for (const words of ['999', '111', '116 123', 'We will ring you by', 'Is it safe to contact you here?'])
      expect(text).toContain(words);
    expect(text.indexOf('999')).toBeLessThan(text.indexOf('Is it safe'));
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect((await stranger(path, {})).status).toBe(422);
    expect((await stranger(path, first)).text).toContain('May we leave a message');
  });

  it('stores nothing if it is not safe to ring, or under 16', async () => {
    const form = await filled();
    const unsafe = await stranger(path, { ...form, safe: 'no' });
    expect(unsafe.text).toContain('We do not ring where it may not be safe');
    const young = await stranger(path, { ...form, age: 'under-16' });
    expect(young.text).toContain('0800 1111');
    expect((await stranger(path, { safe: 'no' })).text, 'without an age').toContain('We do not ring where');
    expect((await stranger(path, { age: 'under-16' })).text, 'without the rest').toContain('0800 1111');
    expect(await countSelfReferrals(db)).toBe(0);
  });

  it('takes no NHS number', async () => {
    for (const change of [{ about: 'My number is 943 476 5919' }, { telephone: '9434765919' }]) {
      const { status, text } = await stranger(path, await filled(change));
      expect(status).toBe(422);
      expect(text).toMatch(/Leave out your NHS number|Enter a telephone number/);
    }
    expect(await countSelfReferrals(db)).toBe(0);
    expect(hasNhsNumber('ring 01632 960 001, or 07700 900123')).toBe(false);
  });

  it('says what is missing, and keeps what was typed', async () => {
    const form = await filled({
      safe: 'only_at',
      only_at: '',
      given_name: 'Ines',
      telephone: 'none',
      voicemail: '',
    });
    const { status, text, page } = await stranger(path, form);
    expect(status).toBe(422);
    for (const words of ['Say when it is safe', 'Enter a telephone number', 'Say whether we may leave'])
      expect(text).toContain(words);
    expect(page.querySelector('#given_name')?.getAttribute('value')).toBe('Ines');
  });

  it('makes one if the form is sent twice, even at once', async () => {
    const form = await filled();
    const answers = await Promise.all([stranger(path, form), stranger(path, form)]);
    const again = await stranger(path, form);
    expect([...answers, again].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await countSelfReferrals(db)).toBe(1);
    expect((await stranger(again.location!)).text).toContain('We will ring you by');
  });

  it('shows crisis help first for words of a crisis; tells staff', async () => {
    const form = await filled({ about: 'I want to die' });
    const { location } = await stranger(path, form);
    const { text } = await stranger(location!);
    expect(text.indexOf('116 123')).toBeGreaterThan(-1);
    expect(text.indexOf('116 123')).toBeLessThan(text.indexOf('We will ring you as soon as we can'));
    expect((await owner.open('/self-referrals')).text).toContain('Ring now: words of a crisis');
    expect((await mails(owner))[0]).toContain('Urgent: somebody referred themselves');
  });

  it('slows down a flood from one network', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 14; count += 1)
      statuses.push((await stranger(path, await filled(), '203.0.113.9')).status);
    expect(statuses.filter((each) => each === 303).length).toBeLessThanOrEqual(11);
    expect(statuses.at(-1)).toBe(429);
    site.clock.moveOn(hourMs);
    await signEverybodyIn();
  });
});

describe('the day by which somebody rings', () => {
  const atWork = { leave: null };
  const dayAfter = (now: string, weekdays: number[], [owner, deputy] = [atWork, atWork] as Leave[]) =>
    dayToRingBy({ extraBankHolidays: [] }, { weekdays, owner: owner!, deputy: deputy! }, new Date(now));

  it.each([
    ['2026-11-26T10:00:00Z', [0, 1, 2, 3, 4], '2026-11-30', 'a weekend between'],
    ['2026-11-26T10:00:00Z', [0, 2, 3], '2026-12-02', 'the owner works on three days'],
    ['2026-12-24T10:00:00Z', [0, 1, 2, 3, 4], '2026-12-30', 'Christmas, and a Monday in place of Boxing Day'],
  ])('after %s, with days %j, is %s: %s', (now, weekdays, day) => {
    expect(dayAfter(now, weekdays)).toBe(day);
  });

  it('leaves out days on which both are on leave', () => {
    const away = (firstDay: string, lastDay: string) => ({ leave: { firstDay, lastDay } });
    const week = [0, 1, 2, 3, 4];
    const monday = '2026-11-30T10:00:00Z';
    expect(dayAfter(monday, week, [away('2026-12-01', '2026-12-04'), atWork])).toBe('2026-12-02');
    const both = [away('2026-12-01', '2026-12-04'), away('2026-11-30', '2026-12-02')];
    expect(dayAfter(monday, week, both)).toBe('2026-12-04');
  });
});

describe('the desk of self-referrals', () => {
  it('opens only with an owner and a deputy, who are two people', async () => {
    for (const change of [{ owner: '' }, { deputy: '' }, { deputy: owner.id }, { owner: operator.id }])
      expect((await setDesk(change)).status).toBe(422);
    expect((await setDesk({ weekdays: ['0', '1'] })).status).toBe(422);
    expect((await setDesk()).status).toBe(303);
    expect((await operator.open('/operator/self-referrals')).text).toContain('People can refer themselves.');
  });

  it('closes while the owner or the deputy cannot sign in', async () => {
    await disableAccount(site.deps, siteActor, { id: deputy.id });
    expect((await stranger(path)).status).toBe(503);
    await enableAccount(site.deps, siteActor, { id: deputy.id });
    expect((await stranger(path)).status).toBe(200);
    const hash = await removePassword(site.deps.db, deputy.id);
    expect((await stranger(path)).status, 'was only invited').toBe(503);
    await setPasswordHash(site.deps.db, deputy.id, hash);
    expect((await stranger(path)).status).toBe(200);
  });

  describe('with people on leave', () => {
    /** From one day to another, counted from today, which is 0. Each is the only one who could stand in for the other. */
    async function goOnLeave(who: typeof owner, from: number, to: number): Promise<void> {
      const partsOf = (name: string, ahead: number) => {
        const date = new Date(site.clock.now().getTime() + ahead * dayMs).toISOString();
        const [year, month, day] = date.slice(0, 10).split('-');
        return { [`${name}_year`]: year!, [`${name}_month`]: month!, [`${name}_day`]: day! };
      };
      const stand_in = who === owner ? deputy.id : owner.id;
      const form = { ...partsOf('first', from), ...partsOf('last', to), stand_in };
      expect((await who.send('/account/leave', form)).status).toBe(303);
    }
    const watch = () => (jobHandlers(site.deps)['watch-self-referrals'] as () => Promise<void>)();
    beforeEach(signEverybodyIn);
    afterEach(async () => {
      for (const who of [owner, deputy]) await who.send('/account/leave/end', {});
      // The next time that it closes is news again.
      await watch();
    });

    it('closes while both are away, and tells operators who waits', async () => {
      await referred({ about: 'I want to die' });
      await watch();
      await goOnLeave(owner, 0, 20);
      expect([(await stranger(path)).status, await button()]).not.toContain(503);
      await goOnLeave(deputy, 0, 20);
      expect([(await stranger(path)).status, await button()]).toEqual([503, null]);
      await watch();
      const [mail] = await mailsTo(site, operator.email);
      expect(mail!.subject).toContain('Nobody can refer themselves now');
      expect(mail!.text).toContain('both on leave');
      expect(mail!.text).toContain('People who may be in a crisis, and to whom nobody has spoken: 1');
      expect((await operator.open('/operator/self-referrals')).text).toContain('both on leave');
      await deputy.send('/account/leave/end', {});
      expect((await stranger(path)).status).toBe(200);
    });

    it('closes before a leave of both that adds days of waiting', async () => {
      await goOnLeave(owner, 1, 20);
      await goOnLeave(deputy, 1, 20);
      expect((await stranger(path)).status).toBe(503);
    });

    it('reminds operators of people who wait while both are away', async () => {
      await referred();
      site.clock.moveOn(4 * dayMs + 12 * hourMs);
      await signEverybodyIn();
      await goOnLeave(owner, 0, 20);
      await goOnLeave(deputy, 0, 20);
      await watch();
      expect((await mails(operator)).join()).toContain('People are waiting for your call');
    });
  });

  it('closes if the oldest waits over five days, and says it once', async () => {
    const id = await referred();
    site.clock.moveOn(5 * dayMs);
    expect(await button()).not.toBeNull();
    const form = await filled();
    site.clock.moveOn(hourMs);
    expect(await button()).toBeNull();
    const late = await stranger(path, form);
    expect([late.status, late.text.includes('Nothing that you wrote was kept')]).toEqual([503, true]);
    expect(await countSelfReferrals(db)).toBe(1);

    const before = (await mails(operator)).length;
    const watch = () => (jobHandlers(site.deps)['watch-self-referrals'] as () => Promise<void>)();
    await watch();
    await watch();
    expect((await mails(operator)).length).toBe(before + 1);
    expect((await mails(owner)).slice(0, 2).join()).toMatch(/Nobody can refer themselves now|People wait/);

    await signEverybodyIn();
    await owner.send(`/self-referrals/${id}/take`, {});
    await owner.send(`/self-referrals/${id}/call`, { reached: 'no', note: '' });
    expect(await button()).not.toBeNull();
  });

  it('closes once a hundred people are waiting', async () => {
    await fillQueue(db, maxUnsettled - 1, site.clock.now());
    await referred();
    expect((await stranger(path)).status).toBe(503);
  });

  it('tells owner and deputy of each, without personal data', async () => {
    await referred({ about: 'Company in the evenings' });
    for (const who of [owner, deputy]) {
      const [mail] = await mailsTo(site, who.email);
      expect(mail!.subject).toContain('Somebody referred themselves');
      for (const personal of ['Ines', 'Marsh', '01632', 'Company', serviceName])
        expect(mail!.subject + mail!.text).not.toContain(personal);
    }
  });
});
