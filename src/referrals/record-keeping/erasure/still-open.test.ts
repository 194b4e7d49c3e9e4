import { describe, expect, it } from 'vitest';
import { aReferral } from '../../../../test/app/builders.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { mailsTo } from '../../../../test/network/mailbox.ts';
import { recordsFixture } from '../../../../test/records/fixture.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { sendNotifications } from '../../index.ts';
import { insertPersonAnswer } from '../../model/person-page/person-pages-store.ts';

const { site, place, referrer, provider, operator, browser, get, post, why, asSeen, deliverAll, ...people } =
  await recordsFixture();
const { somebody } = people;

const outcome = { code: 'other', text: 'She goes to the choir now.' };
const page = (id: string) => `/operator/patients/referrals/${id}`;
const asked = { ...why, ground: 'consent-withdrawn' };
const told = () => ({ who_was_told: 'The duty manager', when: site.clock.now().toISOString() });

async function accepted() {
  const person = somebody();
  const said = aReferral(place.serviceId, { patient: person.patient, gp_practice: { ods_code: 'Z99001' } });
  const { body } = await post(referrer, '', said);
  await deliverAll(body.id);
  await post(provider, `/${body.id}/accept`, {}, asSeen(1));
  return { ...person, id: body.id as string, reference: body.reference as string };
}

