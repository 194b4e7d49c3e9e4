import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import {
  aPractice,
  aReferral,
  aService,
  aTestNhsNumber,
  aTokenHolder,
  type LibraryPlace,
} from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';
import { dumpDatabase } from '../../test/secret-watch.ts';
import { signedInBrowser } from '../../test/signed-in-browser.ts';
import { deliver, tendDeliveries } from '../delivery/index.ts';
import { eraseByRule, tendWaiting } from '../referrals/index.ts';
import { mintAccessToken } from '../tokens/index.ts';

// What people have a right to: that few see their record, that they get it, that it rests, and that it is forgotten.

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;
type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

let site: TestApp;
let place: LibraryPlace;
let referrer: Holder;
let provider: Holder;
let operator: Holder;
let stranger: Holder;
let browser: Browser;
let referrerBrowser: Browser;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_REJECT_AFTER_DAYS: '28' } });
  place = await aService(site.deps);
  await aPractice(site.deps);
  const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
  const ofService = { name: place.organizationName, libraryOrganizationId: place.organizationId };
  referrer = await aTokenHolder(site.deps, { organisation });
  provider = await aTokenHolder(site.deps, { role: 'provider', organisation: ofService });
  operator = await aTokenHolder(site.deps, { role: 'operator', name: 'Olga Operator' });
  stranger = await aTokenHolder(site.deps);
  browser = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
  referrerBrowser = await signedInBrowser(site, { organisation });
});
afterAll(() => site.close());

type Call = { body?: object | undefined; headers?: Record<string, string> };

async function call(who: Holder, method: 'GET' | 'POST', url: string, { body, headers }: Call = {}) {
  const all = { ...who.headers, ...headers };
  const answer = await site.app.inject({ method, url, headers: all, ...(body && { payload: body }) });
  const isJson = answer.body.startsWith('{');
  return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, text: answer.body };
}
const get = (who: Holder, path: string) => call(who, 'GET', `/api/referrals${path}`);
const post = (who: Holder, path: string, body: object = {}, headers = {}) =>
  call(who, 'POST', `/api/referrals${path}`, { body, headers });
const asSeen = (version: number) => ({ 'if-match': `"${version}"` });
const why = { reason: 'Asked for by letter; ticket 311.' };
const uuid = '0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f';

async function rowsOf<T>(query: ReturnType<typeof sql<T>>): Promise<T[]> {
  return (await query.execute(site.deps.db)).rows;
}

/** Time goes by, and everybody signs in anew. */
async function later(ms: number): Promise<void> {
  site.clock.moveOn(ms);
  for (const who of [referrer, provider, operator, stranger]) {
    const { text } = await mintAccessToken(site.deps, who.id, 'apikeys');
    who.headers = { authorization: `Bearer ${text}` };
  }
  await browser.signIn();
  await referrerBrowser.signIn();
}

let people = 0;
/** Somebody whose every value is found nowhere else. */
function somebody() {
  people += 1;
  // Ids begin with their moment, and so have the order in which they were made.
  site.clock.moveOn(1);
  const mark = `mark${String(people).padStart(3, '0')}`;
  const patient = {
    nhs_number: aTestNhsNumber(people),
    given_name: `Given${mark}`,
    family_name: `Family${mark}`,
    birth_date: `19${40 + people}-03-09`,
    ethnicity: `ethnicity ${mark}`,
    address: { lines: [`${mark} Wisteria Nook`], postcode: 'ZT1 3GH' },
    telephone: `01632 9607${String(people).padStart(2, '0')}`,
    email: `${mark}@example.org`,
    carer: { name: `Carer ${mark}` },
  };
  const { nhs_number, email, telephone } = patient;
  return { mark, patient, values: [mark, nhs_number, email, telephone] };
}

async function deliverAll(id: string): Promise<void> {
  for (const { id: delivery_id } of (await get(referrer, `/${id}/deliveries`)).body.items)
    await deliver(site.deps, { delivery_id });
}

const pdf = (mark: string) => Buffer.from(`%PDF-1.7 ${mark}`);

