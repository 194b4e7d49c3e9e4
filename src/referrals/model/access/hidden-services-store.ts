import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';

/** Of these referrals, those to sensitive services with which this account has done nothing but read. */
export async function listSensitiveWithoutAction(
  db: Db,
  ids: readonly string[],
  accountId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from referrals r join service_referral_settings s on s.service_id = r.service_id
    where r.id = any(${ids}::uuid[]) and s.sensitive
      and not exists (select from referral_history h where h.referral_id = r.id and h.actor_id = ${accountId})
      and not exists (select from referral_messages m where m.referral_id = r.id and m.author_id = ${accountId})
      and not exists (select from referral_changes c where c.referral_id = r.id and c.author_id = ${accountId})
      and not exists (select from referral_attachments a where a.referral_id = r.id and a.author_id = ${accountId})
      and not exists (select from referral_openings o where o.referral_id = r.id and o.account_id = ${accountId})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
