import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';

/** How a service answers referrals. Null if there are too few to tell. */
export type Responsiveness = {
  serviceId: string;
  medianDays: number | null;
  /** From 0 to 1. */
  shareAccepted: number | null;
  referrals90Days: number | null;
  /** Its most frequent reason for rejecting: a `status_reason` code of referrals. */
  rejectionCode: string | null;
};

/** Until they are measured again. */
export async function removeResponsiveness(trx: Trx, serviceId: string): Promise<void> {
  await trx.deleteFrom('service_responsiveness').where('service_id', '=', serviceId).execute();
}

/** Replaces the figures of all services. */
export async function replaceResponsiveness(trx: Trx, rows: readonly Responsiveness[]): Promise<void> {
  await trx.deleteFrom('service_responsiveness').execute();
  await sql`
    insert into service_responsiveness (service_id, median_days, share_accepted, referrals_90_days, rejection_code)
    select s.id, given."medianDays", given."shareAccepted", given."referrals90Days", given."rejectionCode"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(
      "serviceId" text, "medianDays" float8, "shareAccepted" float8, "referrals90Days" int, "rejectionCode" text)
    join services s on s.id = given."serviceId"`.execute(trx);
}
