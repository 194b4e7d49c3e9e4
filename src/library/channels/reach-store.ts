import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/**
 * How far referrals travel by a service's settings: out of this site, only to its worklist here, or nowhere. A document is
 * put into a folder and needs no address; the other channels do, and a webhook also needs a secret. An address that is not
 * confirmed yet counts: its messages are held and operators see them.
 */
export type Reach = 'out' | 'inbox' | 'nowhere';

/** For a query in which `r` is the service's row of `service_referral_settings`. */
export const reachOfSettings = sql<Reach>`case
  when exists (
    select from unnest(r.channels) as way where way = 'document' or exists (
        select from (
          select service_id, channel, secret from delivery_addresses
          union all select service_id, channel, secret from pending_delivery_addresses) a
        where a.service_id = r.service_id and (a.channel = way or way = 'email' and a.channel = 'answer_email')
          and (way <> 'webhook' or a.secret is not null))) then 'out'
  when 'inbox' = any(coalesce(r.channels, '{inbox}')) then 'inbox'
  else 'nowhere' end`;

export type ServiceReach = { id: string; reach: Reach; organizationId: string | null };

export function listReach(db: Db, ids: readonly string[]): Promise<ServiceReach[]> {
  return db
    .selectFrom('services as s')
    .leftJoin('service_referral_settings as r', 'r.service_id', 's.id')
    .select(['s.id', 's.organization_id as organizationId', reachOfSettings.as('reach')])
    .where('s.id', '=', sql<string>`any(${ids})`)
    .execute();
}
