import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { eraseAnswers } from '../idempotency-store.ts';
import type { ReferralStatus } from '../referral.ts';

/**
 * Takes away all that is personal or clinical, and leaves the reference, the service, the status and the dates. What
 * hangs on its deliveries is the delivery room's to take away.
 */
export async function eraseContent(
  trx: Trx,
  { secrets }: Pick<Platform, 'secrets'>,
  id: string,
  at: Date,
): Promise<void> {
  await sql`
    update referrals
    set content = '{}', outcome = null, status_reason = null, practice_ods_code = null, practice_name = null,
      patient_name_key = null, patient_number_key = null, patient_family_key = null, erased_at = ${at}
    where id = ${id}`.execute(trx);
  // A history is never changed but here: see migration 0023.
  await sql`select set_config('onward.erasing', 'on', true)`.execute(trx);
  await sql`update referral_history set reason = null where referral_id = ${id} and reason is not null`.execute(
    trx,
  );
  await sql`select set_config('onward.erasing', 'off', true)`.execute(trx);
  const aboutIt = [
    'referral_messages',
    'referral_readings',
    'referral_attachments',
    'referral_openings',
    'referral_restrictions',
  ];
  for (const table of aboutIt)
    await sql`delete from ${sql.table(table)} where referral_id = ${id}`.execute(trx);
  await eraseAnswers(trx, secrets, id);
}

/** What the rule erases, and when it has waited long enough. */
export type RetentionRule = { years: number; now: Date };

/** States in which nobody is to do anything more; a draft that nobody has touched for so long is one, too. */
const over: readonly ReferralStatus[] = [
  'draft',
  'completed',
  'rejected',
  'failed',
  'cancelled',
  'entered-in-error',
];

/**
 * What the rule erases next, as ids: what ended long enough ago. Of somebody who was under 18 when it ended, not before
 * their 25th birthday; the 26th, if they were 17 then. What is restricted stays: somebody may need it before a court.
 */
function dueBy({ years, now }: RetentionRule): RawBuilder<unknown> {
  const statuses = sql.join(over.map((each) => sql.lit(each)));
  const born = sql`(content #>> '{patient,birth_date}')::date`;
  return sql`
    from referrals
    where erased_at is null and status in (${statuses}) and restricted_at is null
      and updated_at < ${now}::timestamptz - make_interval(years => ${years}::int)
      and (${born} is null or updated_at >= ${born} + interval '18 years' or ${now}::timestamptz >= ${born} +
        case when updated_at >= ${born} + interval '17 years' then interval '26 years' else interval '25 years' end)`;
}

export async function listDue(
  db: Db,
  rule: RetentionRule,
  { limit, without }: { limit: number; without: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id ${dueBy(rule)} and id <> all(${without}::uuid[]) order by updated_at limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Whether the rule still erases it: somebody may have restricted it since it was listed. */
export async function isDue(trx: Trx, rule: RetentionRule, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 ${dueBy(rule)} and id = ${id}`.execute(trx);
  return rows.length === 1;
}

export type Due = {
  id: string;
  reference: string;
  status: ReferralStatus;
  serviceName: string | null;
  endedAt: Date;
};

/** What the next run erases: how much, and the oldest of it. It names nobody. */
export async function previewDue(
  db: Db,
  rule: RetentionRule,
  limit: number,
): Promise<{ count: number; oldest: Due[] }> {
  const { rows } = await sql<Due & { count: number }>`
    select id, reference, status, service_name as "serviceName", updated_at as "endedAt",
      count(*) over ()::int as count ${dueBy(rule)} order by updated_at limit ${limit}`.execute(db);
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ count: _, ...due }) => due) };
}
