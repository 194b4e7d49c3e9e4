import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';

// What the database holds about referrals, for tests that look behind the API.

type StoredReferral = {
  familyName: string | null;
  status: string;
  /** The statuses of its history, the actions of the audit and the types of the events about it, oldest first. */
  history: string[];
  audit: string[];
  events: string[];
  deliveries: number;
};

/** The referrals and what is stored with them, in the order in which they were made. */
export async function storedReferrals(db: Db, ids: readonly string[]): Promise<StoredReferral[]> {
  const { rows } = await sql<StoredReferral>`
    select content #>> '{patient,family_name}' as "familyName", status,
      array(select to_status from referral_history where referral_id = r.id order by version) as history,
      array(select action from audit_entries where subject_id = r.id::text order by id) as audit,
      array(select type from new_events where referral_id = r.id order by id) as events,
      (select count(*)::int from deliveries where referral_id = r.id) as deliveries
    from referrals r where id = any(${ids}::uuid[]) order by id`.execute(db);
  return rows;
}

/** How many transactions have stored these referrals. */
export async function countTransactions(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::int as count from referrals where id = any(${ids}::uuid[])`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The actions that the audit has about a referral, oldest first; by one account, or by anybody. */
export async function auditedActions(db: Db, referralId: string, actorId?: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries
    where subject_id = ${referralId} and (${actorId ?? null}::text is null or actor_id::text = ${actorId ?? null})
    order by id`.execute(db);
  return rows.map(({ action }) => action);
}

/** How many emails were queued so far. */
export async function countMails(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from mails`.execute(db);
  return rows[0]!.count;
}

/** As if the referral had been requested these hours earlier. */
export async function backdateRequest(db: Db, referralId: string, hours: number): Promise<void> {
  await sql`
    update referrals set requested_at = requested_at - make_interval(hours => ${hours}::int)
    where id = ${referralId}`.execute(db);
}
