import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { up as keepReferralsOfCopies } from '../../../migrations/0116-keep-referrals-of-copies.ts';
import { aReferral, aTestNhsNumber } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { recordsFixture } from '../../../test/records/fixture.ts';
import { forgetReferralsOfCopy } from '../../../test/referrals/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import {
  deleteOldCopies,
  emptyCopies,
  listCopies,
  listMarks,
  listRecordsOfCopy,
  setHandedOut,
} from './copies-store.ts';

const {
  site,
  place,
  referrer,
  provider,
  operator,
  browser,
  call,
  get,
  post,
  why,
  uuid,
  pdf,
  aCompletedReferral,
  makeReferral,
  packedCopy,
  review,
  handedOut,
  expectNothingOf,
} = await recordsFixture();
const { db } = site.deps;

const ask = (body: object, who = operator) => call(who, 'POST', '/api/patients/export', { body });
const pageOf = ({ id }: { id: string }) => `/operator/patients/copies/${id}`;
const recordOf = ({ id }: { id: string }, who = operator) =>
  call(who, 'GET', `/api/patients/copies/${id}/record`);

async function zipOf(copy: { id: string }): Promise<Record<string, Buffer>> {
  const answer = await site.app.inject({
    method: 'POST',
    url: `${pageOf(copy)}/hand-out`,
    headers: { ...browser.headers, 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip']);
  return unzip(answer.rawPayload);
}

/** The path of the page that leaves out the part with this text. */
async function partWith(copy: { id: string }, text: string): Promise<string> {
  const { page } = await browser.open(pageOf(copy));
  const item = page.querySelectorAll('.onward-parts > li').find((each) => each.text.includes(text));
  const [, part] = /part=([^&]+)/.exec(item!.querySelector('a[href*=leave-out]')!.getAttribute('href')!)!;
  return decodeURIComponent(part!);
}

const thirdParty = { ground: 'third_party', reason: 'She did not agree that it is told.' };

describe('a copy of a record', () => {
  it('is packed first, and given out only after a review', async () => {
    const { id, patient } = await aCompletedReferral();
    const packed = await site.app.inject({
      method: 'POST',
      url: '/api/patients/export',
      headers: operator.headers,
      payload: { nhs_number: patient.nhs_number, ...why },
    });
    const copy = packed.json();
    const address = `${site.deps.settings.baseUrl}/api/patients/copies/${copy.id}`;
    expect([packed.statusCode, packed.headers.location]).toEqual([201, address]);
    const packedBy = { packed: { by: { name: 'Olga Operator' } }, reviewed: null, handed_out: null };
    expect(copy).toMatchObject({ status: 'to_review', purpose: 'person', referrals: 1, ...why, ...packedBy });
    expectNothingOf([patient.family_name, patient.nhs_number], packed.body, 'the answer');

    const refused = await recordOf(copy);
    expect([refused.status, refused.body.type]).toEqual([409, expect.stringContaining('copy-not-reviewed')]);
    expect((await browser.send(`${pageOf(copy)}/hand-out`, {})).status).toBe(409);
    const sent = setHandedOut(db as never, copy.id, { at: site.clock.now(), name: 'Somebody' });
    await expect(sent, 'the database').rejects.toThrow('record_copies_handed_out');

    await review(copy.id);
    const state = (await call(operator, 'GET', `/api/patients/copies/${copy.id}`)).body;
    expect(state).toMatchObject({ status: 'reviewed', reviewed: { by: { name: 'Olive Operator' } } });
    expect((await recordOf(copy)).body.referrals[0].referral.id).toBe(id);
    const after = (await call(operator, 'GET', `/api/patients/copies/${copy.id}`)).body;
    expect(after).toMatchObject({ status: 'handed_out', handed_out: { by: { name: 'Olga Operator' } } });

    const steps = ['record_copy.packed', 'record_copy.read', 'record_copy.reviewed', 'patient.exported'];
    for (const action of steps)
      expect(await storedEntries(db, { action, subjectId: copy.id }), action).not.toEqual([]);
    const openings = (await get(referrer, `/${id}/openings`)).body.items;
    const readers = openings.map(({ by, reason }: any) => [by.name, reason]).sort();
    const byBoth = ['Olga Operator', 'Olive Operator'].map((name) => [name, why.reason]);
    expect(readers, 'the referrer reads of each operator once').toEqual(byBoth);
  });

  it('has everything, and what was done with it is in the audit', async () => {
    const { id, mark, patient, said, attachment } = await aCompletedReferral();
    const twin = { ...patient, given_name: 'Gemini', nhs_number: undefined };
    await post(referrer, '', aReferral(place.serviceId, { patient: twin }));
    const namesake = { ...patient, nhs_number: aTestNhsNumber(900) };
    const other = await post(referrer, '', {
      ...aReferral(place.serviceId, { patient: namesake }),
      allow_duplicate: true,
    });
    expect(other.status).toBe(201);
    const { nhs_number: _, ...unnumbered } = patient;
    site.clock.moveOn(1);
    const draft = await post(referrer, '', { status: 'draft', patient: unnumbered });
    await post(operator, `/${id}/restrict`, why);

    const { given_name, family_name, birth_date, nhs_number } = patient;
    // As it is printed, and as it is kept.
    const spaced = { reason: ` ${why.reason} ` };
    const byNumber = await handedOut({ nhs_number: nhs_number.replace(/(...)(...)/, '$1 $2 ') }, spaced);
    expect(byNumber.referrals.map((each: any) => each.referral.id)).toEqual([id]);
    const byBoth = await handedOut({ nhs_number, given_name, family_name, birth_date });
    expect(byBoth.referrals.map((each: any) => each.referral.id)).toEqual([id, draft.body.id]);
    const [record] = byNumber.referrals;
    expect(record.referral).toMatchObject({ patient, what_matters: said.what_matters, restricted: true });
    expect(record.referral.outcome.text).toBe(`outcome ${mark}`);
    expect(record.history.map((line: any) => line.reason?.text)).toContain(`hold ${mark}`);
    expect(record.messages).toMatchObject([{ text: `message ${mark}` }]);
    expect(record.attachments).toMatchObject([{ id: attachment, name: `${mark}.pdf` }]);
    expect(record.deliveries.length).toBe(3);
    expect(record.openings).toMatchObject([{ by: { name: 'Olga Operator' }, ...why }]);
    expect(record.restrictions).toMatchObject([{ ...why, lifted: null }]);
    const did = record.audit.map((entry: { action: string }) => entry.action);
    const acts = ['referral.requested', 'referral.accepted', 'referral.packed'];
    expect(did).toEqual(expect.arrayContaining(acts));
    expect(byNumber.left_out).toEqual([]);
    await post(operator, `/${id}/unrestrict`, why);
    expect((await get(operator, `/${id}`)).body.patient, 'no key to what it says').toBeUndefined();
    const entries = await storedEntries(db, { action: 'patient.exported' });
    expect(entries.map(({ details }) => details)).toContainEqual({ referrals: [id], ...why });
  });

  it('is packed, reviewed and downloaded by pages, as one file', async () => {
    const { id, mark, values, patient, attachment } = await aCompletedReferral();
    const form = { nhs_number: patient.nhs_number };
    const found = await browser.send('/operator/patients', { ...form, ...why });
    expect(found.page.querySelector('form[action$=export] [name=reason]')!.getAttribute('value')).toBe(
      why.reason,
    );
    expect(found.page.querySelector(`a[href="/operator/patients/referrals/${id}"]`)).not.toBeNull();
    expectNothingOf([mark], found.page.toString(), 'the page of what is held');
    const unreasoned = await browser.send('/operator/patients/export', { ...form, reason: '' });
    const complaints = unreasoned.page.querySelectorAll('.nhsuk-error-summary__list li');
    expect([unreasoned.status, complaints.map((each) => each.text.trim())]).toEqual([
      422,
      ['Enter a reason'],
    ]);
    const unaddressed = await browser.send('/operator/patients/export', { ...form, ...why });
    expect([unaddressed.status, unaddressed.text]).toEqual([
      422,
      expect.stringContaining('Select who gets the copy'),
    ]);
    expect(unaddressed.text).toContain('What is held');
    expect(unaddressed.page.querySelector(`a[href="/operator/patients/referrals/${id}"]`)).not.toBeNull();
    expect(unaddressed.page.querySelector('details.onward-fold[open]')).toBeNull();

    const packed = await browser.send('/operator/patients/export', { ...form, ...why, purpose: 'person' });
    const [, copyId = ''] = /copies\/([^?]+)\?done=packed$/.exec(packed.location!)!;
    const copy = { id: copyId };
    expect((await browser.open(packed.location!)).text).toContain(`message ${mark}`);
    expect((await browser.open('/operator/patients/copies')).text).toContain('To review');
    const file = await site.app.inject({
      url: `${pageOf(copy)}/files/${attachment}`,
      headers: browser.headers,
    });
    expect([file.headers['content-disposition'], file.rawPayload]).toEqual([
      expect.stringContaining('attachment'),
      pdf(mark),
    ]);
    await review(copyId);

    const answer = await site.app.inject({
      method: 'POST',
      url: `${pageOf(copy)}/hand-out`,
      headers: { ...browser.headers, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expectNothingOf(values, JSON.stringify(answer.headers), 'its headers');
    const files = await unzip(answer.rawPayload);
    expect(Object.keys(files).map((name) => name.replace(/files\/[^/]+/, 'files/…'))).toEqual([
      'record.json',
      'record.html',
      `files/…/1-${mark}.pdf`,
    ]);
    const [record] = JSON.parse(String(files['record.json'])).referrals;
    expect(record.attachments[0].id).toBe(attachment);
    const said = [
      patient.address.lines[0],
      `reason ${mark}`,
      `message ${mark}`,
      `outcome ${mark}`,
      `hold ${mark}`,
    ];
    for (const text of said) expect(String(files['record.html'])).toContain(text);
    expect(Object.values(files)[2]).toEqual(pdf(mark));
    const html = String(files['record.html']);
    for (const words of ['Routine', 'Another outcome', 'made it', 'accepted it', 'sent'])
      expect(html).toContain(words);
    expect(html).not.toMatch(/acknowledged|referral (requested|read)|>(routine|female)</);
  });

  it('says of a draft which consent is not recorded yet', async () => {
    const nhs_number = aTestNhsNumber(901);
    await post(referrer, '', { status: 'draft', patient: { nhs_number }, consent: { referral: true } });
    const copy = await packedCopy({ nhs_number });
    await review(copy.id);
    expect(String((await zipOf(copy))['record.html'])).toContain('To tell your GP practice: not recorded');
  });

  it('is of one person, and its reason does not name them', async () => {
    const { patient } = await makeReferral();
    const { given_name, family_name, birth_date, nhs_number } = patient;
    const pointers = async (body: object) =>
      (await ask(body)).body.errors.map((each: { pointer: string }) => each.pointer);
    expect(await pointers({ family_name, birth_date, ...why })).toEqual(['/given_name']);
    expect(await pointers({ ...why })).toEqual(['/nhs_number']);
    expect(await pointers({ nhs_number })).toEqual(['/reason']);
    expect(await pointers({ nhs_number, ...why, colour: 'red' })).toEqual(['/colour']);
    for (const reason of [
      `For ${family_name.toUpperCase()}.`,
      `${nhs_number.slice(0, 3)} ${nhs_number.slice(3)}`,
    ])
      expect(await pointers({ nhs_number, reason })).toEqual(['/reason']);
    const copy = await packedCopy({ nhs_number });
    for (const who of [referrer, provider]) {
      expect((await ask({ nhs_number, ...why }, who)).status).toBe(403);
      expect((await recordOf(copy, who)).status).toBe(403);
    }
    expect((await recordOf({ id: uuid })).status).toBe(404);
    const nobody = { given_name, family_name, birth_date: '1901-01-01', ...why };
    const nothing = await ask(nobody);
    expect([nothing.status, nothing.body.referrals]).toEqual([200, []]);
    expect(site.logLines.join('')).not.toContain(family_name);
    expect((await browser.send('/operator/patients', { family_name, ...why })).text).toContain(
      'Enter the first name, too',
    );
  });

  it('says what was decided about the opt-out, beyond care', async () => {
    const { nhs_number } = (await makeReferral()).patient;
    const purpose = 'beyond_care';
    const checked = { decision: 'not_opted_out', because: 'Checked on 3 November with the list.' };
    const errors = async (body: object) =>
      (await ask({ nhs_number, ...why, ...body })).body.errors.map(
        (each: { pointer: string }) => each.pointer,
      );
    expect(await errors({ purpose })).toEqual(['/opt_out']);
    expect(await errors({ opt_out: checked })).toEqual(['/opt_out']);
    expect(await errors({ purpose, opt_out: { ...checked, because: 'No.' } })).toEqual(['/opt_out/because']);
    const made = await ask({ nhs_number, ...why, purpose, opt_out: checked });
    expect(made.body).toMatchObject({ purpose, opt_out: checked });
    const [entry] = await storedEntries(db, { action: 'record_copy.packed', subjectId: made.body.id });
    expect(entry!.details).toEqual({ purpose, opt_out: 'not_opted_out' });

    const form = { nhs_number, ...why, purpose };
    const undecided = await browser.send('/operator/patients/export', form);
    expect(undecided.text).toContain('Select what was decided about the opt-out');
    const unexplained = await browser.send('/operator/patients/export', {
      ...form,
      opt_out: 'does_not_apply',
    });
    expect(unexplained.text).toContain('Enter how you know that');
    const because = { opt_out: 'does_not_apply', opt_out_because: 'She consents to this study.' };
    const packed = await browser.send('/operator/patients/export', { ...form, ...because });
    expect((await browser.open(packed.location!)).text).toContain('She consents to this study.');
  });
});

describe('what is left out of a copy', () => {
  it('is in no form of it, and kept with who decided it and why', async () => {
    const { patient, id, mark } = await aCompletedReferral();
    const neighbour = 'Karen Smith';
    site.clock.moveOn(1);
    await post(referrer, `/${id}/messages`, { text: `${neighbour} rang about her.` });
    site.clock.moveOn(1);
    await post(referrer, `/${id}/messages`, { text: 'Her sister owes her money.' });
    const copy = await packedCopy({ nhs_number: patient.nhs_number });
    const address = `${pageOf(copy)}/leave-out`;

    // Ids begin with their moment.
    const send = async (form: Record<string, string>) => {
      site.clock.moveOn(1);
      return browser.send(address, form);
    };
    const everywhere = { part: '', words: `  ${neighbour.toLowerCase()}`, ...thirdParty };
    expect((await send(everywhere)).status).toBe(303);
    const byName = { part: '', words: mark, ground: 'other', reason: 'Schedule 2, paragraph 19.' };
    expect((await send(byName)).status).toBe(303);
    const part = await partWith(copy, 'owes her money');
    expect((await browser.open(`${address}?part=${part}`)).text).toContain('owes her money');
    const held = await send({ part, how: 'hold_back', ...thirdParty });
    expect(held.location).toBe(`${pageOf(copy)}?done=left-out#part-${part.replaceAll('/', '-')}`);

    const shown = await browser.open(pageOf(copy));
    expect(shown.text).toContain('In the copy: Test Person');
    expect(shown.text).toMatch(/Held back: A message \(show\)/);
    const preview = await browser.open(`${pageOf(copy)}/preview`);
    for (const text of [neighbour, 'owes her money']) expectNothingOf([text], preview.text, 'the preview');
    expect(preview.text).toContain('A message, referral');

    await review(copy.id);
    const files = await zipOf(copy);
    const everything = [...Object.keys(files), files['record.json'], files['record.html']].join('\n');
    expectNothingOf([neighbour, 'owes her money'], everything, 'the zip');
    expect(everything, 'whole words').not.toMatch(new RegExp(`\\b${mark}\\b`));
    const { body } = await recordOf(copy);
    expectNothingOf([neighbour, 'owes her money'], JSON.stringify(body), 'the answer');
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`\\b${mark}\\b`));
    expect(body.referrals[0].messages.map(({ text }: { text: string }) => text)).toEqual([
      'message █████',
      '█████ rang about her.',
    ]);
    expect(body.referrals[0].attachments[0].name).toBe('█████.pdf');
    expect(
      body.left_out.map(({ what, how, because }: Record<'what' | 'how' | 'because', string>) => [
        what,
        how,
        because,
      ]),
    ).toEqual([
      ['Words', 'blacked_out', 'third_party'],
      ['Words', 'blacked_out', 'other'],
      ['A message', 'held_back', 'third_party'],
    ]);
    const marks = await listMarks(db, copy.id);
    expect(marks).toMatchObject([
      { words: neighbour.toLowerCase(), reason: thirdParty.reason, byName: 'Olive Operator' },
      { words: mark },
      { path: part, words: null },
    ]);
    const audited = await storedEntries(db, { action: 'record_copy.marked', subjectId: copy.id });
    expectNothingOf([neighbour, thirdParty.reason], JSON.stringify(audited), 'the audit');
  });

  it('leaves no trace where it could cause serious harm', async () => {
    const { patient, id } = await aCompletedReferral();
    site.clock.moveOn(60_000);
    await post(provider, `/${id}/messages`, { text: 'The result of her test is bad.' });
    const copy = await packedCopy({ nhs_number: patient.nhs_number });
    const written = (record: any) =>
      record.audit.filter(({ action }: { action: string }) => action === 'referral.message_sent').length;
    const before = written((await listRecordsOfCopy(db, copy.id))[0]);
    const part = await partWith(copy, 'her test is bad');
    await browser.send(`${pageOf(copy)}/leave-out`, {
      part,
      how: 'hold_back',
      ground: 'serious_harm',
      reason: 'Dr Patel says that it would harm her.',
    });
    await review(copy.id);
    const { body } = await recordOf(copy);
    expect([body.left_out, body.referrals[0].messages.length]).toEqual([[], 1]);
    expect(written(body.referrals[0])).toBe(before - 1);
    expect(String((await zipOf(copy))['record.html'])).not.toContain('What was left out');
  });

  it('is refused without words the part has, a ground and a reason', async () => {
    const { patient } = await aCompletedReferral();
    const copy = await packedCopy({ nhs_number: patient.nhs_number });
    const address = `${pageOf(copy)}/leave-out`;
    const part = await partWith(copy, 'message mark');
    const complaints = async (form: Record<string, string>) =>
      (await browser.send(address, form)).page
        .querySelectorAll('.nhsuk-error-summary__list li')
        .map((each) => each.text.trim());
    expect(await complaints({ part })).toEqual(['Select what to leave out', 'Select why', 'Enter a reason']);
    const covering = { part, how: 'black_out', where: 'here', ...thirdParty };
    expect(await complaints({ ...covering, words: '.' })).toEqual(['Enter the words to black out']);
    expect(await complaints({ ...covering, words: 'elsewhere' })).toEqual([
      'These words are not in this part: copy them exactly as they are written',
    ]);
    expect(await complaints({ ...covering, words: 'message', reason: 'No.' })).toEqual([
      'Say why in a few words that a colleague would understand',
    ]);
    for (const wrong of ['0/messages/99', '0/referral/id', 'constructor', '0/__proto__'])
      expect((await browser.open(`${address}?part=${encodeURIComponent(wrong)}`)).status, wrong).toBe(404);
    expect(await listMarks(db, copy.id)).toEqual([]);
  });

  it('can be put back until the review ends, and is frozen then', async () => {
    const { patient } = await aCompletedReferral();
    const copy = await packedCopy({ nhs_number: patient.nhs_number });
    const part = await partWith(copy, 'message mark');
    const hold = { part, how: 'hold_back', ...thirdParty };
    const stale = (await browser.open(pageOf(copy))).page
      .querySelector('[name=seen]')!
      .getAttribute('value')!;
    await browser.send(`${pageOf(copy)}/leave-out`, hold);
    const finish = (form: Record<string, string>) =>
      browser.send(`${pageOf(copy)}/reviewed`, { note: 'I read all of it.', has_files: 'yes', ...form });
    expect((await finish({ seen: stale, files_read: 'yes' })).text).toContain(
      'Somebody has changed what is left',
    );
    expect((await finish({ seen: stale })).text).toContain('Confirm that you have read the files');
    const [mark] = await listMarks(db, copy.id);
    const takeBack = () => browser.send(`${pageOf(copy)}/marks/${mark!.id}/take-back`, {});
    await review(copy.id);
    for (const late of [await takeBack(), await browser.send(`${pageOf(copy)}/leave-out`, hold)])
      expect(late.status).toBe(409);
    expect((await browser.send(`${pageOf(copy)}/review-again`, {})).status).toBe(303);
    expect((await takeBack()).status).toBe(303);
    expect(await listMarks(db, copy.id)).toEqual([]);
    expect((await recordOf(copy)).status).toBe(409);
    await review(copy.id);
    expect((await recordOf(copy)).body.referrals[0].messages).toHaveLength(1);
    expect((await browser.send(`${pageOf(copy)}/review-again`, {})).status).toBe(409);
  });
});

describe('a packed record', () => {
  it('says what has changed since', async () => {
    const { patient, id } = await makeReferral();
    const { nhs_number } = patient;
    const copy = await packedCopy({ nhs_number });
    const state = async () => (await call(operator, 'GET', `/api/patients/copies/${copy.id}`)).body.changed;
    expect([await state(), (await browser.open(pageOf(copy))).text]).toEqual([
      false,
      expect.not.stringContaining('The record has changed'),
    ]);
    await post(referrer, `/${id}/messages`, { text: 'She has moved.' });
    const again = await post(referrer, '', {
      ...aReferral(place.serviceId, { patient }),
      allow_duplicate: true,
    });
    expect(await state()).toBe(true);
    const { text } = await browser.open(pageOf(copy));
    expect(text).toContain(`referral ${again.body.reference} is new`);
    expect(text).toMatch(/referral [\w-]+: messages/);
    await review(copy.id);
    expect(JSON.stringify((await recordOf(copy)).body)).not.toContain('She has moved.');
  });

  it('is emptied and asked back when a file in it is removed', async () => {
    const { id, patient, attachment } = await aCompletedReferral();
    const { nhs_number } = patient;
    const [waiting, given] = [await packedCopy({ nhs_number }), await packedCopy({ nhs_number })];
    await review(given.id);
    expect((await recordOf(given)).status).toBe(200);
    const reason = { code: 'about-somebody-else' };
    const removed = await post(referrer, `/${id}/attachments/${attachment}/remove`, { reason });
    expect(removed.status, JSON.stringify(removed.body)).toBe(200);
    for (const copy of [waiting, given]) {
      expect(await listRecordsOfCopy(db, copy.id)).toEqual([]);
      for (const gone of [await recordOf(copy), await browser.open(pageOf(copy))])
        expect(gone.status).toBe(404);
    }
    const list = '/operator/patients/copies';
    const shown = (await browser.open(list)).text;
    expect(shown).toContain(`Ask for copy ${given.reference} back`);
    expect(shown).toContain('was removed on');
    expect(shown).not.toContain(`Ask for copy ${waiting.reference} back`);
    const mails = await mailsTo(site, operator.email);
    const mail = mails.find(({ subject }) => subject.startsWith('A file was removed that is in a copy'))!;
    expect(mail.text).toContain(`${waiting.reference}: emptied before it was handed out`);
    expect(mail.text).toContain(`${given.reference}: handed out on`);
    expect(mail.text).not.toContain(patient.family_name);
    expect((await browser.send(`${pageOf(given)}/asked-back`, {})).location).toBe(list);
    const after = (await browser.open(list)).text;
    expect(after).not.toContain(`Ask for copy ${given.reference} back`);
    expect(after).toContain('Asked back on');
  });

  it('is deleted after 30 days, its decisions after three years', async () => {
    const { nhs_number } = (await aCompletedReferral()).patient;
    const copy = await packedCopy({ nhs_number });
    await browser.send(`${pageOf(copy)}/leave-out`, { part: '', words: 'message', ...thirdParty });
    await review(copy.id);
    const now = site.clock.now();
    await emptyCopies(db, new Date(now.getTime() - 86_400_000), now);
    expect(await listRecordsOfCopy(db, copy.id)).toHaveLength(1);
    await emptyCopies(db, new Date(now.getTime() + 1), now);
    expect(await listRecordsOfCopy(db, copy.id)).toEqual([]);
    expect(await listMarks(db, copy.id)).toMatchObject([{ words: null, reason: thirdParty.reason }]);
    const { body } = await call(operator, 'GET', `/api/patients/copies/${copy.id}`);
    expect(body).toMatchObject({ status: 'deleted', reviewed: { by: { name: 'Olive Operator' } } });
    for (const gone of [await recordOf(copy), await browser.open(pageOf(copy))])
      expect(gone.status).toBe(404);
    const ids = async () => (await listCopies(db, 1000)).map(({ id }) => id);
    const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
    await deleteOldCopies(db, later(3 * 365 - 10));
    expect(await ids()).toContain(copy.id);
    await deleteOldCopies(db, later(3 * 366));
    expect(await ids()).not.toContain(copy.id);
  });

  it('is gone with a referral of it that is erased', async () => {
    const { id, patient } = await aCompletedReferral();
    const copy = await packedCopy({ nhs_number: patient.nhs_number });
    expect((await post(operator, `/${id}/erase`, { ...why, ground: 'unlawful' })).status).toBe(200);
    expect((await call(operator, 'GET', `/api/patients/copies/${copy.id}`)).status).toBe(404);
    expect((await listCopies(db, 1000)).map((each) => each.id)).not.toContain(copy.id);
  });

  it('is gone too if an earlier version had emptied it', async () => {
    const { id, patient } = await aCompletedReferral();
    const copy = await packedCopy({ nhs_number: patient.nhs_number });
    const now = site.clock.now();
    await emptyCopies(db, new Date(now.getTime() + 1), now);
    await forgetReferralsOfCopy(db, copy.id);
    await inTransaction(db, (trx) => keepReferralsOfCopies(trx as never));
    expect((await post(operator, `/${id}/erase`, { ...why, ground: 'unlawful' })).status).toBe(200);
    expect((await listCopies(db, 1000)).map((each) => each.id)).not.toContain(copy.id);
  });

  it('is gone with its reasons when a referral is erased later', async () => {
    const { id, patient } = await aCompletedReferral();
    const copy = await packedCopy({ nhs_number: patient.nhs_number });
    const reason = 'Her sister Maeve did not agree that it is told.';
    await browser.send(`${pageOf(copy)}/leave-out`, { part: '', words: 'message', ...thirdParty, reason });
    const now = site.clock.now();
    await emptyCopies(db, new Date(now.getTime() + 1), now);
    expect(await listMarks(db, copy.id)).toMatchObject([{ reason }]);
    expect((await post(operator, `/${id}/erase`, { ...why, ground: 'unlawful' })).status).toBe(200);
    expect(await listMarks(db, copy.id)).toEqual([]);
    expect((await listCopies(db, 1000)).map((each) => each.id)).not.toContain(copy.id);
  });
});

async function unzip(zipped: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(zipped, { lazyEntries: true });
  const found: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return found;
}
