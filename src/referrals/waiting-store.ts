import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';

/** The oldest referrals that were sent before a moment and wait for an answer. */
export async function listUnanswered(db: Db, sentBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from referrals where status = 'requested' and restricted_at is null and requested_at < ${sentBefore}
    order by requested_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The library's organisations that were not yet reminded of something that was sent before a moment. */
export async function listUnremindedOrganizations(db: Db, sentBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct service_organization_id as id from referrals
    where status = 'requested' and restricted_at is null and requested_at < ${sentBefore} and reminded_at is null
      and service_organization_id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those that were sent before a moment, or one of them. */
export type WaitingReferrals = { sentBefore: Date } | { only: string };

/** Notes that an organisation is reminded, and of what. */
export async function noteReminder(
  trx: Trx,
  libraryOrganizationId: string,
  waiting: WaitingReferrals,
  at: Date,
): Promise<{ id: string; reference: string }[]> {
  const these = 'only' in waiting ? sql`id = ${waiting.only}` : sql`requested_at < ${waiting.sentBefore}`;
  const { rows } = await sql<{ id: string; reference: string }>`
    update referrals set reminded_at = ${at}
    where status = 'requested' and restricted_at is null and ${these} and reminded_at is null
      and service_organization_id = ${libraryOrganizationId}
    returning id, reference`.execute(trx);
  return rows;
}
