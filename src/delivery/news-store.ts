import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';
import type { DeliveryStatus } from '../referrals/index.ts';
import type { News } from './channels/channel.ts';
import type { Leg } from './delivery.ts';

export type NoticedDelivery = {
  id: string;
  referralId: string;
  leg: Leg;
  status: DeliveryStatus;
  /** Nobody has tried to send it, or not since it was to be sent again: its job is about to. */
  isUntried: boolean;
};

const columns = sql`id, referral_id as "referralId", leg, status,
  status = 'queued' and attempts_started = attempts_set_aside as "isUntried"`;

/** The delivery that news by a channel is about, locked. */
export async function lockDeliveryOf(
  trx: Trx,
  channel: string,
  about: News['about'],
): Promise<NoticedDelivery | undefined> {
  const named =
    'messageId' in about ? sql`message_id = ${about.messageId}` : sql`tracked_as = ${about.trackedAs}`;
  const { rows } = await sql<NoticedDelivery>`
    select ${columns} from deliveries
    where ${named} and channel = ${channel} order by id limit 1 for update`.execute(trx);
  return rows[0];
}

export async function lockDelivery(trx: Trx, id: string): Promise<NoticedDelivery | undefined> {
  const { rows } = await sql<NoticedDelivery>`
    select ${columns} from deliveries where id = ${id} for update`.execute(trx);
  return rows[0];
}

type Noted = {
  id: string;
  status: 'queued' | 'received' | 'acknowledged' | 'expired';
  outcome: News['status'];
  detail: string;
  at: Date;
};

/** Writes news down beside the attempts, and the delivery's new status with it. */
export async function recordNews(trx: Trx, { id, status, outcome, detail, at }: Noted): Promise<void> {
  const good = status === 'received' || status === 'acknowledged';
  await sql`
    with changed as (
      update deliveries set status = ${status}, detail = ${good ? null : detail}, updated_at = ${at},
        attempts_started = attempts_started + 1,
        look_again_at = case when ${status} = 'received' then look_again_at end
      where id = ${id} returning attempts_started as number, coalesce(channel, 'none') as channel)
    insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
    select ${id}, number, ${at}, channel, ${outcome}, ${detail} from changed`.execute(trx);
}
