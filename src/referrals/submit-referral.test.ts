import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  aPractice,
  aReferral,
  aService,
  aTestNhsNumber,
  aTokenHolder,
  type LibraryPlace,
} from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;

let site: TestApp;
let place: LibraryPlace;
let referrer: Holder;
let provider: Holder;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  await aPractice(site.deps);
  const { organizationId: libraryOrganizationId, organizationName: name } = place;
  referrer = await aTokenHolder(site.deps, {
    organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
  });
  provider = await aTokenHolder(site.deps, {
    role: 'provider',
    organisation: { name, libraryOrganizationId },
  });
});
afterAll(() => site.close());
beforeEach(() => sql`update referrals set status = 'completed'`.execute(site.deps.db));

const submit = (payload: object, headers: Record<string, string> = {}, who = referrer) =>
  site.app.inject({
    method: 'POST',
    url: '/api/referrals',
    payload,
    headers: { ...who.headers, ...headers },
  });
const act = (id: string, action: string, payload: object, version = 1, who = provider) =>
  site.app.inject({
    method: 'POST',
    url: `/api/referrals/${id}/${action}`,
    payload,
    headers: { ...who.headers, 'if-match': `"${version}"` },
  });
const stored = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from referrals`.execute(site.deps.db)).rows[0]!
    .count;

test('a referral, its history, its audit entry, its deliveries and their jobs are stored together', async () => {
  const { body, statusCode } = await submit(
    aReferral(place.serviceId, { gp_practice: { ods_code: 'z99001' } }),
  );
  expect(statusCode).toBe(201);
  const referral = JSON.parse(body);
  expect(referral).toMatchObject({
    status: 'requested',
    gp_practice: { ods_code: 'Z99001' },
    referrer: { ods_code: 'Z99001' },
  });
  expect(referral.deliveries.map(({ leg, status }: any) => [leg, status])).toEqual([
    ['service', 'queued'],
    ['gp_practice', 'queued'],
  ]);
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from referral_history where referral_id = ${referral.id}) as history,
      (select count(*)::int from audit_entries where subject_id = ${referral.id} and action = 'referral.requested') as audit,
      (select count(*)::int from deliveries where referral_id = ${referral.id}) as deliveries,
      (select count(*)::int from graphile_worker.jobs where task_identifier = 'deliver-new') as jobs`.execute(
    site.deps.db,
  );
  expect(rows[0]).toEqual({ history: 1, audit: 1, deliveries: 2, jobs: 1 });
});

test.each([
  ['/service_id', { service_id: undefined }],
  ['/service_id', { service_id: 7 }],
  ['/service_id', { service_id: '' }],
  ['/service_id', { service_id: 'no\u0000pe' }],
  ['/urgency', { urgency: 'at once' }],
  ['/patient', { patient: undefined }],
  ['/patient', { patient: 'Margaret' }],
  ['/reasons', { reasons: undefined }],
  ['/reasons', { reasons: [] }],
  ['/reasons/0/text', { reasons: [{ text: '' }] }],
  ['/reasons/0/text', { reasons: [{}] }],
  ['/reasons/0/text', { reasons: [{ text: 'x'.repeat(10_001) }] }],
  ['/consent', { consent: undefined }],
  ['/consent/share_with_gp', { consent: { referral: true } }],
  ['/consent/share_with_gp', { consent: { referral: true, share_with_gp: 'perhaps' } }],
  ['/gp_practice/ods_code', { gp_practice: {} }],
  ['/gp_practice/name', { gp_practice: { ods_code: 'Z99001', name: 'x' } }],
  ['/referrer/name', { referrer: { name: 'Somebody Else' } }],
  ['/status', { status: 'accepted' }],
  ['/what_matters', { what_matters: '' }],
])('a body that is wrong at %s is refused with a 400 that names it (%#)', async (pointer, wrong) => {
  const before = await stored();
  const { statusCode, body } = await submit({ ...aReferral(place.serviceId), ...wrong });
  expect(statusCode).toBe(400);
  expect(JSON.parse(body).errors.map((each: any) => each.pointer)).toContain(pointer);
  expect(await stored()).toBe(before);
});

const patient = aReferral('').patient;