/** Ended, with a letter to the practice on its way unless it is delivered. */
async function completed(id: string, more: object = {}) {
  const { status, body } = await post(provider, `/${id}/complete`, { outcome, ...more }, asSeen(2));
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Everything that an ended referral can still owe somebody, as far as tests make it by the API. */
async function referralWithDebts() {
  const made = await accepted();
  const measures = [{ code: 'ucla-3', stage: 'start', value: 9, by: 'person' }];
  expect((await post(referrer, `/${made.id}/measures`, { measures })).status).toBeLessThan(300);
  await post(provider, `/${made.id}/messages`, {
    text: 'She says that she wants to kill herself. Ring her.',
  });
  await completed(made.id, { gp_actions: [{ text: 'Check the blood pressure.' }] });
  return made;
}

const owed = [
  'the person gave a worrying answer to a question about how they are',
  'news of a danger was not read',
  'a letter or message was not sent yet, or may not have arrived',
  'the GP practice has not confirmed that it does what it was asked to do',
];

describe('erasing a referral that has ended', () => {
  it('is refused while somebody is still owed something', async () => {
    const { id, patient } = await referralWithDebts();
    const refused = await post(operator, `/${id}/erase`, asked);
    expect([refused.status, refused.body.type]).toEqual([409, expect.stringContaining('wrong-state')]);
    for (const item of owed) expect(refused.body.detail).toContain(item);
    expect(refused.text).not.toContain(patient.family_name);
    expect((await get(referrer, `/${id}`)).body.erased_at).toBeNull();

    const shown = await browser.open(page(id));
    for (const item of owed) expect(shown.text).toContain(item);
    const pressed = await browser.send(`${page(id)}/erase`, asked);
    expect(pressed.status).toBe(409);
    expect(pressed.text).toContain('Tell somebody who will deal with what is open, and enter who');
    expect((await get(referrer, `/${id}/deliveries`)).body.items.length).toBeGreaterThan(0);
  });

  it('is possible once the operator says who was told of it', async () => {
    const { id, patient } = await referralWithDebts();
    const tell = (given: object) => post(operator, `/${id}/erase`, { ...asked, told: given });
    const named = await tell({ ...told(), who_was_told: `Mrs ${patient.family_name}` });
    expect([named.status, named.body.errors[0].pointer]).toEqual([422, '/told/who_was_told']);
    const tomorrow = await tell({ ...told(), when: '2099-01-01T00:00:00Z' });
    expect([tomorrow.status, tomorrow.body.errors[0].pointer]).toEqual([422, '/told/when']);
    const fields = {
      told_who: 'The duty manager',
      told_at: site.clock.now().toISOString().slice(0, 16),
    };
    const done = await browser.send(`${page(id)}/erase`, { ...asked, ...fields });
    expect(done.location, done.text).toBe(`${page(id)}?done=erased`);
    const [entry] = await storedEntries(site.deps.db, { action: 'referral.erased', subjectId: id });
    expect(entry!.details).toMatchObject({
      ...asked,
      open: ['alarming-answer', 'unread-danger', 'unsent-letter', 'gp-task'],
      told: { who: 'The duty manager' },
    });
  });

  it('is asked again on a page of its own, which erases nothing', async () => {
    const { id, reference, patient } = await referralWithDebts();
    const { page: recordPage } = await browser.open(page(id));
    const form = recordPage.querySelector('form[action$="/erase"]')!;
    expect(form.querySelector('[name="ask_first"]')!.getAttribute('value')).toBe('yes');
    const labels = recordPage.querySelectorAll('form label').map(({ text }) => text.trim());
    expect(labels).toEqual(
      expect.arrayContaining(['Why do you restrict it?', 'Why do you hold it?', 'Why do you erase it?']),
    );
    const fields = { ...asked, told_who: 'The duty manager', told_at: told().when.slice(0, 16) };
    const reasonless = await browser.send(`${page(id)}/erase`, { ...fields, reason: '', ask_first: 'yes' });
    expect([reasonless.status, reasonless.text]).toEqual([422, expect.stringContaining('Enter a reason')]);
    const vague = { ...fields, reason: 'She asked us by letter', ask_first: 'yes' };
    expect((await browser.send(`${page(id)}/erase`, vague)).status).toBe(422);

    const question = await browser.send(`${page(id)}/erase`, { ...fields, ask_first: 'yes' });
    expect(question.status).toBe(200);
    for (const each of [reference, 'for good?', 'What is lost', ...owed])
      expect(question.text).toContain(each);
    expect(question.text).not.toContain(patient.family_name);
    expect(question.page.querySelector('main form a')!.getAttribute('href')).toBe(page(id));
    expect((await get(referrer, `/${id}`)).body.erased_at).toBeNull();

    const entered = question.page
      .querySelectorAll('main form input')
      .map((each) => [each.getAttribute('name'), each.getAttribute('value')]);
    expect(Object.fromEntries(entered)).toEqual(fields);
    const done = await browser.send(`${page(id)}/erase`, Object.fromEntries(entered));
    expect(done.location, done.text).toBe(`${page(id)}?done=erased`);
  });

  it('is refused for a wish to stop that no job has seen yet', async () => {
    const { id } = await accepted();
    await completed(id);
    await deliverAll(id);
    const answer = { id: newId(), referralId: id, at: site.clock.now(), answer: 'no-longer-wanted' } as const;
    await inTransaction(site.deps.db, (trx) => insertPersonAnswer(trx, answer));
    const refused = await post(operator, `/${id}/erase`, asked);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('no longer want')]);
  });

  it('needs no such word once nothing is open', async () => {
    const { id } = await accepted();
    await completed(id);
    await deliverAll(id);
    expect((await browser.open(page(id))).text).not.toContain('Somebody is still owed something');
    expect((await post(operator, `/${id}/erase`, asked)).status).toBe(200);
  });

  it('is told to both sides, without person or service', async () => {
    const { id, reference, values } = await accepted();
    await completed(id);
    await deliverAll(id);
    await sendNotifications(site.deps);
    await post(operator, `/${id}/erase`, asked);
    await sendNotifications(site.deps);
    for (const { email } of [referrer, provider]) {
      const mails = (await mailsTo(site, email)).filter(({ text }) => text.includes(reference));
      const [mail, ...more] = mails.filter(({ subject }) => subject.includes('was erased'));
      expect([mail === undefined, more]).toEqual([false, []]);
      for (const value of [...values, place.serviceName, place.organizationName])
        expect(mail!.subject + mail!.text).not.toContain(value);
    }
  });
});
