import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** Referrals sent before a time that wait for an answer, oldest first. */
export async function listUnanswered(db: Db, sentBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from referrals where status = 'requested' and restricted_at is null and requested_at < ${sentBefore}
    order by requested_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The library's organisations with a referral sent before a time that they were not reminded of yet. */
export async function listUnremindedOrganizations(db: Db, sentBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct service_organization_id as id from referrals
    where status = 'requested' and restricted_at is null and requested_at < ${sentBefore} and reminded_at is null
      and service_organization_id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** All unanswered referrals sent before a time, or only one. */
export type UnansweredReferrals = { sentBefore: Date } | { only: string };

/** Marks the unanswered referrals to an organisation as reminded. @returns those that were not before. */
export async function markReminded(
  trx: Trx,
  libraryOrganizationId: string,
  unanswered: UnansweredReferrals,
  at: Date,
): Promise<{ id: string; reference: string }[]> {
  const condition =
    'only' in unanswered ? sql`id = ${unanswered.only}` : sql`requested_at < ${unanswered.sentBefore}`;
  const { rows } = await sql<{ id: string; reference: string }>`
    update referrals set reminded_at = ${at}
    where status = 'requested' and restricted_at is null and ${condition} and reminded_at is null
      and service_organization_id = ${libraryOrganizationId}
    returning id, reference`.execute(trx);
  return rows;
}
