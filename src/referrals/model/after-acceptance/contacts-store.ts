import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';
import type { Referral } from '../referral.ts';
import { type ReferralRow, referralColumnsSql, referralFromRow } from '../referrals-store.ts';
import type { Appointment, Contact } from './contacts.ts';

export type ContactUpdate = {
  contacts?: readonly Contact[];
  appointments?: readonly Appointment[];
  firstContactAt: Date | null;
  nextDate: string | null;
};

/** Stores the contacts and appointments of a locked referral. The version stays: what the referral asks for has not changed. */
export async function setContacts(
  trx: Trx,
  id: string,
  { firstContactAt, nextDate, ...lists }: ContactUpdate,
  at: Date,
): Promise<Referral> {
  const { rows } = await sql<ReferralRow>`
    update referrals set content = content || ${JSON.stringify(lists)}::jsonb, first_contact_at = ${firstContactAt},
      next_date = ${nextDate}::date,
      next_date_reminders = case when next_date = ${nextDate}::date then next_date_reminders else 0 end,
      next_reminder_on = case when next_date = ${nextDate}::date then next_reminder_on end,
      updated_at = ${at}
    where id = ${id} returning ${referralColumnsSql}`.execute(trx);
  return referralFromRow(rows[0]!) as Referral;
}