test.each([
  ['/patient/given_name', { given_name: undefined }],
  ['/patient/family_name', { family_name: '' }],
  ['/patient/birth_date', { birth_date: '31/12/1950' }],
  ['/patient/birth_date', { birth_date: '1950-02-30' }],
  ['/patient/nhs_number', { nhs_number: '999-000-0018' }],
  ['/patient/address', { address: undefined }],
  ['/patient/address/postcode', { address: { lines: ['1 High Street'], postcode: 'nowhere' } }],
  ['/patient/address/lines', { address: { lines: [], postcode: 'ZT1 1AA' } }],
  ['/patient/email', { email: 'nobody' }],
  ['/patient/telephone', { telephone: 'ask me' }],
  ['/patient/gender', { gender: 'x' }],
  ['/patient/communication_needs/language', { communication_needs: { language: 'Polish' } }],
])('a patient that is wrong at %s is refused with a 400 that names it (%#)', async (pointer, wrong) => {
  const { statusCode, body } = await submit({
    ...aReferral(place.serviceId),
    patient: { ...patient, ...wrong },
  });
  expect(statusCode).toBe(400);
  expect(JSON.parse(body).errors.map((each: any) => each.pointer)).toContain(pointer);
});

test('an NHS number may be sent as it is printed, is kept and found without the spaces, and its form is told', async () => {
  const search = (nhs_number: string) =>
    site.app.inject({
      method: 'POST',
      url: '/api/referrals/search',
      payload: { nhs_number },
      headers: referrer.headers,
    });
  const printed = { ...patient, given_name: 'Printed', nhs_number: '999 000 0026' };
  const made = await submit({ ...aReferral(place.serviceId), patient: printed });
  expect(made.statusCode, made.body).toBe(201);
  expect(made.json().patient.nhs_number).toBe('9990000026');
  for (const number of ['9990000026', '999 000 0026'])
    expect((await search(number)).json().items.map(({ id }: any) => id)).toEqual([made.json().id]);
  const message = 'must be 10 digits, such as 999 000 0018';
  expect((await search('999 000')).json().errors).toEqual([{ pointer: '/nhs_number', message }]);
});

test('what the schema cannot see is refused with a 422, all of it at once, and nothing of it is repeated', async () => {
  const { statusCode, body } = await submit({
    ...aReferral('not-in-the-library'),
    patient: { ...patient, nhs_number: '9434765919', birth_date: '2099-01-01' },
    gp_practice: { ods_code: 'X12345' },
    consent: { referral: false, share_with_gp: true },
  });
  expect(statusCode).toBe(422);
  const { type, errors } = JSON.parse(body);
  expect(type).toContain('/problems/cannot-refer');
  const pointers = [
    '/service_id',
    '/gp_practice/ods_code',
    '/patient/nhs_number',
    '/patient/birth_date',
    '/consent/referral',
  ];
  expect(errors.map((each: any) => each.pointer)).toEqual(pointers);
  for (const sent of ['not-in-the-library', '9434765919', '2099', 'X12345']) expect(body).not.toContain(sent);
});

test('a service that is not active, or takes no referrals, or has no way to get them, is refused with the reason', async () => {
  const closed = await aService(site.deps, { status: 'temporarily closed' });
  expect((await submit(aReferral(closed.serviceId))).json().errors[0].message).toContain('not active');
  const other = await aService(site.deps);
  const settings = (accepts: boolean, channels: string) =>
    sql`insert into service_referral_settings (service_id, accepts, channels) values (${other.serviceId}, ${accepts}, ${channels})
      on conflict (service_id) do update set accepts = excluded.accepts, channels = excluded.channels`.execute(
      site.deps.db,
    );
  await settings(false, '{inbox}');
  expect((await submit(aReferral(other.serviceId))).json().errors[0].message).toContain(
    'does not take referrals',
  );
  await settings(true, '{}');
  expect((await submit(aReferral(other.serviceId))).json().errors[0].message).toContain('no way to receive');
});

