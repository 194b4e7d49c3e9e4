import type { Database } from '../../src/platform/database/index.ts';

/** The id of an organisation (group 1), an account (2) or a referral (0) of `storeManyReferrals`. */
export const manyId = (group: 0 | 1 | 2, number: number) =>
  `00000000-0000-7000-800${group}-${String(number).padStart(12, '0')}`;

/**
 * Stores many referrals of many people. One organisation, account and service has a quarter of all. Account 400 has one
 * in 5,000, and no organisation. Only the oldest 400 wait for an answer, which no guess from averages expects.
 */
export async function storeManyReferrals({ pool }: Database, count: number): Promise<void> {
  await pool.query(`insert into organisations (id, name, created_at)
    select ('00000000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid, 'Organisation ' || n, now()
    from generate_series(0, 99) n`);
  await pool.query(`insert into accounts (id, email, name, roles, created_at)
    select ('00000000-0000-7000-8002-' || lpad(n::text, 12, '0'))::uuid, n || '@example.org', 'x', '{referrer}', now()
    from generate_series(0, 400) n`);
  await pool.query(`insert into services (id, name, status, search, last_modified, updated_at)
    select 'service ' || n, 'x', 'active', '', now(), now() from generate_series(0, 198) n`);
  await pool.query(
    `insert into referrals (id, reference, status, version, urgency, simulated, service_id, service_name,
       service_organization_id, referrer_account_id, referrer_organisation_id, patient_name_key, content, created_at,
       requested_at, updated_at, version_at)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n::text,
       case when n < 400 then 'requested' when n % 7 = 0 then 'rejected' else 'completed' end, 1, 'routine', true,
       'service ' || s, 'x', 'org ' || s % 50,
       ('00000000-0000-7000-8002-' || lpad(case when four then 400 else a end::text, 12, '0'))::uuid,
       case when four then null else ('00000000-0000-7000-8001-' || lpad((a % 100)::text, 12, '0'))::uuid end,
       decode(md5(n::text), 'hex'), jsonb_build_object('text', repeat('x', 500)), now(), timestamptz '2026-01-01', timestamptz '2026-01-01' + n * interval '1 minute',
       timestamptz '2026-01-01' + n * interval '1 minute'
     from (select n, n % 5000 = 7 as four, case n % 4 when 0 then 0 else n * 31 % 199 end as s,
       case n % 4 when 1 then 0 else n * 17 % 399 end as a from generate_series(1, $1::int) n) as numbers`,
    [count],
  );
  await pool.query('vacuum analyze referrals');
}

/** Stores this many further open referrals, each like the given one. */
export async function storeManyOpenReferrals(
  pool: Database['pool'],
  referralId: string,
  count: number,
): Promise<void> {
  await pool.query(
    `insert into referrals select (jsonb_populate_record(r, jsonb_build_object(
       'id', gen_random_uuid(), 'reference', 'MANY-' || substr(r.reference, 1, 6) || n))).* from referrals r, generate_series(1, $2::int) n
     where r.id = $1`,
    [referralId, count],
  );
}
