import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { NoticedDelivery } from '../news-store.ts';

export type ConfirmableDelivery = NoticedDelivery & {
  reference: string;
  recipientName: string;
  createdAt: Date;
};

export async function findConfirmable(db: Db, messageId: string): Promise<ConfirmableDelivery | undefined> {
  const { rows } = await sql<ConfirmableDelivery>`
    select d.id, d.referral_id as "referralId", d.status, r.reference, d.recipient_name as "recipientName",
      d.created_at as "createdAt"
    from deliveries d join referrals r on r.id = d.referral_id
    where d.message_id = ${messageId} and d.channel is not null`.execute(db);
  return rows[0];
}
