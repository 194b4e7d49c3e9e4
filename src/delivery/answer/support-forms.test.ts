import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { renewToken } from '../../../test/app/builders.ts';
import { answerFixture, linkHolder } from '../../../test/delivery/answer-fixture.ts';
import { setServiceAddress } from '../../../test/delivery/receivers.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { auditActors } from '../../../test/referrals/stored.ts';
import { hourMs, secondMs } from '../../platform/durations.ts';

const { site, place, referrer, charity, refer, linkOf } = await answerFixture();
afterAll(() => site.close());
beforeEach(() => renewToken(site.deps, referrer));

const codes = 'office@footpath-friends.example.org';
await setServiceAddress(site.deps.db, { serviceId: place.serviceId, channel: 'code_email', address: codes });
const rosa = { name: 'Rosa Reed', role: 'Duty manager' };
const byLink = { name: 'Rosa Reed, Duty manager, by link' };

/** A referral that its service has accepted and opened by a code. */
async function accepted(given: Record<string, unknown> = {}) {
  const { id } = await refer({ allow_duplicate: true, ...given });
  const path = (await linkOf(id))!;
  const browser = linkHolder(site);
  await browser.send(path, { ...rosa, answer: 'accept' });
  await browser.send(path, { step: 'send-code' });
  const [mail] = await mailsTo(site, codes);
  await browser.send(`${path}?do=code`, { ...rosa, code: /^\d{6}/.exec(mail!.text)![0] });
  const take = (form: string, fields: Record<string, string> = {}) =>
    browser.send(`${path}?do=${form}`, { ...rosa, ...fields });
  return { id, path, browser, take };
}
const read = async (id: string) =>
  (await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })).json();
