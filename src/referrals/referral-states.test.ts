import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPractice, aReferral, aService, aTokenHolder, type LibraryPlace } from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';
import { mintAccessToken } from '../tokens/index.ts';
import { tendWaiting } from './tend-waiting.ts';

// The life of a referral by the API: drafts, waiting lists, messages, files, what an operator may see, re-routes.

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;

let site: TestApp;
let place: LibraryPlace;
let elsewhere: LibraryPlace;
let referrer: Holder;
let colleague: Holder;
let provider: Holder;
let operator: Holder;
let stranger: Holder;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_REMIND_AFTER_DAYS: '7', ONWARD_REJECT_AFTER_DAYS: '28' } });
  place = await aService(site.deps);
  elsewhere = await aService(site.deps, { serviceName: 'Thursday choir' });
  await aPractice(site.deps);
  const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
  referrer = await aTokenHolder(site.deps, { organisation });
  colleague = await aTokenHolder(site.deps, { organisation });
  provider = await aTokenHolder(site.deps, {
    role: 'provider',
    organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
  });
  operator = await aTokenHolder(site.deps, { role: 'operator', name: 'Olga Operator' });
  stranger = await aTokenHolder(site.deps);
});
afterAll(() => site.close());

type Call = { body?: object; version?: number; headers?: Record<string, string> };

async function call(
  who: Holder,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { body, version, headers }: Call = {},
) {
  const answer = await site.app.inject({
    method,
    url: `/api/referrals${path}`,
    headers: { ...who.headers, ...(version !== undefined && { 'if-match': `"${version}"` }), ...headers },
    ...(body && { payload: body }),
  });
  return {
    status: answer.statusCode,
    body: answer.body.startsWith('{') ? answer.json() : answer.body,
    answer,
  };
}
const get = (who: Holder, path: string) => call(who, 'GET', path);
const post = (who: Holder, path: string, body: object = {}, version?: number) =>
  call(who, 'POST', path, { body, ...(version !== undefined && { version }) });

/** Time goes by, and everybody gets a new token: the old ones have ended. */
async function later(ms: number): Promise<void> {
  site.clock.moveOn(ms);
  for (const who of [referrer, colleague, provider, operator, stranger]) {
    const { text } = await mintAccessToken(site.deps, who.id, 'apikeys');
    who.headers = { authorization: `Bearer ${text}` };
  }
}

let people = 0;
function aPerson(serviceId = place.serviceId, given: object = {}) {
  people += 1;
  const { patient } = aReferral(serviceId);
  const { nhs_number: _, ...rest } = patient;
  return aReferral(serviceId, { patient: { ...rest, family_name: `Person ${people}` }, ...given });
}
const aMade = async (given: object = {}) => (await post(referrer, '', aPerson(place.serviceId, given))).body;
const reason = { status_reason: { code: 'no-capacity', text: 'Full until spring.' } };
const deliveriesOf = async (id: string) => (await get(referrer, `/${id}/deliveries`)).body.items;