test('the same person to the same service twenty times at once: one referral, nineteen that name it', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(aReferral(place.serviceId))));
  const codes = answers.map((answer) => answer.statusCode).sort();
  expect(codes).toEqual([201, ...Array(19).fill(409)]);
  const made = answers.find((answer) => answer.statusCode === 201)!.json();
  for (const answer of answers.filter((each) => each.statusCode === 409)) {
    expect(answer.json()).toMatchObject({ reference: made.reference, referral_id: made.id });
  }
  expect((await submit({ ...aReferral(place.serviceId), allow_duplicate: true })).statusCode).toBe(201);
});

test('another organisation learns that there is an open referral, and not which', async () => {
  const patient = { ...aReferral('').patient, nhs_number: aTestNhsNumber(77), family_name: 'Elsewhere' };
  const body = aReferral(place.serviceId, { patient });
  const { id } = (await submit(body)).json();
  const elsewhere = await aTokenHolder(site.deps, { organisation: { name: 'Elsewhere Surgery' } });
  const refused = await submit(body, {}, elsewhere);
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).not.toHaveProperty('reference');
  expect(refused.json()).not.toHaveProperty('referral_id');
  // Who learnt of it stands beside it, for whoever is asked why it was looked for.
  const { rows } = await sql`
    select actor_id, outcome from audit_entries
    where action = 'referral.duplicate_told' and subject_id = ${id}`.execute(site.deps.db);
  expect(rows).toEqual([{ actor_id: elsewhere.id, outcome: 'refused' }]);

  const theirs = (await submit({ ...body, allow_duplicate: true }, {}, elsewhere)).json();
  // Their own is named, although it is not the oldest.
  expect((await submit(body, {}, elsewhere)).json()).toMatchObject({ reference: theirs.reference });
});

test('one idempotency key, twenty requests at once: one referral, and every answer is it or asks to wait', async () => {
  const before = await stored();
  const headers = { 'idempotency-key': 'twenty-at-once' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => submit(aReferral(place.serviceId), headers)),
  );
  expect(await stored()).toBe(before + 1);
  const ids = new Set(answers.filter((each) => each.statusCode === 201).map((each) => each.json().id));
  expect(ids.size).toBe(1);
  for (const answer of answers.filter((each) => each.statusCode !== 201))
    expect(answer.json().type).toContain('still-in-progress');
  const again = await submit(aReferral(place.serviceId), headers);
  expect([again.statusCode, ids.has(again.json().id), again.headers.etag]).toEqual([201, true, '"1"']);
  const elsewhere = await aTokenHolder(site.deps);
  expect((await submit(aReferral(place.serviceId), headers, elsewhere)).statusCode).toBe(409);
});

test('accepted and rejected at once: one of them, and the other is told that it changed', async () => {
  const { id } = (await submit(aReferral(place.serviceId))).json();
  const status_reason = { code: 'no-capacity', text: 'The group is full.' };
  const answers = await Promise.all([act(id, 'accept', {}), act(id, 'reject', { status_reason })]);
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 412]);
});

test('each action only from its states, only by its side', async () => {
  const { id } = (await submit(aReferral(place.serviceId))).json();
  const outcome = { code: 'goals-met', text: 'Well done.' };
  expect((await act(id, 'complete', { outcome })).json().type).toContain('wrong-state');
  expect((await act(id, 'accept', {}, 1, referrer)).statusCode).toBe(403);
  const stranger = await aTokenHolder(site.deps, { role: 'provider' });
  expect((await act(id, 'accept', {}, 1, stranger)).statusCode).toBe(404);
  expect((await act(id, 'reject', {})).json().errors[0].pointer).toBe('/status_reason');
  expect((await act(id, 'accept', {})).statusCode).toBe(200);
  expect(
    (await act(id, 'reject', { status_reason: { code: 'other', text: 'No.' } }, 2)).json().type,
  ).toContain('wrong-state');
  expect((await act(id, 'complete', { outcome }, 2)).json().status).toBe('completed');
});

