import { sql } from 'kysely';
import type { Caller } from '../../../accounts/index.ts';
import type { ServiceForReferral } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';

/** The draft to a service that somebody saved last, within the last day. It says nothing of the person, so this is not recorded as access. */
export async function findBegunDraft(
  db: Db,
  { accountId }: Caller,
  { service, now }: { service: ServiceForReferral; now: Date },
): Promise<{ id: string; updatedAt: Date } | undefined> {
  const { rows } = await sql<{ id: string; updatedAt: Date }>`
    select id, updated_at as "updatedAt" from referrals
    where referrer_account_id = ${accountId} and service_id = ${service.id} and status = 'draft'
      and erased_at is null and restricted_at is null and updated_at > ${now}::timestamptz - interval '1 day'
    order by updated_at desc limit 1`.execute(db);
  return rows[0];
}