describe('a draft', () => {
  test('has only what is known, is changed by a colleague, seen by nobody else, and delivered when it is sent', async () => {
    const { status, body: draft } = await post(referrer, '', {
      status: 'draft',
      patient: { given_name: 'Ada' },
    });
    expect([status, draft.status, draft.service_id, draft.requested_at]).toEqual([201, 'draft', null, null]);
    expect(draft.patient).toEqual({ given_name: 'Ada' });
    const known = { ...aPerson(), gp_practice: { ods_code: 'Z99001' }, urgency: 'urgent' };
    const { consent, ...withoutConsent } = known;
    const changed = await call(colleague, 'PUT', `/${draft.id}`, { body: withoutConsent, version: 1 });
    expect([changed.status, changed.body.version, changed.body.urgency]).toEqual([200, 2, 'urgent']);
    for (const who of [provider, operator, stranger]) {
      for (const path of ['', '/history', '/messages', '/attachments', '/openings', '/deliveries'])
        expect((await get(who, `/${draft.id}${path}`)).status, path).toBe(404);
      expect((await post(who, `/${draft.id}/withdraw-as-error`, {}, 2)).status).toBe(404);
      const listed = await get(who, '?limit=200');
      expect(JSON.stringify(listed.body)).not.toContain(draft.id);
    }
    expect((await post(operator, `/${draft.id}/open`, { reason: 'Curious.' })).status).toBe(404);
    expect(await deliveriesOf(draft.id)).toEqual([]);

    const early = await post(referrer, `/${draft.id}/request`, {}, 2);
    expect([early.status, early.body.errors[0].pointer]).toEqual([422, '/consent']);
    await call(referrer, 'PUT', `/${draft.id}`, { body: { ...withoutConsent, consent }, version: 2 });
    const sent = await post(referrer, `/${draft.id}/request`, {}, 3);
    expect([sent.status, sent.body.status, sent.body.version]).toEqual([200, 'requested', 4]);
    expect(sent.body.due_at).toBe('2026-11-23T09:30:00.000Z');
    expect((await deliveriesOf(draft.id)).length).toBe(2);
    expect((await get(provider, `/${draft.id}`)).status).toBe(200);
    expect((await call(referrer, 'PUT', `/${draft.id}`, { body: {}, version: 4 })).status).toBe(409);
    const history = (await get(provider, `/${draft.id}/history`)).body.items;
    expect(history.map(({ from, to }: any) => [from, to])).toEqual([
      [null, 'draft'],
      ['draft', 'requested'],
    ]);
  });

  test('that is thrown away is told to nobody, and stays its makers’', async () => {
    const { body: draft } = await post(referrer, '', { ...aPerson(), status: 'draft' });
    expect((await post(referrer, `/${draft.id}/withdraw-as-error`, {}, 1)).body.status).toBe(
      'entered-in-error',
    );
    for (const who of [provider, operator]) expect((await get(who, `/${draft.id}`)).status).toBe(404);
    expect(await deliveriesOf(draft.id)).toEqual([]);
    expect((await post(referrer, `/${draft.id}/request`, {}, 2)).status).toBe(409);
  });

  test('is held against the form of what there is, and what it names must exist', async () => {
    const wrong = await post(referrer, '', {
      status: 'draft',
      patient: { birth_date: 'soon' },
      colour: 'red',
    });
    expect(wrong.body.errors.map((each: any) => each.pointer).sort()).toEqual([
      '/colour',
      '/patient/birth_date',
    ]);
    const unknown = { status: 'draft', service_id: 'nowhere', gp_practice: { ods_code: 'X00000' } };
    const { status, body } = await post(referrer, '', unknown);
    expect([status, body.errors.map((each: any) => each.pointer)]).toEqual([
      422,
      ['/service_id', '/gp_practice/ods_code'],
    ]);
    const known = { ...aPerson(), status: 'draft' };
    expect((await post(referrer, '', known)).body.status).toBe('draft');
    expect((await post(referrer, '', known)).body.status).toBe('draft');
  });
});

test('a person waits for a place, is supported, and what was measured is kept within its ranges', async () => {
  const { id } = await aMade();
  await post(provider, `/${id}/accept`, {}, 1);
  const held = await post(provider, `/${id}/hold`, { ...reason, expected_date: '2027-04-05' }, 2);
  expect(held.body).toMatchObject({ status: 'on-hold', expected_date: '2027-04-05', ...reason });
  const started = await post(provider, `/${id}/start`, {}, 3);
  expect(started.body).toMatchObject({ status: 'in-progress', expected_date: null, status_reason: null });
  const outcome = (measures: object[]) => ({ outcome: { code: 'goals-met', text: 'Well.', measures } });
  const measure = (code: string, value: number, stage = 'end') => ({ code, stage, value });
  const wrong = [
    measure('pam-level', 5),
    measure('swemwbs', 6),
    measure('ons4-anxiety', 2.5),
    measure('ons4-happiness', 3),
    measure('ons4-happiness', 3),
  ];
  const refused = await post(provider, `/${id}/complete`, outcome(wrong), 4);
  expect([refused.status, refused.body.errors.map((each: any) => each.pointer)]).toEqual([
    422,
    [0, 1, 2].map((place) => `/outcome/measures/${place}/value`).concat('/outcome/measures/4/code'),
  ]);
  const measures = [measure('swemwbs', 21.54, 'start'), measure('swemwbs', 28), measure('pam-level', 3)];
  const done = await post(provider, `/${id}/complete`, outcome(measures), 4);
  expect(done.body.outcome.measures).toEqual(measures);
});

