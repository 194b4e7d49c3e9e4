import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';

/** Whose address it is: a service's, or a GP practice's. */
export type Receiver = { serviceId: string } | { odsCode: string };

/** Where a receiver is reached by a channel; the secret that its messages are signed with is sealed. */
export type DeliveryAddress = { address: string; secret: Buffer | null };

const keys = (receiver: Receiver) =>
  'serviceId' in receiver
    ? { serviceId: receiver.serviceId, odsCode: null }
    : { serviceId: null, odsCode: receiver.odsCode };

const of = (receiver: Receiver) =>
  'serviceId' in receiver
    ? sql`service_id = ${receiver.serviceId}`
    : sql`practice_ods_code = ${receiver.odsCode}`;

/** Emails go to whoever answers the service's referrals where no other address is set for them. */
export async function findDeliveryAddress(
  db: Db,
  receiver: Receiver,
  channel: string,
): Promise<DeliveryAddress | undefined> {
  const { serviceId } = keys(receiver);
  const { rows } = await sql<DeliveryAddress>`
    select address, secret from delivery_addresses where ${of(receiver)} and channel = ${channel}
    union all
    select answer_email, null from service_referral_settings
    where service_id = ${serviceId} and ${channel} = 'email' and answer_email is not null
    limit 1`.execute(db);
  return rows[0];
}

export async function listDeliveryAddresses(db: Db, receiver: Receiver): Promise<Record<string, string>> {
  const { rows } = await sql<{ channel: string; address: string }>`
    select channel, address from delivery_addresses where ${of(receiver)} order by channel`.execute(db);
  return Object.fromEntries(rows.map(({ channel, address }) => [channel, address]));
}

/** Puts these in the place of all that were set. A secret stays as long as its channel has an address. */
export async function saveDeliveryAddresses(
  trx: Trx,
  receiver: Receiver,
  addresses: Readonly<Record<string, string>>,
  at: Date,
): Promise<void> {
  const { serviceId, odsCode } = keys(receiver);
  const channels = Object.keys(addresses);
  await sql`
    delete from delivery_addresses where ${of(receiver)} and channel <> all (${channels})`.execute(trx);
  await sql`
    insert into delivery_addresses (service_id, practice_ods_code, channel, address, updated_at)
    select ${serviceId}, ${odsCode}, channel, address, ${at}
    from unnest(${channels}::text[], ${Object.values(addresses)}::text[]) as given(channel, address)
    on conflict (service_id, practice_ods_code, channel) do update
      set address = excluded.address, updated_at = excluded.updated_at`.execute(trx);
}

/** @returns false where the channel has no address. */
export async function saveDeliverySecret(
  trx: Trx,
  receiver: Receiver,
  { channel, secret, at }: { channel: string; secret: Buffer; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update delivery_addresses set secret = ${secret}, updated_at = ${at}
    where ${of(receiver)} and channel = ${channel} returning 1`.execute(trx);
  return rows.length === 1;
}
