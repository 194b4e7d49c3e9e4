import { sql } from 'kysely';
import { isSensitiveReferralSql } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { HeldBy } from '../../model/held-by.ts';
import { isPressingReferralSql, type UndeliveredKind } from '../../model/undelivered-store.ts';
import { causeKeySql, faultSql, joinLatestAttemptSql, type OpenRow } from './open-rows-store.ts';

/** A cause of undelivered messages, without its messages. */
export type LeadingCause = {
  /** Of the message that is the most pressing, and open longest. */
  id: string;
  kind: UndeliveredKind;
  /** To services that are sensitive. They stand together whatever the service is, so that nobody learns which ones go together. */
  isSensitive: boolean;
  receiverName: string | null;
  heldBy: HeldBy | null;
  fault: OpenRow['fault'];
  /** The most frequent one. */
  reason: string;
  reasonCount: number;
  count: number;
  isPressing: boolean;
  since: Date;
};

/** The causes with an urgent referral or a danger first, then those that are open longest. The database groups all open rows and sends these few. */
export async function listLeadingCauses(db: Db, limit: number): Promise<LeadingCause[]> {
  const { rows } = await sql<LeadingCause>`
    with open as (
      select w.delivery_id as id, w.kind, w.reason, w.opened_at, d.receiver_name, d.held_by,
        ${isPressingReferralSql} as is_pressing,
        d.leg = 'service' and coalesce(${isSensitiveReferralSql(sql`r`, sql`s`)}, false) as is_sensitive,
        ${faultSql} as fault, ${causeKeySql} as cause_key
      from worklist w join deliveries d on d.id = w.delivery_id join referrals r on r.id = d.referral_id
        ${joinLatestAttemptSql} left join service_referral_settings s on s.service_id = r.service_id
      where w.closed_at is null),
    keyed as (
      select *, case when is_sensitive then jsonb_build_array('sensitive', kind) else cause_key end as cause
      from open)
    select (array_agg(id order by is_pressing desc, opened_at, id))[1] as id, min(kind) as kind,
      bool_or(is_sensitive) as "isSensitive", max(receiver_name) as "receiverName", min(held_by) as "heldBy",
      min(fault) as fault,
      mode() within group (order by reason) as reason, count(distinct reason)::int as "reasonCount",
      count(*)::int as count, bool_or(is_pressing) as "isPressing", min(opened_at) as since
    from keyed group by cause order by bool_or(is_pressing) desc, min(opened_at), min(id::text) limit ${limit}`.execute(
    db,
  );
  return rows;
}