test('whoever is on the waiting list can be given another reason and date, never one that is over', async () => {
  const { id } = await aMade();
  await post(provider, `/${id}/accept`, {}, 1);
  const day = (ahead: number) =>
    new Date(site.clock.now().getTime() + ahead * 86_400_000).toISOString().slice(0, 10);
  const hold = (expected_date: string, version: number) =>
    post(provider, `/${id}/hold`, { ...reason, expected_date }, version);
  const over = await hold(day(-1), 2);
  expect([over.status, over.body.errors]).toEqual([
    422,
    [{ pointer: '/expected_date', message: 'must not be in the past' }],
  ]);
  expect((await hold(day(0), 2)).body).toMatchObject({ status: 'on-hold', expected_date: day(0) });
  const later = { status_reason: { code: 'missing-information', text: 'We need her doctor’s word.' } };
  expect((await post(provider, `/${id}/hold`, later, 3)).status).toBe(409);
  const changed = await post(provider, `/${id}/change-wait`, later, 3);
  expect(changed.body).toMatchObject({ status: 'on-hold', expected_date: null, version: 4, ...later });
  expect((await post(referrer, `/${id}/change-wait`, later, 4)).status).toBe(403);
  const { items } = (await get(referrer, `/${id}/history`)).body;
  expect(items.at(-1)).toMatchObject({ from: 'on-hold', to: 'on-hold', reason: later.status_reason });
});

test('only the version that was read is answered; an ETag of something else is stale, whatever it looks like', async () => {
  const { id } = await aMade();
  const accept = (etag: string) =>
    call(provider, 'POST', `/${id}/accept`, { body: {}, headers: { 'if-match': etag } });
  for (const stale of ['"0"', '"2"', '"abc"', '""', 'W/"7"']) expect((await accept(stale)).status).toBe(412);
  for (const none of ['', '*', 'abc', '"1", "2"']) expect((await accept(none)).status).toBe(400);
  // As a proxy that compresses answers passes it on.
  expect((await accept('W/"1"')).status).toBe(200);
});

