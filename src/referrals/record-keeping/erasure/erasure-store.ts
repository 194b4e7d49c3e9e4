import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';
import { dropMailsOfLinks } from '../../../platform/mail/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { eraseAnswers } from '../../model/idempotency/idempotency-store.ts';

/** The tables whose rows about a referral are deleted with it. Their bytes go too: vacuum-store.ts. */
export const erasedTables = [
  'referral_messages',
  'referral_changes',
  'referral_deaths',
  'referral_death_warnings',
  'referral_dangers',
  'watches',
  'open_questions',
  'pending_notifications',
  'looks',
  'referral_prompts',
  'referral_readings',
  'referral_attachments',
  'referral_openings',
  'referral_restrictions',
  'referral_holds',
  'retention_decisions',
  'referral_owners',
  'referral_assignments',
  'referral_notes',
  'referral_reminders',
  'answer_links',
  'person_pages',
  'person_answers',
  'worrying_answers',
  'end_measures_due',
  'letters_to_renew',
] as const;

/**
 * Removes everything personal or clinical. The reference, service, status and dates stay. The delivery room erases what belongs to its
 * deliveries. While the referral is held, the database refuses this (`referrals_held_not_erased`).
 */
export async function eraseContent(
  trx: Trx,
  { secrets, roomsAbove }: Pick<ReferralDeps, 'secrets' | 'roomsAbove'>,
  id: string,
  { isUnlawful, at }: { isUnlawful: boolean; at: Date },
): Promise<void> {
  await dropQueuedMails(trx, id, at);
  await roomsAbove.onErasing(trx, id, { isUnlawful });
  await sql`
    update referrals
    set content = '{}', outcome = null, status_reason = null, end_cause = null, practice_ods_code = null, practice_name = null,
      patient_name_key = null, patient_number_key = null, patient_family_key = null, erased_at = ${at},
      updated_at = ${at}
    where id = ${id}`.execute(trx);
  // Except during an erasure, the database refuses changes to a history. This guards against mistakes, not against people: see the
  // trigger `referral_history_append_only` in migrations/0001-baseline/referrals.sql.
  await sql`select set_config('onward.erasing', 'on', true)`.execute(trx);
  await sql`update referral_history set reason = null, details = null
    where referral_id = ${id} and (reason is not null or details is not null)`.execute(trx);
  await sql`select set_config('onward.erasing', 'off', true)`.execute(trx);
  for (const table of erasedTables)
    await sql`delete from ${sql.table(table)} where referral_id = ${id}`.execute(trx);
  // Reports keep facts until their month is published (`keepFactsOfErased`). Others are deleted here, and made again from what is left.
  await sql`delete from report_facts where referral_id = ${id} and not kept_until_published`.execute(trx);
  await eraseAnswers(trx, secrets, id);
}

/** An email or text that waits to be sent about one of the referral’s pages or links has the person’s address and their link in it. */
async function dropQueuedMails(trx: Trx, referralId: string, at: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from person_pages where referral_id = ${referralId}
    union all select id from answer_links where referral_id = ${referralId}`.execute(trx);
  await dropMailsOfLinks(
    trx,
    rows.map(({ id }) => id),
    at,
  );
}
