import { sql } from 'kysely';
import { anyOfValuesSql, type Db } from '../../platform/database/index.ts';
import { answerEmail } from './addresses-store.ts';

/**
 * Where a service's settings send referrals: to another system (`external`), to its worklist here (`inbox`), or nowhere. A
 * document is put into a folder and needs no address; the other channels do, and a webhook also needs a secret. An address that is not
 * confirmed yet counts: its messages are held and operators see them.
 */
export type DeliveryMode = 'external' | 'inbox' | 'nowhere';

/** For a query in which `r` is the service's row of `service_referral_settings`. */
export const deliveryModeOfSettingsSql = sql<DeliveryMode>`case
  when exists (
    select from unnest(r.channels) as chosen where chosen = 'document' or exists (
        select from (
          select service_id, channel, secret from delivery_addresses
          union all select service_id, channel, secret from pending_delivery_addresses) a
        where a.service_id = r.service_id and (a.channel = chosen or (chosen = 'email' and a.channel = ${answerEmail}))
          and (chosen <> 'webhook' or a.secret is not null))) then 'external'
  when 'inbox' = any(coalesce(r.channels, '{inbox}')) then 'inbox'
  else 'nowhere' end`;

export type ServiceDeliveryMode = { id: string; deliveryMode: DeliveryMode; organizationId: string | null };

export function listDeliveryModes(db: Db, ids: readonly string[]): Promise<ServiceDeliveryMode[]> {
  return db
    .selectFrom('services as s')
    .leftJoin('service_referral_settings as r', 'r.service_id', 's.id')
    .select(['s.id', 's.organization_id as organizationId', deliveryModeOfSettingsSql.as('deliveryMode')])
    .where('s.id', '=', anyOfValuesSql(ids))
    .execute();
}
