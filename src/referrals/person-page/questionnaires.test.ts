import { beforeAll, describe, expect, it } from 'vitest';
import { removePassword, storePasskey } from '../../../test/accounts/stored.ts';
import { anAccount } from '../../../test/app/builders.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { personPageFixture } from '../../../test/referrals/person-page-fixture.ts';
import { switchOnQuestionnaires } from '../../../test/referrals/stored.ts';
import {
  callerOf,
  disableAccount,
  enableAccount,
  endLeave,
  findAccount,
  setLeave,
} from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { readWorklist } from '../listing/worklist/list-work.ts';
import { londonDate } from '../model/due/dates.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';
import { listRows } from '../pages/lists/list-rows.ts';
import { watchQuestionnaires } from './watch-questionnaires.ts';

const { site, referrer, provider, operator, get, post, later, ...people } = await personPageFixture();
const { referWithPage, makeReferral, telephone, openedBy, mails, codeTo } = people;

const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const owner = await anAccount(site.deps, { name: 'Olive Owner', organisation });
const deputy = await anAccount(site.deps, { name: 'Dev Deputy', organisation });

const minute = 60_000;
const day = 1440 * minute;

/** Four answers that worry nobody, unless others are given. */
const answers = (given: Record<string, string> = {}) => ({
  step: 'answers',
  which: 'ons4',
  'ons4-life-satisfaction': '6',
  'ons4-worthwhile': '7',
  'ons4-happiness': '6',
  'ons4-anxiety': '3',
  ...given,
});
const ask = { step: 'ask', which: 'ons4' };

const measuresOf = async (id: string) => (await get(referrer, `/${id}`)).body.measures ?? [];
const promptOf = async (id: string, kind = 'alarming-answer') => {
  await updatePrompts(site.deps);
  return (await get(referrer, `/${id}`)).body.prompts.find((each: { kind: string }) => each.kind === kind);
};
const act = async (id: string, action: string, body: object = {}) => {
  const { version } = (await get(provider, `/${id}`)).body;
  expect((await post(provider, `/${id}/${action}`, body, version)).status).toBe(200);
};
const completed = async (id: string) => {
  for (const action of ['accept', 'start']) await act(id, action);
  await act(id, 'complete', { outcome: { code: 'other', text: 'Done.' } });
};
async function opened() {
  const page = await referWithPage();
  const phone = telephone();
  return { ...page, phone, shown: await openedBy(phone, page) };
}
/** Everybody of the organisation that refers. */
const everybody = [referrer.id, people.colleague.id, owner.id, deputy.id];
const away = new Set<string>();
const onLeave = async (ids: string[]) => {
  const firstDay = londonDate(site.clock.now());
  const lastDay = londonDate(new Date(site.clock.now().getTime() + 14 * day));
  for (const id of ids) {
    away.add(id);
    const others = everybody.filter((other) => other !== id);
    const standIn = others.find((other) => !away.has(other)) ?? others[0]!;
    await setLeave(site.deps, siteActor, { id }, { firstDay, lastDay, standIn });
  }
};
const backAtWork = async (ids: string[]) => {
  for (const id of ids) {
    away.delete(id);
    await endLeave(site.deps, siteActor, { id });
  }
};
const subjectsTo = async (email: string) => (await mails(email)).map(({ subject }) => subject);

describe('the questionnaires of an organisation', () => {
  it('ask nobody while no owner is named', async () => {
    const { phone, path, id, shown } = await opened();
    expect(shown.text).not.toContain('How are you?');
    await phone.send(path, answers());
    expect(await measuresOf(id)).toEqual([]);
  });
});

