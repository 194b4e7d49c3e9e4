import { type RawBuilder, sql } from 'kysely';

// Parts of statements about whether a letter has arrived, and whether it is still there.

/** Whether an attempt of this delivery may have reached its receiver. The view `practice_letters` has the same rule. */
export function mayHaveArrivedSql(deliveryId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from delivery_attempts t where t.delivery_id = ${deliveryId} and t.outcome not in ('failed', 'will-retry'))`;
}

/**
 * Whether the practice of a letter, a row of deliveries, was asked to remove it, or may have been: it had been named by mistake. Nobody
 * knows whether it did. `when` says which `removal` counts.
 */
export function practiceWasAskedToRemoveSql(
  letter: RawBuilder<unknown>,
  when: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (
    select from practice_letters removal
    where removal.purpose = 'removal' and removal.referral_id = ${letter}.referral_id
      and removal.receiver_code = ${letter}.receiver_code and removal.referral_version > ${letter}.referral_version
      and ${when})`;
}
