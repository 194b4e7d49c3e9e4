import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { aReferral, aTestNhsNumber } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { recordsStage } from '../../../test/records/stage.ts';

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
  pdf,
  aCompletedReferral,
  aReferralMade,
  expectNothingOf,
} = await recordsStage();

describe('a copy for the person', () => {
  const ask = (body: object, who = operator) => call(who, 'POST', '/api/patients/export', { body });

  test('has everything, for machines and people, and is audited', async () => {
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
    const byNumber = await ask({ nhs_number: nhs_number.replace(/(...)(...)/, '$1 $2 '), ...spaced });
    expect(byNumber.body.referrals.map((each: any) => each.referral.id)).toEqual([id]);
    const byBoth = await ask({ nhs_number, given_name, family_name, birth_date, ...why });
    expect(byBoth.body.referrals.map((each: any) => each.referral.id)).toEqual([id, draft.body.id]);
    const [record] = byNumber.body.referrals;
    expect(record.referral).toMatchObject({ patient, what_matters: said.what_matters, restricted: true });
    expect(record.referral.outcome.text).toBe(`outcome ${mark}`);
    expect(record.history.map((line: any) => line.reason?.text)).toContain(`hold ${mark}`);
    expect(record.messages).toMatchObject([{ text: `message ${mark}` }]);
    expect(record.attachments).toMatchObject([{ id: attachment, name: `${mark}.pdf` }]);
    expect(record.deliveries.length).toBe(3);
    expect(record.openings).toMatchObject([{ by: { name: 'Olga Operator' }, ...why }]);
    expect(record.restrictions).toMatchObject([{ ...why, lifted: null }]);
    const did = record.audit.map((entry: any) => entry.action);
    expect(did).toEqual(
      expect.arrayContaining(['referral.requested', 'referral.accepted', 'referral.exported']),
    );
    expect((await get(referrer, `/${id}/openings`)).body.items).toMatchObject([why, why]);
    await post(operator, `/${id}/unrestrict`, why);
    expect((await get(operator, `/${id}`)).body.patient, 'no key to what it says').toBeUndefined();
    const entries = await storedEntries(site.deps.db, { action: 'patient.exported' });
    expect(entries[0]!.details).toEqual({ referrals: [id], ...why });
  });

  test('is downloaded from a page, as one file of everything', async () => {
    const { id, mark, values, patient, attachment } = await aCompletedReferral();
    const form = { nhs_number: patient.nhs_number };
    const found = await browser.send('/operator/patients', { ...form, ...why });
    expect(found.text).toContain('A copy for the person');
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

    const answer = await site.app.inject({
      method: 'POST',
      url: '/operator/patients/export',
      headers: { ...browser.headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...form, ...why }).toString(),
    });
    expect(answer.headers['content-type']).toBe('application/zip');
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

  test('says of a draft which consent is not recorded yet', async () => {
    const nhs_number = aTestNhsNumber(901);
    const consent = { referral: true };
    await post(referrer, '', { status: 'draft', patient: { nhs_number }, consent });
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/patients/export',
      headers: operator.headers,
      payload: { nhs_number, ...why, format: 'zip' },
    });
    const page = String((await unzip(answer.rawPayload))['record.html']);
    expect(page).toContain('To tell your GP practice: not recorded');
  });

  test('is of one person, and its reason does not name them', async () => {
    const { patient } = await aReferralMade();
    const { given_name, family_name, birth_date, nhs_number } = patient;
    const pointers = async (body: object) => (await ask(body)).body.errors.map((each: any) => each.pointer);
    expect(await pointers({ family_name, birth_date, ...why })).toEqual(['/given_name']);
    expect(await pointers({ ...why })).toEqual(['/nhs_number']);
    expect(await pointers({ nhs_number })).toEqual(['/reason']);
    expect(await pointers({ nhs_number, ...why, colour: 'red' })).toEqual(['/colour']);
    for (const reason of [
      `For ${family_name.toUpperCase()}.`,
      `${nhs_number.slice(0, 3)} ${nhs_number.slice(3)}`,
    ])
      expect(await pointers({ nhs_number, reason })).toEqual(['/reason']);
    for (const who of [referrer, provider]) expect((await ask({ nhs_number, ...why }, who)).status).toBe(403);
    const nobody = { given_name, family_name, birth_date: '1901-01-01', ...why };
    expect((await ask(nobody)).body.referrals).toEqual([]);
    expect(site.logLines.join('')).not.toContain(family_name);
    expect((await browser.send('/operator/patients', { family_name, ...why })).text).toContain(
      'Enter the first name, too',
    );
  });
});

async function unzip(zipped: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(zipped, { lazyEntries: true });
  const found: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return found;
}
