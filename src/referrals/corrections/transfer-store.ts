import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import type { HistoryActor } from '../model/actors/authors.ts';
import { type HistoryDetails, insertHistoryLineSql } from '../model/history-store.ts';
import type { Referral, StatusReason } from '../model/referral.ts';
import { type ReferralRow, referralColumnsSql, referralFromRow } from '../model/referrals-store.ts';

export type ServiceUpdate = Pick<Referral, 'service_id' | 'service' | 'content'>;

/** Gives a locked referral another service, and adds a line to its history. The status and its dates stay. */
export async function updateService(
  trx: Trx,
  referral: Referral,
  { service_id, service, content }: ServiceUpdate,
  {
    details,
    reason,
    actor,
    at,
  }: { details: HistoryDetails; reason: StatusReason; actor: HistoryActor; at: Date },
): Promise<Referral> {
  const next = { ...referral, version: referral.version + 1 };
  const line = { from: referral.status, reason, details, actor, at };
  const { rows } = await sql<ReferralRow>`
    with history as (${insertHistoryLineSql(next, line)})
    update referrals set service_id = ${service_id}, service_name = ${service.name},
      service_organization_id = ${service.organization_id}, service_organization_name = ${service.organization_name},
      content = ${JSON.stringify(content)}::jsonb, version = version + 1, updated_at = ${at}, version_at = ${at}
    where id = ${referral.id} returning ${referralColumnsSql}`.execute(trx);
  return referralFromRow(rows[0]!) as Referral;
}