describe('a questionnaire on the person’s page', () => {
  beforeAll(() => switchOnQuestionnaires(site.deps.db, { owner: owner.id, deputy: deputy.id }));

  it('is stored as four measures, never added up, and asked once', async () => {
    const { phone, path, id, shown } = await opened();
    expect(shown.text).toContain('How are you?');
    const form = await phone.send(path, ask);
    expect(form.text).toContain('Overall, how satisfied are you with your life nowadays?');
    await Promise.all([phone.send(path, answers()), phone.send(path, answers())]);
    const others = await phone.send(path, answers({ 'ons4-happiness': '0' }));
    expect(others.text, 'are not taken for a second press').toContain('Your answers were not sent');
    const own = {
      stage: 'start',
      by: 'person',
      mode: 'online',
      taken_at: expect.any(String),
      alarming: false,
    };
    expect(await measuresOf(id)).toEqual([
      { code: 'ons4-life-satisfaction', value: 6, ...own },
      { code: 'ons4-worthwhile', value: 7, ...own },
      { code: 'ons4-happiness', value: 6, ...own },
      { code: 'ons4-anxiety', value: 3, ...own },
    ]);
    const after = (await phone.open(path)).text;
    expect(after).toContain('You answered questions about how you are');
    expect(after).not.toContain('Answer four questions');
    expect(await promptOf(id)).toBeUndefined();
  });

  it('keeps what is half filled in on the page, and stores none', async () => {
    const { phone, path, id } = await opened();
    const { 'ons4-happiness': _, ...half } = answers({ 'ons4-worthwhile': '11' });
    const { status, text, page } = await phone.send(path, half);
    expect(status).toBe(422);
    for (const number of [2, 3]) expect(text).toContain(`Question ${number}: select an answer`);
    expect(text).not.toContain('Question 1: select');
    expect(page.querySelector('[name="ons4-life-satisfaction"][value="6"]')?.hasAttribute('checked')).toBe(
      true,
    );
    const none = Object.fromEntries(
      Object.keys(answers()).map((name) => [
        name,
        name.startsWith('ons4-') ? 'not-said' : answers()[name as 'step'],
      ]),
    );
    expect((await phone.send(path, none)).text).toContain('Answer at least one question');
    expect(await measuresOf(id)).toEqual([]);
    await phone.send(path, answers({ 'ons4-happiness': 'not-said' }));
    expect(await measuresOf(id)).toHaveLength(3);
  });

  it('keeps the answers where the page has closed meanwhile', async () => {
    const { phone, path, email, id } = await opened();
    site.clock.moveOn(31 * minute);
    const closed = await phone.send(path, answers());
    expect(closed.text).toContain('Your answers are not sent yet');
    const { step: _, ...kept } = answers();
    for (const [name, value] of Object.entries(kept))
      expect(closed.page.querySelector(`[name="${name}"]`)?.getAttribute('value')).toBe(value);
    await phone.send(path, { ...kept, step: 'code' });
    const again = await phone.send(path, { ...kept, step: 'open', code: (await codeTo(email))! });
    expect(again.page.querySelectorAll('input[checked]')).toHaveLength(4);
    await phone.send(path, answers());
    expect(await measuresOf(id)).toHaveLength(4);
  });

  it('says that nobody has read answers that came too late', async () => {
    const worst = answers({ 'ons4-happiness': '0' });
    const cancelled = await opened();
    const { version } = (await get(referrer, `/${cancelled.id}`)).body;
    const why = { status_reason: { code: 'other', text: 'She moved away.' } };
    await post(referrer, `/${cancelled.id}/cancel`, why, version);
    const withoutDesk = await opened();
    const ended = await opened();
    await post(referrer, `/${ended.id}/person-page/end`, {});
    await onLeave([owner.id, deputy.id]);
    for (const { phone, path, id } of [cancelled, withoutDesk]) {
      const { status, text } = await phone.send(path, worst);
      expect(status).toBe(409);
      for (const words of ['Your answers were not sent', 'Nobody has read them', '116 123', '999'])
        expect(text).toContain(words);
      expect(text).toMatch(/how happy did you feel yesterday\? 0/);
      expect(await measuresOf(id)).toEqual([]);
    }
    await backAtWork([owner.id, deputy.id]);
    const { status, text } = await ended.phone.send(ended.path, worst);
    expect([status, text.includes('Your answers were not sent'), text.includes('116 123')]).toEqual([
      404,
      true,
      true,
    ]);
  });

  it('shows whom to call after a worrying answer; gives a row', async () => {
    const { phone, path, id } = await opened();
    await phone.send(path, answers({ 'ons4-happiness': '2' }));
    const { text } = await phone.open(path);
    for (const words of ['Things seem to be hard for you', '116 123', '999', 'option 2'])
      expect(text).toContain(words);
    // Saturday: the next working day is Monday.
    expect(await promptOf(id)).toMatchObject({
      side: 'referrer',
      owner: { name: 'Olive Owner' },
      due_on: '2026-11-23',
    });
    expect(
      (await get(provider, `/${id}`)).body.measures.map((each: { alarming: boolean }) => each.alarming),
    ).toEqual([...[false, false, true, false]]);
  });

  it('comes first in the owner’s worklist, also once completed', async () => {
    const { phone, path, id } = await opened();
    await phone.send(path, answers({ 'ons4-happiness': '1' }));
    await completed(id);
    const { due_on } = await promptOf(id);
    const declined = await makeReferral();
    await act(declined.id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } });
    const caller = callerOf((await findAccount(site.deps.db, owner.id))!, 'session');
    for (const tab of ['all', 'waiting']) {
      const request = { list: 'made', tab } as const;
      const { rows } = await readWorklist(site.deps, caller, request, {
        page: 1,
        pageLength: 50,
        ipAddress: '::1',
      });
      const worked = await listRows(site.deps, caller, rows);
      const place = (wanted: string) => worked.findIndex((each) => each.id === wanted);
      expect(worked[place(id)]).toMatchObject({ due: { date: due_on } });
      expect(place(id)).toBeLessThan(place(declined.id));
    }
  });

  it('gives the owner a row for the service’s end measures too', async () => {
    const { id } = await makeReferral();
    for (const action of ['accept', 'start']) await act(id, action);
    const measures = [{ code: 'ons4-happiness', stage: 'end', value: 3 }];
    await act(id, 'complete', { outcome: { code: 'other', text: 'Done.', measures } });
    expect(await promptOf(id)).toMatchObject({ owner: { name: 'Olive Owner' } });
  });

  it('gives the row to the deputy once late; it outlasts the end', async () => {
    const { phone, path, id } = await opened();
    await phone.send(path, answers({ 'ons4-anxiety': '9' }));
    const first = await promptOf(id);
    await completed(id);
    expect(await promptOf(id)).toEqual(first);
    await later(4 * day);
    expect(await promptOf(id)).toMatchObject({ owner: { name: 'Dev Deputy' }, due_on: first.due_on });
    await post(referrer, `/${id}/prompts/${first.id}/dismiss`, { reason: 'Rang: she is safe.' });
    expect(await promptOf(id)).toBeUndefined();
  });

  it('asks what was done about a worrying answer; both sides read', async () => {
    const { phone, path, id } = await opened();
    await phone.send(path, answers({ 'ons4-anxiety': '9' }));
    const prompt = await promptOf(id);
    const dismiss = (body: object) => post(referrer, `/${id}/prompts/${prompt.id}/dismiss`, body);
    for (const body of [{}, { reason: ' ' }, { reason: 'done' }]) {
      const refused = await dismiss(body);
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/reason']);
    }
    expect(await promptOf(id)).toEqual(prompt);
    const reason = 'Rang her on Monday: she is safe, and sees her GP tomorrow.';
    expect((await dismiss({ reason })).status).toBe(200);
    for (const side of [referrer, provider]) {
      const lines = (await get(side, `/${id}/history`)).body.items;
      expect(lines.at(-1)).toMatchObject({
        kind: 'alarming-answer-settled',
        reason: { code: 'other', text: reason },
      });
    }
  });

  it('emails the owner of a worrying answer as urgent', async () => {
    const { phone, path, id } = await opened();
    await phone.send(path, answers({ 'ons4-anxiety': '9' }));
    await promptOf(id);
    const { reference } = (await get(referrer, `/${id}`)).body;
    const urgent = (await subjectsTo(owner.email)).filter((each) => each.includes(reference));
    expect(urgent).toEqual([
      expect.stringMatching(/^Urgent: a referral needs you by the end of \d+ November 2026: /),
    ]);
  });

  it('tells its owner that a colleague dealt with an answer', async () => {
    const { phone, path, id } = await opened();
    await phone.send(path, answers({ 'ons4-anxiety': '9' }));
    expect((await promptOf(id)).owner).toEqual({ name: 'Olive Owner' });
    const told = async () =>
      (await mails(owner.email)).filter(({ subject }) => subject.includes('dealt with referral'));
    const before = (await told()).length;
    const colleague = await signedInBrowser(site, { role: 'referrer', organisation });
    const { page } = await colleague.open(`/referrals/${id}`);
    const form = page.querySelector('form[action$="/dismiss"]')!.getAttribute('action')!;
    const refused = await colleague.send(form, { reason: 'ok' });
    expect([refused.status, refused.text.includes('Say what was done in a few words')]).toEqual([422, true]);
    const reason = 'Rang her on Monday: she is safe.';
    expect((await colleague.send(form, { reason })).status).toBe(303);
    const sent = (await told()).slice(before);
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent)).not.toContain('she is safe');
    const shown = (await colleague.open(`/referrals/${id}`)).text;
    expect(shown).toContain(`What was done: ${reason}`);
    expect(shown).toContain('The person answered questions on their page');
    await disableAccount(site.deps, siteActor, { id: colleague.id });
  });

  it('asks again at the end, reminds once, and says what changed', async () => {
    const { phone, path, email, id } = await opened();
    await phone.send(path, answers());
    await completed(id);
    const before = (await subjectsTo(email)).length;
    for (const passed of [6, 1, 1]) {
      await later(passed * day);
      await watchQuestionnaires(site.deps);
    }
    expect((await subjectsTo(email)).length).toBe(before + 1);
    await openedBy(phone, { path, email });
    await phone.send(path, answers({ 'ons4-life-satisfaction': '9', 'ons4-anxiety': '5' }));
    const { measure_changes } = (await get(referrer, `/${id}`)).body;
    expect(measure_changes.map(({ change }: { change: number }) => change)).toEqual([
      'better',
      'same',
      'same',
      'worse',
    ]);
    expect(await promptOf(id, 'end-measure-due')).toBeUndefined();
  });

  it('reminds staff once of an end where the person has no page', async () => {
    const { id } = await makeReferral();
    const score = (stage: string) => ({ code: 'swemwbs', stage, value: 21, by: 'person' });
    await post(referrer, `/${id}/measures`, { measures: [score('start')] });
    for (const action of ['accept', 'start']) await act(id, action);
    await later(91 * day);
    await watchQuestionnaires(site.deps);
    const prompt = await promptOf(id, 'end-measure-due');
    expect(prompt).toMatchObject({ side: 'referrer', due_on: null });
    const told = await subjectsTo(referrer.email);
    await later(20 * day);
    await watchQuestionnaires(site.deps);
    await promptOf(id);
    expect((await subjectsTo(referrer.email)).filter((each) => each.includes('needs somebody'))).toEqual(
      told.filter((each) => each.includes('needs somebody')),
    );
    await post(referrer, `/${id}/measures`, { measures: [score('end')] });
    expect(await promptOf(id, 'end-measure-due')).toBeUndefined();
  });

  it('switches itself off while the owner cannot sign in', async () => {
    const { phone, path, shown } = await opened();
    expect(shown.text).toContain('How are you?');
    await disableAccount(site.deps, siteActor, { id: deputy.id });
    for (let time = 0; time < 2; time += 1) await watchQuestionnaires(site.deps);
    expect((await phone.open(path)).text).not.toContain('How are you?');
    const told = (await subjectsTo(operator.email)).filter((each) => each.includes('worrying answers'));
    expect(told).toEqual([expect.stringContaining('Nobody looks into worrying answers')]);
    await enableAccount(site.deps, siteActor, { id: deputy.id });
    expect((await phone.open(path)).text).toContain('How are you?');
    await removePassword(site.deps.db, deputy.id);
    expect((await phone.open(path)).text, 'was only invited').not.toContain('How are you?');
    await storePasskey(site.deps.db, deputy.id);
    expect((await phone.open(path)).text).toContain('How are you?');
  });

  it('asks nobody while owner and deputy are away; tells operators', async () => {
    const { phone, path } = await opened();
    // They are on again, so that the next time is news.
    await watchQuestionnaires(site.deps);
    await onLeave([owner.id]);
    expect((await phone.open(path)).text).toContain('How are you?');
    await onLeave([deputy.id]);
    expect((await phone.open(path)).text).not.toContain('How are you?');
    const before = (await subjectsTo(operator.email)).length;
    for (let time = 0; time < 2; time += 1) await watchQuestionnaires(site.deps);
    expect((await subjectsTo(operator.email)).length).toBe(before + 1);
    await backAtWork([owner.id, deputy.id]);
    expect((await phone.open(path)).text).toContain('How are you?');
  });

  it('promises a call only when somebody is there to make it', async () => {
    const { phone, path, id } = await opened();
    await act(id, 'accept');
    await phone.send(path, { step: 'not-helped' });
    const promise = 'They will contact you by the end of the next working day';
    expect((await phone.open(path)).text).toContain(promise);
    await onLeave(everybody);
    const { text } = await phone.open(path);
    expect(text).not.toContain(promise);
    expect(text).toMatch(/are away\. They are back on \d+ \w+ 20\d\d/);
    await backAtWork([people.colleague.id]);
    expect((await phone.open(path)).text).toContain(promise);
    await backAtWork([referrer.id, owner.id, deputy.id]);
  });
});
