import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { aReferral, aTestNhsNumber, aTokenHolder } from '../../test/builders.ts';
import { makeReferralStage } from '../../test/referral-stage.ts';

const { completeAll, place, site, stored, submit } = await makeReferralStage();
afterAll(() => site.close());
beforeEach(() => completeAll());

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
