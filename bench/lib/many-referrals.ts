import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { withPlatformOf } from './platform-of.ts';

const batchSize = 20_000;
const practices = 300;
const organizations = 1000;
const services = 3000;

/**
 * Adds this many referrals to a site's database, as three years would leave them. Three hundred practices made them, to
 * the services of a thousand organisations; nine in ten have ended. Each is like the newest referral of the site, with
 * its history and its two deliveries. One in two hundred is the sample practice's, and one in two hundred the sample
 * provider's. The indexes are kept while rows are added.
 *
 * Each referral has three numbers. `two_hundredth` (0 to 199) says whether it is the sample's: 0 the practice's, 1 the
 * provider's. `status_percent` (0 to 99, random) decides its status. `random_number` chooses practice, service and time.
 */
export function addManyReferrals(site: SiteProcess, count: number): Promise<void> {
  return withPlatformOf(site.env, ({ db }) =>
    db.connection().execute(async (connection) => {
      // On a busy machine one statement takes longer than a site allows.
      await sql`set statement_timeout = 0`.execute(connection);
      await addPractices(connection);
      await addServices(connection);
      for (let from = 0; from < count; from += batchSize) {
        await addReferrals(connection, from, Math.min(from + batchSize, count) - 1, count);
      }
      await sql`vacuum (analyze) referrals, referral_history, deliveries`.execute(connection);
    }),
  );
}

/** Practices and their accounts, copied from the sample referrer's with ids that count up. */
async function addPractices(db: Db): Promise<void> {
  await sql`
    insert into organisations (id, name, created_at)
    select ${idOf('a', sql`number`)}, 'Practice ' || number, now() from generate_series(1, ${practices}::int) as number`.execute(
    db,
  );
  await sql`
    insert into accounts
    select row.* from accounts a cross join generate_series(1, ${practices}::int) as number
    cross join lateral jsonb_populate_record(a, jsonb_build_object('id', ${idOf('a', sql`number`)},
      'organisation_id', ${idOf('a', sql`number`)}, 'email', 'referrer-' || number || '@example.org')) as row
    where a.email = 'referrer@example.org'`.execute(db);
}

async function addServices(db: Db): Promise<void> {
  await sql`
    insert into services (id, name, status, organization_id, search, last_modified, updated_at)
    select 'service-' || number, 'Service ' || number, 'active', 'organization-' || number % ${organizations}::int, '',
      now(), now()
    from generate_series(0, ${services - 1}::int) as number`.execute(db);
}

function idOf(kind: string, number: ReturnType<typeof sql>) {
  return sql`(${`${kind}0000000-0000-4000-8000-`}::text || lpad((${number})::text, 12, '0'))::uuid`;
}

async function addReferrals(db: Db, from: number, to: number, count: number): Promise<void> {
  await sql`
    with template as (select r as referral from referrals r where status = 'requested' order by id desc limit 1),
    numbers as (
      select number, md5('referral ' || number) as random, number % 200 as two_hundredth,
        now() - interval '3 years' * (1 - number::float8 / ${count}::float8) as at
      from generate_series(${from}::int, ${to}::int) as number),
    facts as (
      select *, ('x' || left(random, 6))::bit(24)::int % 100 as status_percent,
        ('x' || right(random, 6))::bit(24)::int as random_number from numbers),
    made as (
      insert into referrals
      select row.* from facts cross join template cross join lateral jsonb_populate_record(referral, jsonb_build_object(
        'id', ${idAt}, 'reference', left(random, 6) || '-' || right(random, 6),
        'status', ${statusOf}, 'version', case when status_percent < 3 then 1 else 3 end,
        'created_at', at, 'requested_at', at, 'updated_at', at + interval '1 minute' * (random_number % 20000),
        'version_at', at + interval '1 minute' * (random_number % 20000),
        'due_at', at + interval '10 days',
        'next_date', case when status_percent >= 3 and status_percent < 10 then now()::date + random_number % 90 end,
        'patient_name_key', sha256(random::bytea), 'patient_number_key', sha256(('n' || random)::bytea),
        'patient_family_key', sha256(('f' || random)::bytea))
        || case when two_hundredth = 0 then '{}' else jsonb_build_object(
          'referrer_account_id', ${idOf('a', sql`1 + random_number % ${practices}::int`)},
          'referrer_organisation_id', ${idOf('a', sql`1 + random_number % ${practices}::int`)}) end
        || case when two_hundredth = 1 then '{}' else jsonb_build_object(
          'service_id', 'service-' || random_number % ${services}::int,
          'service_name', 'Service ' || random_number % ${services}::int,
          'service_organization_id', 'organization-' || random_number % ${organizations}::int,
          'service_organization_name', 'Organisation ' || random_number % ${organizations}::int) end) as row
      returning id, status, version, created_at, updated_at, practice_name, service_name),
    history as (
      insert into referral_history (referral_id, version, at, actor_name, from_status, to_status)
      select id, line, case line when 1 then created_at else updated_at end, 'Somebody',
        case line when 1 then null else 'requested' end, case line when 1 then 'requested' else status end
      from made, generate_series(1, version) as line)
    insert into deliveries (id, referral_id, referral_version, leg, purpose, recipient_name, channel, status,
      simulated, message_id, attempts_started, created_at, updated_at, sent_at)
    select gen_random_uuid(), id, 1, leg, 'referral', case leg when 'service' then service_name else practice_name end, 'inbox', 'received', true, gen_random_uuid(), 1,
      created_at, created_at, created_at
    from made, unnest(array['service', 'gp_practice']) as leg`.execute(db);
}

/** A version 7 UUID of that moment, so that ids sort by time as the site's do. */
const idAt = sql`(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || left(random, 3) || '8'
  || substr(random, 4, 3) || substr(random, 7, 12))::uuid`;

/** A few wait for an answer, some are in progress, and nearly all have ended. */
const statusOf = sql`case when status_percent < 3 then 'requested' when status_percent < 5 then 'accepted'
  when status_percent < 8 then 'in-progress' when status_percent < 10 then 'on-hold' when status_percent < 80 then 'completed'
  when status_percent < 90 then 'rejected' when status_percent < 95 then 'cancelled' else 'failed' end`;