/** What somebody may have added. */
const addedTo = async (id: string) => {
  const { appointments, measures, goals } = await read(id);
  return { appointments, measures, goals };
};
const upload = (path: string, cookie: string, content: string, who: Record<string, string> = rosa) => {
  const fields = Object.entries(who).map(
    ([name, value]) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--edge\r\ncontent-disposition: form-data; name="file"; filename="plan.pdf"\r\n\r\n${content}\r\n`;
  return site.app.inject({
    method: 'POST',
    url: `${path}/file`,
    headers: { cookie, origin: 'null', 'content-type': 'multipart/form-data; boundary=edge' },
    payload: `${fields.join('')}${file}--edge--\r\n`,
  });
};

const appointment = {
  appointment_at: '2026-12-01T10:30',
  appointment_kind: 'in-person',
  appointment_place: 'The Weir House',
};
const measure = { measure_code: 'ucla-3', measure_stage: 'start', measure_value: '6', measure_by: 'person' };
const goal = { goal_1_text: 'To sing again', goal_1_need: 'arts-nature', goal_1_result: 'partly' };

describe('by link and code', () => {
  it('an appointment is booked once, shown, and cancelled', async () => {
    const { id, path, browser, take } = await accepted();
    for (let count = 0; count < 2; count += 1)
      expect((await take('appointment', appointment)).status).toBe(303);
    const [booked, ...more] = (await read(id)).appointments;
    expect(booked).toMatchObject({ kind: 'in-person', by: 'Rosa Reed, Duty manager', cancelled: false });
    expect(more).toEqual([]);
    expect((await browser.open(path)).text).toContain('In person, The Weir House');
    await take('cancel-appointment', { appointment_id: booked.id, name: '', role: '' });
    expect((await read(id)).appointments).toMatchObject([{ cancelled: true }]);
    expect((await take('cancel-appointment', { appointment_id: 'x' })).status).toBe(404);
    for (const action of ['referral.appointment_booked', 'referral.appointment_cancelled'])
      expect(await auditActors(site.deps.db, id, action), action).toMatchObject([
        { name: `${byLink.name} sent to ${charity}` },
      ]);
  });

  it('a measure is added once; a worrying one says whom to call', async () => {
    const { id, path, browser, take } = await accepted();
    const opened_at = site.clock.now().toISOString();
    for (let count = 0; count < 2; count += 1) {
      expect((await take('measure', { ...measure, opened_at })).status).toBe(303);
      site.clock.moveOn(secondMs);
    }
    expect((await read(id)).measures).toMatchObject([
      { code: 'ucla-3', stage: 'start', value: 6, by: 'person' },
    ]);
    expect((await browser.open(path)).text).not.toContain('choose option 2');
    await take('measure', { ...measure, measure_stage: 'review', measure_value: '9' });
    expect((await read(id)).measures).toHaveLength(2);
    const { text } = await browser.open(path);
    expect(text).toContain('call NHS 111 and choose option 2');
    expect(text.indexOf('choose option 2'), 'before all else').toBeLessThan(text.indexOf('Next step by'));
    expect(text.split('choose option 2'), 'once').toHaveLength(2);
  });

  it('goals get results, unless the referral has changed', async () => {
    const { id, browser, path, take } = await accepted();
    expect((await take('goals', goal)).status).toBe(303);
    expect((await take('goals', { ...goal, version: '1' })).status, 'a second click').toBe(303);
    const goals = [{ text: 'To sing again', need: 'arts-nature', result: 'partly' }];
    expect((await read(id)).goals).toEqual(goals);
    const stale = await take('goals', { ...goal, goal_1_result: 'not', version: '1' });
    expect([stale.status, stale.text]).toEqual([422, expect.stringContaining('has changed since')]);
    expect((await read(id)).goals).toEqual(goals);
    const { page, text } = await browser.open(`${path}?do=complete`);
    expect(text).toContain('Reports count help by the goals that are set and met');
    expect(page.querySelector('main a[href="?do=goals"]')?.text).toBe('the goals');
    expect(text).not.toContain('<');
    const history = await site.app.inject({ url: `/api/referrals/${id}/history`, headers: referrer.headers });
    expect(history.json().items.at(-1)).toMatchObject({ by: byLink });
  });

  it('a referral is completed with what came of its goals', async () => {
    const { id, browser, path, take } = await accepted();
    await take('goals', goal);
    const { page } = await browser.open(`${path}?do=complete`);
    expect(page.querySelector('[name="goal_1_result"][value="partly"]')?.hasAttribute('checked')).toBe(true);
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She sings.', gp_needed: 'no' };
    expect((await take('complete', { ...outcome, goal_1_result: 'achieved' })).status).toBe(303);
    expect(await read(id)).toMatchObject({ status: 'completed', goals: [{ result: 'achieved' }] });
  });

  it('a file is attached once; its name is shown, not its content', async () => {
    const { id, path, browser } = await accepted();
    const moved = await browser.open(`${path}?do=file`);
    expect([moved.status, moved.headers.location]).toEqual([303, `${path}/file`]);
    const form = await browser.open(`${path}/file`);
    expect(form.text).toContain('Attach a file');
    expect(form.html).not.toContain(path.split('/').at(-1)!);
    const send = (content: string, who?: Record<string, string>) =>
      upload(path, browser.cookie()!, content, who);
    for (let count = 0; count < 2; count += 1)
      expect((await send('%PDF-1.7 The plan.')).statusCode).toBe(303);
    const url = `/api/referrals/${id}/attachments`;
    const { items } = (await site.app.inject({ url, headers: referrer.headers })).json();
    expect(items).toMatchObject([{ name: 'plan.pdf', by: byLink }]);
    expect((await browser.open(path)).text).toContain('plan.pdf');
    for (const [answer, words] of [
      [await send('Not a picture'), 'must be a PDF, PNG or JPEG'],
      [await send('%PDF-1.7 x', { name: '', role: 'Manager' }), 'Enter your name'],
    ] as const)
      expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining(words)]);
  });

  it.each([
    ['appointment', { ...appointment, appointment_at: '' }, 'Enter when the appointment is'],
    ['appointment', { ...appointment, appointment_at: '2029-01-01T10:00' }, 'must be within a year'],
    ['measure', { ...measure, measure_value: '10' }, 'must be a whole number from 3 to 9'],
    ['measure', { ...measure, measure_value: '99' }, 'must be a whole number from 3 to 9'],
    ['measure', { ...measure, measure_by: '' }, 'Select who answered'],
    ['goals', { ...goal, goal_1_text: '' }, 'Enter the goal'],
    ['goals', { goal_1_need: 'arts-nature' }, 'Enter the goal'],
    ['measure', { ...measure, measure_code: '' }, 'Select what was measured'],
    ['appointment', { ...appointment, appointment_at: '2027-03-28T01:30' }, 'this time does not exist'],
    ['goals', { ...goal, role: '' }, 'Enter your role'],
  ])('%s refuses what is wrong, and keeps the rest', async (form, fields, words) => {
    const { id, take } = await accepted();
    const refused = await take(form, fields);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(words)]);
    expect(await addedTo(id)).toEqual({});
  });

  it('nothing works without the code, or after the day or the end', async () => {
    const { id, path, browser, take } = await accepted();
    const stranger = linkHolder(site);
    const tryAll = async (by: typeof browser) => {
      for (const [form, fields] of [
        ['appointment', appointment],
        ['measure', measure],
        ['goals', goal],
      ] as const)
        await by.send(`${path}?do=${form}`, { ...rosa, ...fields });
      await upload(path, by.cookie() ?? 'onward-answer=x', '%PDF-1.7 x');
      const url = `/api/referrals/${id}/attachments`;
      const { items } = (await site.app.inject({ url, headers: referrer.headers })).json();
      expect([await addedTo(id), items]).toEqual([{}, []]);
    };
    await tryAll(stranger);
    expect((await stranger.open(`${path}/file`)).headers.location).toBe(`${path}?do=file`);
    expect((await stranger.open(`${path}?do=file`)).text).toContain('you need a code');
    site.clock.moveOn(8 * hourMs);
    await renewToken(site.deps, referrer);
    await tryAll(browser);
    expect((await take('goals', goal)).text).not.toContain('Example');
  });
});
