import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aReferral, aService, aTokenHolder, type LibraryPlace } from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';

// What is asked for at the same time is made in one transaction.

let site: TestApp;
let place: LibraryPlace;
let referrer: Awaited<ReturnType<typeof aTokenHolder>>;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  referrer = await aTokenHolder(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
});
afterAll(() => site.close());

const submit = (payload: object, headers: Record<string, string> = {}) =>
  site.app.inject({
    method: 'POST',
    url: '/api/referrals',
    payload,
    headers: { ...referrer.headers, ...headers },
  });
const of = (family_name: string, given: object = {}) => {
  const referral = aReferral(place.serviceId, given as Record<string, unknown>);
  const { nhs_number: _, ...patient } = (referral as { patient: Record<string, unknown> }).patient;
  return { ...referral, patient: { ...patient, family_name } };
};

async function transactionsOf(ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::int as count from referrals where id = any(${ids}::uuid[])`.execute(
    site.deps.db,
  );
  return rows[0]!.count;
}

test('each is whole, with its own person, history, audit, deliveries and event', async () => {
  const names = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'];
  const answers = (await Promise.all(names.map((name) => submit(of(name))))).map((answer) => answer.json());
  expect(answers.map(({ patient }) => patient.family_name)).toEqual(names);
  const ids = answers.map(({ id }) => id);
  expect(await transactionsOf(ids)).toBe(1);
  const { rows } = await sql<object>`
    select content #>> '{patient,family_name}' as name, status,
      (select array_agg(to_status) from referral_history where referral_id = r.id) as history,
      (select array_agg(action) from audit_entries where subject_id = r.id::text) as audit,
      (select count(*)::int from deliveries where referral_id = r.id) as deliveries,
      (select array_agg(type) from new_events where referral_id = r.id) as events
    from referrals r where id = any(${ids}::uuid[]) order by id`.execute(site.deps.db);
  expect(rows).toEqual(
    expect.arrayContaining(
      names.map((name) => ({
        name,
        status: 'requested',
        history: ['requested'],
        audit: ['referral.requested'],
        deliveries: 2,
        events: ['referral.requested'],
      })),
    ),
  );
});

test('one that is refused keeps none of the others from being made', async () => {
  await submit(of('Rowan'));
  const bodies = [
    of('Willow'),
    of('Rowan'),
    { ...of('Yew'), service_id: 'nowhere' },
    of('Alder', { status: 'draft' }),
    of('Beech'),
  ];
  const answers = await Promise.all(bodies.map((body) => submit(body)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 409, 422, 201, 201]);
  expect(answers.map((answer) => answer.json().status)).toEqual([
    'requested',
    409,
    422,
    'draft',
    'requested',
  ]);
});

test('one key for several at once: one referral, and the same answer for all', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => submit(of('Hazel'), { 'idempotency-key': 'hazel' })),
  );
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  expect(answers[0]!.statusCode).toBe(201);
});

test('one that the database refuses keeps none of the others from being made', async () => {
  await sql`alter table referrals add constraint no_larch check (content #>> '{patient,family_name}' <> 'Larch')`.execute(
    site.deps.db,
  );
  const answers = await Promise.all(['Maple', 'Larch', 'Oak'].map((name) => submit(of(name))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 500, 201]);
});