/** A referral with something in every place that can say something about the person, and ended. */
async function aLongStory() {
  const person = somebody();
  const { mark, patient } = person;
  const said = {
    ...aReferral(place.serviceId, { patient }),
    reasons: [{ text: `reason ${mark}`, code: '105412007' }],
    what_matters: `matters ${mark}`,
    safety_notes: `safety ${mark}`,
    support_offered: `support ${mark}`,
    referrer: { on_behalf_of: `Dr ${mark}` },
    gp_practice: { ods_code: 'Z99001' },
  };
  const { body: made } = await post(referrer, '', said, { 'idempotency-key': mark });
  const { id } = made;
  await post(referrer, `/${id}/messages`, { text: `message ${mark}` });
  const payload = Buffer.concat([
    Buffer.from(`--x\r\ncontent-disposition: form-data; name="file"; filename="${mark}.pdf"\r\n\r\n`),
    pdf(mark),
    Buffer.from('\r\n--x--\r\n'),
  ]);
  const attached = await site.app.inject({
    method: 'POST',
    url: `/api/referrals/${id}/attachments`,
    headers: { ...referrer.headers, 'content-type': 'multipart/form-data; boundary=x' },
    payload,
  });
  await deliverAll(id);
  await post(provider, `/${id}/accept`, {}, asSeen(1));
  const status_reason = { code: 'other', text: `hold ${mark}` };
  await post(provider, `/${id}/hold`, { status_reason }, asSeen(2));
  const outcome = { code: 'other', text: `outcome ${mark}` };
  const ended = await post(provider, `/${id}/complete`, { outcome }, asSeen(3));
  expect([attached.statusCode, ended.body.status]).toEqual([201, 'completed']);
  await deliverAll(id);
  const [captured] = await rowsOf(
    sql<{ id: string }>`select id from captured_messages where referral_id = ${id} limit 1`,
  );
  return { ...person, id, said, attachment: attached.json().id, captured: captured!.id };
}

/** A new referral that nobody has answered. */
async function aMade(person = somebody()) {
  const said = aReferral(place.serviceId, { patient: person.patient });
  const { body } = await post(referrer, '', said, { 'idempotency-key': person.mark });
  return { ...person, id: body.id as string, reference: body.reference as string, said };
}

function expectNothingOf(values: readonly string[], text: string, where: string): void {
  for (const value of values) expect(text.includes(value), `${where} says ${value}`).toBe(false);
}

test('an operator sees how a referral stands and who was told, in no answer who the person is or what they need', async () => {
  const { id, values, mark, patient, attachment, captured } = await aLongStory();
  const inside = ['messages', 'attachments', `attachments/${attachment}`, 'letter.pdf'].map(
    (part) => `/${id}/${part}`,
  );
  const around = ['?limit=200', `/${id}`, `/${id}/history`, `/${id}/openings`, `/${id}/deliveries`];
  for (const path of [...around, ...inside]) {
    const answer = await get(operator, path);
    expect(answer.status, path).toBe(inside.includes(path) ? 403 : 200);
    expectNothingOf(values, answer.text, path);
  }
  expect((await get(provider, `/${id}`)).text).toContain(mark);
  expect((await get(provider, `/${id}/history`)).text).toContain(`hold ${mark}`);
  const found = await post(operator, '/search', { nhs_number: patient.nhs_number });
  expect(found.body.items.map((each: any) => each.id)).toEqual([id]);
  expectNothingOf(values, found.text, 'the search');
  for (const url of ['/api/events?limit=500', '/api/deliveries?limit=200'])
    expectNothingOf(values, (await call(operator, 'GET', url)).text, url);

  for (const path of [
    '/referrals',
    `/referrals/${id}`,
    '/operator/deliveries',
    '/outbox',
    `/outbox/${captured}`,
  ]) {
    const { status, page } = await browser.open(path);
    expect(status, path).toBe(200);
    expectNothingOf(values, page.toString(), path);
  }
  const looked = await browser.send('/referrals/search', { nhs_number: patient.nhs_number });
  expectNothingOf(values, looked.page.querySelector('table')!.toString(), 'the search page');
});

test('what the person agreed to is not told to an operator by a delivery either', async () => {
  const said = aReferral(place.serviceId, { patient: somebody().patient });
  const consent = { referral: true, share_with_gp: false };
  const { id } = (await post(referrer, '', { ...said, consent })).body;
  const detail = async (who: Holder) =>
    (await get(who, `/${id}/deliveries`)).body.items.find((each: any) => each.leg === 'gp_practice').detail;
  expect(await detail(operator)).toBeNull();
  const told = (await get(operator, `/${id}/deliveries`)).body.items.map((each: any) => each.id);
  for (const path of ['', `/${told[0]}`, `/${told[1]}`])
    expect((await call(operator, 'GET', `/api/deliveries${path}`)).text).not.toContain('did not agree');
  expect(await detail(referrer)).toContain('did not agree');
  await post(operator, `/${id}/open`, why);
  expect(await detail(operator)).toContain('did not agree');
});