test('every list of a referral comes in pages, and what was made is found where its Location says', async () => {
  const recorded_at = '2026-11-20T10:00:00+01:00';
  const { id, consent } = await aMade({ consent: { referral: true, share_with_gp: true, recorded_at } });
  expect(consent.recorded_at).toBe('2026-11-20T09:00:00.000Z');
  await post(provider, `/${id}/accept`, {}, 1);
  await post(provider, `/${id}/messages`, { text: 'First.' });
  const { answer, body } = await post(referrer, `/${id}/messages`, { text: 'Second.' });
  const [, path] = String(answer.headers.location).split('/api/referrals');
  expect((await get(provider, path!)).body).toEqual(body);
  expect([(await get(stranger, path!)).status, (await get(operator, path!)).status]).toEqual([404, 403]);
  for (const list of ['history', 'deliveries', 'messages']) {
    const whole = (await get(referrer, `/${id}/${list}`)).body;
    const first = (await get(referrer, `/${id}/${list}?limit=1`)).body;
    const next = (await get(referrer, `/${id}/${list}?limit=1&cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...next.items]).toEqual(whole.items);
    expect([whole.items.length, next.next_cursor]).toEqual([2, null]);
    expect((await get(referrer, `/${id}/${list}?cursor=x`)).status).toBe(400);
  }
  expect((await get(stranger, `/${id}`)).body.detail).toContain('not yours');
});

test('an answer is due by the urgency, and what is overdue is shown and found', async () => {
  const { id, due_at, overdue } = await aMade();
  expect([due_at, overdue]).toEqual(['2026-12-01T09:30:00.000Z', false]);
  const answered = await aMade();
  await post(provider, `/${answered.id}/accept`, {}, 1);
  const overdueIds = async (who: Holder, query = '') =>
    (await get(who, `?overdue=true&limit=200${query}`)).body.items.map((each: any) => each.id);
  expect(await overdueIds(provider)).not.toContain(id);
  await later(11 * 86_400_000);
  for (const who of [referrer, provider, operator]) {
    expect(await overdueIds(who)).toContain(id);
    expect(await overdueIds(who)).not.toContain(answered.id);
  }
  expect(await overdueIds(provider, '&status=accepted')).toEqual([]);
  expect((await get(provider, `/${id}`)).body.overdue).toBe(true);
  const several = await get(
    provider,
    `?status=accepted&status=requested&service=${place.serviceId}&limit=200`,
  );
  const statuses = new Set(several.body.items.map((each: any) => each.status));
  expect([...statuses].sort()).toEqual(['accepted', 'requested']);
});

test('both sides write to each other; a page of messages stays where it was while more are written', async () => {
  const { id, version } = await aMade();
  for (const [who, text] of [
    [referrer, 'She is shy.'],
    [provider, 'Would a morning do?'],
    [referrer, 'Yes.'],
  ] as const) {
    expect((await post(who, `/${id}/messages`, { text })).status).toBe(201);
    site.clock.moveOn(1);
  }
  const first = (await get(provider, `/${id}/messages?limit=2`)).body;
  expect(first.items.map((each: any) => [each.side, each.text])).toEqual([
    ['referrer', 'Yes.'],
    ['provider', 'Would a morning do?'],
  ]);
  await post(provider, `/${id}/messages`, { text: 'See you then.' });
  const second = (await get(colleague, `/${id}/messages?limit=2&cursor=${first.next_cursor}`)).body;
  expect([second.items.map((each: any) => each.text), second.next_cursor]).toEqual([['She is shy.'], null]);
  expect((await get(referrer, `/${id}`)).body.version).toBe(version);
  const told = await site.database.pool.query(
    "select count(*)::int as count from new_events where type = 'message.created' and referral_id = $1",
    [id],
  );
  expect(told.rows[0].count).toBe(4);
  expect((await get(stranger, `/${id}/messages`)).status).toBe(404);
  expect((await post(stranger, `/${id}/messages`, { text: 'Hello.' })).status).toBe(404);
  expect((await post(operator, `/${id}/messages`, { text: 'Hello.' })).status).toBe(403);
  expect((await post(referrer, `/${id}/messages`, { text: ' ' })).status).toBe(400);
});

describe('a file', () => {
  const pdf = Buffer.from('%PDF-1.7 a letter');
  const attach = (who: Holder, id: string, content: Buffer, name = 'letter.pdf', field = 'file') => {
    const edge = 'onward-test';
    const head = `--${edge}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: text/html\r\n\r\n`;
    return site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/attachments`,
      headers: { ...who.headers, 'content-type': `multipart/form-data; boundary=${edge}` },
      payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${edge}--\r\n`)]),
    });
  };

  test('is what its first octets say, and is only ever saved', async () => {
    const { id } = await aMade();
    const answer = await attach(referrer, id, pdf, '../../Mårten.html');
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ media_type: 'application/pdf', size: pdf.length });
    const listed = (await get(provider, `/${id}/attachments`)).body.items;
    expect(listed.map((each: any) => each.name)).toEqual([answer.json().name]);
    expect(listed[0].name).toBe('Mårten.pdf');
    const file = await get(provider, `/${id}/attachments/${answer.json().id}`);
    expect(file.answer.rawPayload).toEqual(pdf);
    expect(file.answer.headers['content-type']).toBe('application/pdf');
    expect(file.answer.headers['content-disposition']).toMatch(/^attachment; /);
    expect(file.answer.headers['x-content-type-options']).toBe('nosniff');
    for (const path of [`/${id}/attachments/${answer.json().id}`, `/${id}/attachments`])
      expect((await get(stranger, path)).status).toBe(404);
    expect((await get(operator, `/${id}/attachments`)).status).toBe(403);
    const other = await aMade();
    expect((await get(provider, `/${other.id}/attachments/${answer.json().id}`)).status).toBe(404);
  });

  test('that is something else, too large, none, or one too many is refused', async () => {
    const { id } = await aMade();
    expect((await attach(referrer, id, Buffer.from('<html>'), 'letter.pdf')).statusCode).toBe(422);
    expect((await attach(referrer, id, Buffer.alloc(0))).statusCode).toBe(422);
    const large = Buffer.concat([pdf, Buffer.alloc(10 * 1024 * 1024)]);
    expect((await attach(referrer, id, large)).statusCode).toBe(413);
    expect((await attach(stranger, id, pdf)).statusCode).toBe(404);
    const json = await post(referrer, `/${id}/attachments`, {});
    expect([json.status, json.body.detail]).toEqual([415, expect.stringContaining('multipart/form-data')]);
    const pointers = (await attach(referrer, id, pdf, 'a.pdf', 'scan'))
      .json()
      .errors.map((each: any) => each.pointer);
    expect(pointers).toEqual(['/file', '/scan']);
    const empty = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/attachments`,
      headers: { ...referrer.headers, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x--\r\n',
    });
    expect(empty.statusCode).toBe(400);
    const many = await Promise.all(Array.from({ length: 22 }, () => attach(referrer, id, pdf)));
    expect(many.filter((each) => each.statusCode === 201)).toHaveLength(20);
    expect(many.filter((each) => each.statusCode === 413)).toHaveLength(2);
  });
});

