import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/**
 * How far the ways of a service lead by its settings: out of this site, or to the list here alone, or nowhere. A letter is
 * put into a folder; what is sent needs an address, and a call of a system a secret to be signed with. An address that is
 * not confirmed yet counts: letters are held, and operators see them, until it is.
 */
export type Reach = 'out' | 'inbox' | 'nowhere';

/** Of a service, whose `service_referral_settings` are `r`. */
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

export async function listReach(db: Db, ids: readonly string[]): Promise<ServiceReach[]> {
  const { rows } = await sql<ServiceReach>`
    select s.id, s.organization_id as "organizationId", ${reachOfSettings} as reach
    from services s left join service_referral_settings r on r.service_id = s.id
    where s.id = any(${[...ids]})`.execute(db);
  return rows;
}