test('a stranger cannot tell a referral of others from one that is not there', async () => {
  const { id, attachment } = await aLongStory();
  const paths = [
    '',
    '/history',
    '/messages',
    '/attachments',
    `/attachments/${attachment}`,
    '/openings',
    '/deliveries',
    '/letter.pdf',
  ];
  const plain = ({ body: { request_id: _, ...rest }, status }: Awaited<ReturnType<typeof get>>) => [
    status,
    rest,
  ];
  for (const path of paths) {
    const answer = plain(await get(stranger, `/${id}${path}`));
    expect(answer[0], path).toBe(404);
    expect(answer, path).toEqual(plain(await get(stranger, `/${uuid}${path}`)));
  }
  const reason = { status_reason: { code: 'other', text: 'x' } };
  const asks: [string, object][] = [
    ['accept', {}],
    ['cancel', reason],
    ['messages', { text: 'Hello.' }],
    ['reroute', { service_id: place.serviceId, consent: { referral: true, share_with_gp: false } }],
  ];
  for (const [action, body] of asks) {
    const theirs = plain(await post(stranger, `/${id}/${action}`, body, asSeen(1)));
    expect(theirs[0], action).toBe(404);
    expect(theirs, action).toEqual(plain(await post(stranger, `/${uuid}/${action}`, body, asSeen(1))));
  }
  for (const action of ['restrict', 'unrestrict', 'erase', 'open']) {
    for (const who of [stranger, referrer, provider])
      expect((await post(who, `/${id}/${action}`, why)).status, action).toBe(403);
    expect((await post(operator, `/${uuid}/${action}`, why)).status, action).toBe(404);
  }
});

describe('a copy for the person', () => {
  const ask = (body: object, who = operator) => call(who, 'POST', '/api/patients/export', { body });

  test('has everything, for machines and for people, and its makers see that it was taken', async () => {
    const { id, mark, patient, said, attachment } = await aLongStory();
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
    const byNumber = await ask({ nhs_number: nhs_number.replace(/(...)(...)/, '$1 $2 '), ...why });
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
    const entries = await rowsOf(
      sql<{ details: any }>`select details from audit_entries where action = 'patient.exported' order by id`,
    );
    expect(entries[0]!.details).toEqual({ referrals: [id], ...why });
  });

  test('is found and downloaded on a page, as one file of pages, data and files', async () => {
    const { id, mark, values, patient, attachment } = await aLongStory();
    const form = { nhs_number: patient.nhs_number };
    const found = await browser.send('/operator/patients', form);
    expect(found.page.querySelector(`a[href="/operator/patients/referrals/${id}"]`)).not.toBeNull();
    expectNothingOf([mark], found.page.toString(), 'the page of what is held');
    const unreasoned = await browser.send('/operator/patients/export', form);
    const complaints = unreasoned.page.querySelectorAll('.nhsuk-error-summary__list li');
    expect([unreasoned.status, complaints.map((each) => each.text.trim())]).toEqual([
      422,
      ['Enter a reason'],
    ]);
    expect(unreasoned.text).toContain('A copy for the person');

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
  });

  test('is of one person, for a reason that does not say who that is', async () => {
    const { patient } = await aMade();
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
    expect((await browser.send('/operator/patients', { family_name })).text).toContain(
      'Enter the first name, too',
    );
  });
});