test('an operator opens a referral for a reason, for an hour, and its makers see that', async () => {
  const { id } = await aMade({ what_matters: 'To sing.' });
  await post(referrer, `/${id}/messages`, { text: 'A private word.' });
  expect((await get(operator, `/${id}`)).body.patient).toBeUndefined();
  expect((await post(operator, `/${id}/open`)).status).toBe(400);
  expect((await post(provider, `/${id}/open`, { reason: 'Why not.' })).status).toBe(403);
  const why = { reason: 'The service cannot read the address.' };
  expect((await post(operator, `/${id}/open`, why)).body.what_matters).toBe('To sing.');
  expect((await get(operator, `/${id}`)).body.what_matters).toBe('To sing.');
  expect((await get(operator, `/${id}/messages`)).body.items).toHaveLength(1);
  const other = await aTokenHolder(site.deps, { role: 'operator' });
  expect((await get(other, `/${id}`)).body.patient).toBeUndefined();
  const listed = await get(operator, '?limit=200');
  expect(JSON.stringify(listed.body)).not.toContain('To sing.');

  const seen = (await get(colleague, `/${id}/openings`)).body.items;
  expect(seen).toMatchObject([{ by: { name: 'Olga Operator' }, ...why }]);
  expect((await get(provider, `/${id}/openings`)).status).toBe(403);
  await later(61 * 60_000);
  expect((await get(operator, `/${id}`)).body.patient).toBeUndefined();
  expect((await get(operator, `/${id}/messages`)).status).toBe(403);
});

test('a person is found by who they are, among the referrals that one may see, and the log says nothing of them', async () => {
  const person = { family_name: 'O’Zapletálová-Smith', birth_date: '1951-02-03', nhs_number: '9990000034' };
  const { patient } = aReferral('');
  const { id } = await aMade({ patient: { ...patient, ...person } });
  const search = async (who: Holder, body: object) => {
    const found = await post(who, '/search', body);
    return found.status === 200 ? found.body.items.map((each: any) => each.id) : found.body.errors[0].pointer;
  };
  const byName = { family_name: 'ozapletalova smith', birth_date: '1951-02-03' };
  for (const who of [colleague, provider, operator]) {
    expect(await search(who, { nhs_number: '9990000034' })).toEqual([id]);
    expect(await search(who, { ...byName, postcode: 'zt13gh' })).toEqual([id]);
    expect(await search(who, { ...byName, postcode: 'ZT1 3GJ' })).toEqual([]);
    expect(await search(who, { nhs_number: '9990000042', ...byName })).toEqual([]);
  }
  expect(await search(stranger, byName)).toEqual([]);
  expect(await search(referrer, { family_name: 'Smith' })).toBe('/birth_date');
  expect(await search(referrer, { birth_date: '1951-02-03' })).toBe('/family_name');
  expect(await search(referrer, {})).toBe('/nhs_number');
  expect(await search(referrer, { ...byName, cursor: 'x' })).toBe('/cursor');
  expect(site.logLines.join('')).not.toMatch(/zapletal|9990000034|1951-02-03/i);
});