test('what is not there and what is not yours get the very same answer', async () => {
  const { id } = (await submit(aReferral(place.serviceId))).json();
  const stranger = await aTokenHolder(site.deps);
  const read = async (url: string) => {
    const answer = await site.app.inject({ url, headers: stranger.headers });
    const { request_id: _, ...body } = answer.json();
    // How many calls are left changes from call to call.
    const { date: _date, 'content-length': _length, ratelimit: _left, ...headers } = answer.headers;
    return { code: answer.statusCode, body, headers };
  };
  const missing = '01a1fc5f-2dc9-7657-95a8-dd6dd2dbc1d6';
  for (const rest of ['', '/history', '/deliveries']) {
    expect(await read(`/api/referrals/${id}${rest}`)).toEqual(await read(`/api/referrals/${missing}${rest}`));
    expect(await read(`/api/referrals/not-an-id${rest}`)).toEqual(
      await read(`/api/referrals/${missing}${rest}`),
    );
  }
});

test('an operator sees how far it came, and nothing of the person', async () => {
  const { id } = (await submit(aReferral(place.serviceId))).json();
  await act(id, 'reject', { status_reason: { code: 'other', text: 'Margaret moved away.' } });
  const operator = await aTokenHolder(site.deps, { role: 'operator' });
  for (const rest of [`/${id}`, `/${id}/history`, '']) {
    const answer = await site.app.inject({ url: `/api/referrals${rest}`, headers: operator.headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('rejected');
    for (const personal of ['Margaret', 'Example', '9990000018', 'Mill Lane', 'lonely'])
      expect(answer.body).not.toContain(personal);
  }
});

test('a list is newest first, a page at a time, and a wrong cursor or parameter is named', async () => {
  site.clock.moveOn(1);
  const { id } = (await submit(aReferral(place.serviceId))).json();
  const list = async (query: string) =>
    site.app.inject({ url: `/api/referrals?${query}`, headers: referrer.headers });
  const first = (await list('limit=1')).json();
  expect(first.items[0].id).toBe(id);
  const second = (await list(`limit=1&cursor=${first.next_cursor}`)).json();
  expect(second.items[0].id < id).toBe(true);
  for (const [query, pointer] of [
    ['cursor=nonsense', '/query/cursor'],
    ['limit=0', '/query/limit'],
    ['colour=red', '/query/colour'],
  ]) {
    const answer = await list(query!);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].pointer).toBe(pointer);
  }
});

test('texts that cannot be stored, and moments that are none, are refused with their place', async () => {
  const cases: [string, object][] = [
    ['/reasons/0/text', { reasons: [{ text: 'half a \ud800 pair' }] }],
    ['/what_matters', { what_matters: 'nothing\u0000' }],
    ['/patient/family_name', { patient: { ...patient, family_name: '   ' } }],
    [
      '/consent/recorded_at',
      { consent: { referral: true, share_with_gp: true, recorded_at: '2016-12-31T23:59:60Z' } },
    ],
  ];
  for (const [pointer, wrong] of cases) {
    const answer = await submit({ ...aReferral(place.serviceId), ...wrong });
    expect(answer.statusCode, pointer).toBe(400);
    expect(answer.json().errors.map((each: any) => each.pointer)).toEqual([pointer]);
  }
  const queries = [
    'service_id=%00',
    'status=%00',
    'status=nonsense',
    'limit=1.5',
    'updated_after=2016-12-31T23:59:60Z',
    'updated_after=soon',
  ];
  for (const query of queries) {
    const answer = await site.app.inject({ url: `/api/referrals?${query}`, headers: referrer.headers });
    expect(answer.statusCode, query).toBe(400);
    expect(answer.json().errors[0].pointer.replace('/0', ''), query).toBe(`/query/${query.split('=')[0]}`);
  }
  const status = await site.app.inject({ url: '/api/referrals?status=foo', headers: referrer.headers });
  expect(status.json().errors[0].message).toMatch(
    /^must be one of draft, requested, accepted, .*entered-in-error/,
  );
  expect(status.body).not.toContain('foo');
  for (const after of [
    '2026-11-21',
    '2026-11-21T09:30',
    '2026-11-21T09:30Z',
    '2026-11-21T09:30:00%2B01:00',
  ]) {
    const url = `/api/referrals?updated_after=${after}`;
    expect((await site.app.inject({ url, headers: referrer.headers })).statusCode, after).toBe(200);
  }
  const misspelt = await site.app.inject({ url: '/api/token/status?colour=red', headers: referrer.headers });
  expect(misspelt.json().errors).toEqual([
    { pointer: '/query/colour', message: 'is not known here: leave it out' },
  ]);
});