describe('a referral that is restricted', () => {
  test('says nothing to anybody, cannot be worked with, and is not sent until that is lifted', async () => {
    const { id, said, mark, values } = await aMade();
    expect((await post(operator, `/${id}/restrict`, why)).body).toMatchObject({ restricted: true });
    expect((await post(operator, `/${id}/restrict`, why)).status).toBe(409);
    for (const who of [referrer, provider, operator]) {
      const listed = (await get(who, '?limit=200')).body.items.find((each: any) => each.id === id);
      expect(listed.restricted).toBe(true);
      for (const path of ['?limit=200', `/${id}`, `/${id}/history`])
        expectNothingOf(values, (await get(who, path)).text, path);
      const found = await post(who, '/search', { nhs_number: said.patient.nhs_number });
      expectNothingOf(values, found.text, 'the search');
    }
    const refused = [
      await get(provider, `/${id}/messages`),
      await get(referrer, `/${id}/attachments`),
      await get(provider, `/${id}/letter.pdf`),
      await post(provider, `/${id}/accept`, {}, asSeen(1)),
      await post(referrer, `/${id}/messages`, { text: 'Hello.' }),
      await post(operator, `/${id}/open`, why),
      await post(referrer, '', said, { 'idempotency-key': mark }),
      await post(operator, `/${id}/erase`, why),
    ];
    for (const { status, body } of refused)
      expect([status, body.type]).toEqual([409, expect.stringContaining('referral-restricted')]);
    const page = await referrerBrowser.open(`/referrals/${id}`);
    expect(page.text).toContain('The person has asked that nobody works with this referral');
    expectNothingOf(values, page.page.toString(), 'its page');
    expect((await referrerBrowser.open('/referrals')).text).toContain('Restricted');

    await deliverAll(id);
    await later(29 * 86_400_000);
    await tendDeliveries(site.deps);
    await tendWaiting(site.deps);
    expect((await get(referrer, `/${id}`)).body).toMatchObject({
      status: 'requested',
      deliveries: [{ leg: 'service', status: 'queued' }, { leg: 'gp_practice' }],
    });
    await post(operator, `/${id}/unrestrict`, why);
    expect((await post(operator, `/${id}/unrestrict`, why)).status).toBe(409);
    expect((await get(provider, `/${id}`)).body.patient.family_name).toBe(said.patient.family_name);
    await deliverAll(id);
    expect((await get(referrer, `/${id}`)).body.deliveries[0].status).not.toBe('queued');
    const { items } = (await call(referrer, 'GET', '/api/events?limit=500')).body;
    const told = items.filter(({ resource }: any) => resource.id === id).map(({ type }: any) => type);
    expect(told).toEqual(expect.arrayContaining(['referral.restricted', 'referral.unrestricted']));
  });

  test('has left the outbox for as long, too', async () => {
    const { id, captured } = await aLongStory();
    await post(operator, `/${id}/restrict`, why);
    for (const path of [`/outbox/${captured}`, `/outbox/${captured}/letter.pdf`])
      expect((await browser.open(path)).status).toBe(404);
    expect((await browser.open('/outbox')).page.toString()).not.toContain(captured);
    await post(operator, `/${id}/unrestrict`, why);
    expect((await browser.open(`/outbox/${captured}`)).status).toBe(200);
  });
});

/** Where in the database something that was said of the person still stands. */
async function tracesOf(values: readonly string[]): Promise<string[]> {
  const text = await dumpDatabase(site.deps.db);
  const forms = values.flatMap((value) => [value, Buffer.from(value).toString('hex')]);
  return forms.filter((form) => text.includes(form));
}

