import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';

/** Something was measured for the start, so the end is due one day. */
export async function expectEndMeasures(trx: Trx, referralId: string, at: Date): Promise<void> {
  await sql`
    insert into end_measures_due (referral_id, started_at) values (${referralId}, ${at}) on conflict do nothing`.execute(
    trx,
  );
}

/** The end was measured. Nobody is reminded any more. */
export async function deleteEndMeasuresDue(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('end_measures_due').where('referral_id', '=', referralId).execute();
}

export async function setEndMeasuresReminded(
  trx: Trx,
  referralId: string,
  { reminded, at }: { reminded: 'person' | 'staff'; at: Date },
): Promise<void> {
  await trx
    .updateTable('end_measures_due')
    .set({ reminded, reminded_at: at })
    .where('referral_id', '=', referralId)
    .execute();
}

/**
 * The referrals that were completed a while ago, or started long ago, without a measure of the end or a reminder of it. Their
 * organisation must have questionnaires switched on.
 */
export async function listEndMeasuresToRemind(
  trx: Trx,
  due: { completedBefore: Date; startedBefore: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from end_measures_due m join referrals r on r.id = m.referral_id
      join questionnaire_desks k on k.organisation_id = r.referrer_organisation_id and k.is_on
    where m.reminded_at is null and r.restricted_at is null and r.erased_at is null and r.death_reported_at is null
      and ((r.status = 'completed' and r.version_at <= ${due.completedBefore})
        or (r.status in ('accepted', 'in-progress', 'on-hold') and m.started_at <= ${due.startedBefore}))
    order by r.id limit ${due.limit}`.execute(trx);
  return rows.map(({ id }) => id);
}
