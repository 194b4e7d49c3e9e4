import { sql } from 'kysely';
import { countAccountLists } from '../accounts/index.ts';
import { isPressingReferralSql } from '../delivery/index.ts';
import type { ImportJob } from '../exchange/index.ts';
import type { Db } from '../platform/database/index.ts';

/** The counts that the home page and the page Admin show an operator. */
export async function countForOperators(db: Db) {
  // `pressing`: of the undelivered, those of urgent or dangerous referrals.
  const { rows } = await sql<{
    undelivered: number;
    pressing: number;
    unmatched: number;
  }>`
    select (select count(*)::int from worklist where closed_at is null) as undelivered,
      (select count(*)::int from worklist w join deliveries d on d.id = w.delivery_id join referrals r on r.id = d.referral_id
        where w.closed_at is null and ${isPressingReferralSql}) as pressing,
      (select count(*)::int from unmatched_items where closed_at is null) as unmatched`.execute(db);
  const lastImport = await db
    .selectFrom('library_imports')
    .select([sql<ImportJob['state']>`state`.as('state'), 'ended_at as endedAt', 'created_at as createdAt'])
    .where('dry_run', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { invited } = await countAccountLists(db);
  return { ...rows[0]!, invitations: invited, lastImport: lastImport ?? null };
}