describe('what is erased', () => {
  test('is in no table any more, when an operator was asked for it; how it went is left', async () => {
    const { id, values, mark, patient } = await aLongStory();
    await post(operator, `/${id}/open`, { reason: `Because of ${mark}, who rang.` });
    await post(operator, `/${id}/restrict`, why);
    await post(operator, `/${id}/unrestrict`, why);
    expect((await tracesOf(values)).length).toBeGreaterThan(values.length);
    const refused = await browser.send(`/operator/patients/referrals/${id}/erase`, {
      reason: patient.family_name,
    });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('must not name the person'),
    ]);
    const done = await browser.send(`/operator/patients/referrals/${id}/erase`, why);
    expect(done.location).toBe(`/operator/patients/referrals/${id}?done=erased`);

    expect(await tracesOf(values)).toEqual([]);
    const [left] = await rowsOf(sql<any>`
      select patient_name_key, patient_number_key, patient_family_key, practice_name, content from referrals
      where id = ${id}`);
    expect(Object.values(left)).toEqual([null, null, null, null, {}]);
    const { body } = await get(referrer, `/${id}`);
    expect(body).toMatchObject({ status: 'completed', service_id: place.serviceId, deliveries: [] });
    expect([body.erased_at === null, body.patient, body.outcome]).toEqual([false, undefined, undefined]);
    const history = (await get(provider, `/${id}/history`)).body.items;
    expect(history.map((line: any) => [line.to, line.reason])).toEqual(
      ['requested', 'accepted', 'on-hold', 'completed'].map((status) => [status, null]),
    );
    for (const path of ['messages', 'attachments'])
      expect((await get(referrer, `/${id}/${path}`)).body.type).toContain('referral-erased');
    for (const action of ['erase', 'restrict', 'open'])
      expect((await post(operator, `/${id}/${action}`, why)).status, action).toBe(409);
    for (const who of [referrerBrowser, browser])
      expect((await who.open(`/referrals/${id}`)).text).toContain('was erased on');
    expect((await browser.open(done.location!)).text).toContain('What it said was erased on');
    const gone = await call(operator, 'POST', '/api/patients/export', {
      body: { nhs_number: patient.nhs_number, ...why },
    });
    expect(gone.body.referrals).toEqual([]);
    const [entry] = await rowsOf(
      sql<any>`select details, actor_name from audit_entries where action = 'referral.erased' and subject_id = ${id}`,
    );
    expect(entry).toEqual({ details: why, actor_name: 'Olive Operator' });
    await expect(
      sql`update referral_history set reason = '{}' where referral_id = ${id}`.execute(site.deps.db),
    ).rejects.toThrow('append-only');
  });

  test('is not what somebody has still to act on', async () => {
    const { id } = await aMade();
    expect((await post(operator, `/${id}/erase`, why)).body.type).toContain('wrong-state');
    const page = await browser.open(`/operator/patients/referrals/${id}`);
    expect(page.text).toContain('Somebody has still to act on this referral');
  });

  test('by the rule is what ended long ago, each once; children, open and restricted ones wait', async () => {
    const ended = async (years: string, born = '1950-01-01', status = 'completed') => {
      const { id, values, reference } = await aMade();
      await sql`
        update referrals set status = ${status}, updated_at = ${site.clock.now()}::timestamptz - ${years}::interval,
          content = jsonb_set(content, '{patient,birth_date}', to_jsonb(${born}::text))
        where id = ${id}`.execute(site.deps.db);
      return { id, values, reference };
    };
    const year = site.clock.now().getUTCFullYear();
    const old = await ended('8 years 1 day');
    const oldDraft = await ended('9 years', '1950-01-01', 'draft');
    const grownUp = await ended('10 years', `${year - 27}-01-01`);
    const kept = [
      await ended('7 years 364 days'),
      await ended('9 years', '1950-01-01', 'accepted'),
      // Sixteen when it ended, and not yet 25; seventeen, and not yet 26.
      await ended('8 years 6 months', `${year - 25}-12-31`),
      await ended('8 years 1 month', `${year - 26}-12-31`),
    ];
    const restricted = await ended('9 years');
    await post(operator, `/${restricted.id}/restrict`, why);
    const preview = await browser.open('/operator/patients/erasure');
    expect(preview.text).toContain('Next night: 3 referrals');
    for (const { reference } of [old, oldDraft, grownUp]) expect(preview.text).toContain(reference);

    await Promise.all([eraseByRule(site.deps), eraseByRule(site.deps)]);
    await eraseByRule(site.deps);
    expect(await tracesOf([old, oldDraft, grownUp].flatMap(({ values }) => values))).toEqual([]);
    for (const { values } of [...kept, restricted]) expect(await tracesOf(values)).not.toEqual([]);
    const entries = await rowsOf(
      sql<any>`select details, subject_id as id from audit_entries
        where action = 'referral.erased' and actor_name = 'the site' order by subject_id`,
    );
    const erased = [old, oldDraft, grownUp].map(({ id }) => id).sort();
    expect(entries).toEqual(erased.map((id) => ({ details: { after_years: 8 }, id })));
    expect((await browser.open('/operator/patients/erasure')).text).toContain('Nothing is old enough');
  });

  test('is erased although another cannot be, of which there is a word in the log', async () => {
    const [stuck, other] = [await aMade(), await aMade()];
    const end = sql`'rejected', updated_at = ${site.clock.now()}::timestamptz - interval '9 years'`;
    await sql`update referrals set status = ${end} where id in (${stuck.id}, ${other.id})`.execute(
      site.deps.db,
    );
    await sql`update referrals set updated_at = updated_at - interval '1 day' where id = ${stuck.id}`.execute(
      site.deps.db,
    );
    const { referralListener } = site.deps;
    const failing: typeof referralListener = {
      ...referralListener,
      async onRecord(trx, change) {
        if (change.referral.id === stuck.id) throw new Error('it cannot be told');
        await referralListener.onRecord(trx, change);
      },
    };
    await expect(eraseByRule({ ...site.deps, referralListener: failing })).rejects.toThrow(
      '1 could not be erased',
    );
    expect(await tracesOf(other.values)).toEqual([]);
    expect(site.logLines.join('')).toContain(`"referral":"${stuck.id}"`);
    await eraseByRule(site.deps);
    expect(await tracesOf(stuck.values)).toEqual([]);
  });
});

async function unzip(zipped: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(zipped, { lazyEntries: true });
  const found: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return found;
}
