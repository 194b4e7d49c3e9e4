import type { Trx } from '../../../../platform/database/index.ts';

export type DeathWarning = { reportId: string; side: 'provider' | 'operators' };

/** For `update-prompts`, which gives each of these referrals somebody who looks into it. */
export async function saveDeathWarnings(
  trx: Trx,
  warnings: readonly (DeathWarning & { referralId: string })[],
): Promise<void> {
  const values = warnings.map(({ referralId, reportId, side }) => ({
    referral_id: referralId,
    report_id: reportId,
    side,
  }));
  await trx
    .insertInto('referral_death_warnings')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('referral_id')
        .doUpdateSet((row) => ({ report_id: row.ref('excluded.report_id'), side: row.ref('excluded.side') })),
    )
    .execute();
}

/** Whether the operators were asked to find out whether the person of this referral has died. */
export async function hasDeathWarningForOperators(trx: Trx, referralId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('referral_death_warnings')
    .select('referral_id')
    .where('referral_id', '=', referralId)
    .where('side', '=', 'operators')
    .executeTakeFirst();
  return row !== undefined;
}
