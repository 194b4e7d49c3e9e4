import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { eraseAnswers } from '../model/idempotency-store.ts';
import type { ReferralStatus } from '../model/referral.ts';

/**
 * Removes everything personal or clinical. The reference, service, status and dates stay. The delivery room erases
 * what belongs to its deliveries. The database refuses it while the referral is held (`referrals_held_not_erased`).
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
  // Against mistakes, not against people, the database refuses changes to a history except during an erasure: see the trigger
  // `referral_history_append_only` in migrations/0001-baseline/referrals.sql.
  await sql`select set_config('onward.erasing', 'on', true)`.execute(trx);
  await sql`update referral_history set reason = null, details = null
    where referral_id = ${id} and (reason is not null or details is not null)`.execute(trx);
  await sql`select set_config('onward.erasing', 'off', true)`.execute(trx);
  const tables = [
    'referral_messages',
    'referral_changes',
    'referral_deaths',
    'unseen_news',
    'looks',
    'referral_prompts',
    'referral_readings',
    'referral_attachments',
    'referral_openings',
    'referral_restrictions',
    'referral_holds',
    'retention_decisions',
  ] as const;
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where referral_id = ${id}`.execute(trx);
  await eraseAnswers(trx, secrets, id);
}

/** Referrals are erased this many years after they ended. */
export type RetentionRule = { years: number; now: Date };

/** In these statuses neither side has to act. A draft that nobody has changed for years counts as finished. */
const finishedStatuses: readonly ReferralStatus[] = [
  'draft',
  'completed',
  'rejected',
  'failed',
  'cancelled',
  'entered-in-error',
];

/**
 * Selects what the rule erases: referrals that ended long enough ago, and are not held or restricted (they may be
 * needed in court). The record of somebody under 18 is kept until their 25th birthday, and until the 26th if they were 17
 * when it ended.
 */
function fromDueReferrals({ years, now }: RetentionRule): RawBuilder<unknown> {
  const statuses = sql.join(finishedStatuses.map((each) => sql.lit(each)));
  const born = sql`(content #>> '{patient,birth_date}')::date`;
  return sql`
    from referrals
    where erased_at is null and status in (${statuses}) and restricted_at is null and held_at is null
      and updated_at < ${now}::timestamptz - make_interval(years => ${years}::int)
      and (${born} is null or updated_at >= ${born} + interval '18 years' or ${now}::timestamptz >= ${born} +
        case when updated_at >= ${born} + interval '17 years' then interval '26 years' else interval '25 years' end)`;
}

export async function listDueForErasure(
  db: Db,
  rule: RetentionRule,
  { limit, without }: { limit: number; without: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id ${fromDueReferrals(rule)} and id <> all(${without}::uuid[]) order by updated_at limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Whether the rule still applies: somebody may have restricted the referral since it was listed. */
export async function isDueForErasure(trx: Trx, rule: RetentionRule, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 ${fromDueReferrals(rule)} and id = ${id}`.execute(trx);
  return rows.length === 1;
}

export type ReferralDueForErasure = {
  id: string;
  reference: string;
  status: ReferralStatus;
  serviceName: string | null;
  endedAt: Date;
};

/** How many referrals the next run erases, and the oldest of them, without the person. */
export async function previewErasure(
  db: Db,
  rule: RetentionRule,
  limit: number,
): Promise<{ count: number; oldest: ReferralDueForErasure[] }> {
  const { rows } = await sql<ReferralDueForErasure & { count: number }>`
    select id, reference, status, service_name as "serviceName", updated_at as "endedAt",
      count(*) over ()::int as count ${fromDueReferrals(rule)} order by updated_at limit ${limit}`.execute(
    db,
  );
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ count: _, ...due }) => due) };
}