describe('a referral that came to nothing', () => {
  const consent = { referral: true, share_with_gp: false };
  const anotherPlace = () => ({ service_id: elsewhere.serviceId, consent, allow_duplicate: true });

  test('is re-routed once, with what the person says now, and each leads to the other for its makers', async () => {
    const old = await aMade({ what_matters: 'To sing.' });
    expect((await post(referrer, `/${old.id}/reroute`, anotherPlace())).status).toBe(409);
    await post(provider, `/${old.id}/reject`, reason, 1);
    expect((await post(provider, `/${old.id}/reroute`, anotherPlace())).status).toBe(403);
    expect((await post(stranger, `/${old.id}/reroute`, anotherPlace())).status).toBe(404);
    const unasked = await post(referrer, `/${old.id}/reroute`, { service_id: elsewhere.serviceId });
    expect(unasked.body.errors[0].pointer).toBe('/consent');
    const tries = await Promise.all(
      [1, 2, 3].map(() => post(colleague, `/${old.id}/reroute`, anotherPlace())),
    );
    expect(tries.map((each) => each.status).sort()).toEqual([201, 422, 422]);
    const { body: made } = tries.find((each) => each.status === 201)!;
    expect(made).toMatchObject({ reroutes: old.id, what_matters: 'To sing.', patient: old.patient });
    expect(made.consent.share_with_gp).toBe(false);
    expect((await get(referrer, `/${old.id}`)).body.rerouted_to).toBe(made.id);
    expect((await get(provider, `/${old.id}`)).body.rerouted_to).toBeNull();
  });

  test('may be somebody else’s, and is then none', async () => {
    const old = await aMade();
    await post(referrer, `/${old.id}/cancel`, reason, 1);
    const { status, body } = await post(stranger, '', aPerson(elsewhere.serviceId, { reroutes: old.id }));
    expect([status, body.errors[0].pointer]).toEqual([422, '/reroutes']);
  });
});

test('who does not answer is reminded once, and in the end the site itself rejects', async () => {
  const { id, version } = await aMade();
  const mails = async () => {
    const { rows } = await site.database.pool.query('select count(*)::int as count from mails');
    return rows[0].count;
  };
  const before = await mails();
  await later(8 * 86_400_000);
  await Promise.all([tendWaiting(site.deps), tendWaiting(site.deps)]);
  await tendWaiting(site.deps);
  expect(await mails()).toBe(before + 1);
  expect((await get(provider, `/${id}`)).body).toMatchObject({ status: 'requested', version });
  const answered = await aMade();
  await post(provider, `/${answered.id}/accept`, {}, 1);
  await later(21 * 86_400_000);
  await Promise.all([tendWaiting(site.deps), tendWaiting(site.deps)]);
  const { body } = await get(referrer, `/${id}`);
  expect(body).toMatchObject({ status: 'rejected', version: version + 1 });
  expect(body.status_reason).toEqual({
    code: 'other',
    text: 'This was automatic: the service did not answer within 28 days.',
  });
  const { items } = (await get(referrer, `/${id}/history`)).body;
  expect(items.at(-1).by).toEqual({ name: 'the site', organisation: null });
  expect((await get(provider, `/${answered.id}`)).body.status).toBe('accepted');
});

test('what came to nothing waits until its makers have seen to it, or have referred the person again', async () => {
  const person = aPerson();
  const made = (body: object) => post(referrer, '', body).then((answer) => answer.body.id as string);
  const end = (id: string) => post(referrer, `/${id}/cancel`, reason, 1);
  const first = await made(person);
  expect((await post(colleague, `/${first}/seen-to`)).status).toBe(409);
  await end(first);
  const statuses = [provider, operator, stranger].map((who) => post(who, `/${first}/seen-to`));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([403, 403, 404]);
  expect((await get(referrer, `/${first}`)).body).toMatchObject({ seen_to: null, referred_again: false });
  const seen = (await post(colleague, `/${first}/seen-to`)).body;
  expect(seen).toMatchObject({
    seen_to: { at: expect.any(String), by: { name: 'Test Person' } },
    version: 2,
  });
  expect((await post(referrer, `/${first}/seen-to`)).body.seen_to).toEqual(seen.seen_to);
  site.clock.moveOn(1000);
  const again = await made({ ...person, service_id: elsewhere.serviceId });
  const seenBy = async (who: Holder) => (await get(who, `/${first}`)).body.referred_again;
  expect([await seenBy(referrer), await seenBy(provider)]).toEqual([true, false]);
  await post(referrer, `/${again}/withdraw-as-error`, {}, 1);
  expect(await seenBy(referrer)).toBe(false);
});
