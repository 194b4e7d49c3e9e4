import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** Whose address it is: a service's, or a GP practice's. */
export type Receiver = { serviceId: string } | { odsCode: string };

/** What the service or practice is called, and the organisation of the library that answers for it. */
export async function findReceiver(
  db: Db,
  receiver: Receiver,
): Promise<{ name: string; organizationId: string | null } | undefined> {
  const query =
    'serviceId' in receiver
      ? sql`select s.name, o.id as "organizationId" from services s left join organizations o on o.id = s.organization_id
          where s.id = ${receiver.serviceId}`
      : sql`select name, null as "organizationId" from practices where ods_code = ${receiver.odsCode}`;
  const { rows } = await sql<{ name: string; organizationId: string | null }>`${query}`.execute(db);
  return rows[0];
}

/** Where a receiver is reached by a channel; the secret that its messages are signed with is sealed. */
export type DeliveryAddress = { address: string; secret: Buffer | null };

/** The email address of those who answer: letters go there where no other is set for them. */
export const answerEmail = 'answer_email';

const keysOf = (receiver: Receiver) =>
  'serviceId' in receiver
    ? { serviceId: receiver.serviceId, odsCode: null }
    : { serviceId: null, odsCode: receiver.odsCode };

const isFor = (receiver: Receiver) =>
  'serviceId' in receiver
    ? sql`service_id = ${receiver.serviceId}`
    : sql`practice_ods_code = ${receiver.odsCode}`;

/** The confirmed address. */
export async function findDeliveryAddress(
  db: Db,
  receiver: Receiver,
  channel: string,
): Promise<DeliveryAddress | undefined> {
  const names = channel === 'email' ? ['email', answerEmail] : [channel];
  const { rows } = await sql<DeliveryAddress>`
    select address, secret from delivery_addresses where ${isFor(receiver)} and channel = any(${names}::text[])
    order by channel = ${answerEmail} limit 1`.execute(db);
  return rows[0];
}

/** The confirmed addresses by their channels. */
export async function listDeliveryAddresses(db: Db, receiver: Receiver): Promise<Record<string, string>> {
  const { rows } = await sql<{ channel: string; address: string }>`
    select channel, address from delivery_addresses where ${isFor(receiver)} order by channel`.execute(db);
  return Object.fromEntries(rows.map(({ channel, address }) => [channel, address]));
}

/** An address that nobody has confirmed yet. */
export type PendingAddress = { channel: string; address: string; expiresAt: Date };

export async function listPendingAddresses(db: Db, receiver: Receiver): Promise<PendingAddress[]> {
  const { rows } = await sql<PendingAddress>`
    select channel, address, expires_at as "expiresAt" from pending_delivery_addresses where ${isFor(receiver)}
    order by channel`.execute(db);
  return rows;
}

type NewPending = { channel: string; address: string; linkHash: Buffer; at: Date; expiresAt: Date };

/** In the place of an earlier one, whose link ends. A secret that was made for the channel stays. */
export async function replacePendingAddress(
  trx: Trx,
  receiver: Receiver,
  pending: NewPending,
): Promise<void> {
  const { serviceId, odsCode } = keysOf(receiver);
  const { channel, address, linkHash, at, expiresAt } = pending;
  await sql`
    insert into pending_delivery_addresses
      (service_id, practice_ods_code, channel, address, link_hash, asked_at, expires_at)
    values (${serviceId}, ${odsCode}, ${channel}, ${address}, ${linkHash}, ${at}, ${expiresAt})
    on conflict (service_id, practice_ods_code, channel) do update set address = excluded.address,
      link_hash = excluded.link_hash, asked_at = excluded.asked_at, expires_at = excluded.expires_at`.execute(
    trx,
  );
}

export async function deletePendingAddress(trx: Trx, receiver: Receiver, channel: string): Promise<void> {
  await sql`
    delete from pending_delivery_addresses where ${isFor(receiver)} and channel = ${channel}`.execute(trx);
}

export async function deleteDeliveryAddress(trx: Trx, receiver: Receiver, channel: string): Promise<void> {
  await sql`delete from delivery_addresses where ${isFor(receiver)} and channel = ${channel}`.execute(trx);
}

export type LinkedAddress = { receiver: Receiver; channel: string; address: string };

/** The address that a link confirms, unless it ran out. */
export async function findPendingByLink(
  db: Db,
  linkHash: Buffer,
  now: Date,
): Promise<LinkedAddress | undefined> {
  const { rows } = await sql<{ serviceId: string | null; odsCode: string; channel: string; address: string }>`
    select service_id as "serviceId", practice_ods_code as "odsCode", channel, address
    from pending_delivery_addresses where link_hash = ${linkHash} and expires_at > ${now}`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { serviceId, odsCode, channel, address } = found;
  return { receiver: serviceId === null ? { odsCode } : { serviceId }, channel, address };
}

/** Letters go to the pending address of the channel from now on. A secret stays as long as its channel has an address. */
export async function confirmPendingAddress(
  trx: Trx,
  receiver: Receiver,
  channel: string,
  at: Date,
): Promise<void> {
  await sql`
    with pending as (
      delete from pending_delivery_addresses where ${isFor(receiver)} and channel = ${channel} returning *)
    insert into delivery_addresses as a (service_id, practice_ods_code, channel, address, secret, updated_at)
    select service_id, practice_ods_code, channel, address, secret, ${at} from pending
    on conflict (service_id, practice_ods_code, channel) do update set address = excluded.address,
      secret = coalesce(excluded.secret, a.secret), updated_at = excluded.updated_at`.execute(trx);
}

/** The secret of the address that is in use, or else of the one that waits. @returns false where there is neither. */
export async function saveDeliverySecret(
  trx: Trx,
  receiver: Receiver,
  { channel, secret, at }: { channel: string; secret: Buffer; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update delivery_addresses set secret = ${secret}, updated_at = ${at}
    where ${isFor(receiver)} and channel = ${channel} returning 1`.execute(trx);
  if (rows.length === 1) return true;
  const { rows: pending } = await sql`
    update pending_delivery_addresses set secret = ${secret}
    where ${isFor(receiver)} and channel = ${channel} returning 1`.execute(trx);
  return pending.length === 1;
}

/**
 * The channels of these receivers that lead nowhere until somebody confirms an address. A practice whose mailbox is not
 * confirmed is still found by the message exchange.
 */
export async function listUnconfirmedChannels(
  db: Db,
  { serviceIds, odsCodes }: { serviceIds: readonly string[]; odsCodes: readonly string[] },
): Promise<{ service: Map<string, string[]>; practice: Map<string, string[]> }> {
  const { rows } = await sql<{ serviceId: string | null; odsCode: string; channel: string }>`
    select distinct p.service_id as "serviceId", p.practice_ods_code as "odsCode",
      case p.channel when ${answerEmail} then 'email' else p.channel end as channel
    from pending_delivery_addresses p
    where (p.service_id = any(${serviceIds}::text[])
        or p.practice_ods_code = any(${odsCodes}::text[]) and p.channel <> 'mesh')
      and not exists (
        select from delivery_addresses a
        where (a.service_id = p.service_id or a.practice_ods_code = p.practice_ods_code)
          and (a.channel = p.channel
            or a.channel in ('email', ${answerEmail}) and p.channel in ('email', ${answerEmail})))`.execute(
    db,
  );
  const service = new Map<string, string[]>();
  const practice = new Map<string, string[]>();
  for (const { serviceId, odsCode, channel } of rows) {
    const [map, key] = serviceId === null ? [practice, odsCode] : [service, serviceId];
    map.set(key, [...(map.get(key) ?? []), channel]);
  }
  return { service, practice };
}

export type AddressChange = 'asked' | 'confirmed' | 'removed' | 'taken-back' | 'reordered';

/** Stands in the history for all channels, where their order changed. */
export const allChannels = 'channels';

export type SealedChange = {
  id: string;
  channel: string;
  at: Date;
  actorName: string;
  what: AddressChange;
  sealed: Buffer;
};

export async function insertAddressHistory(
  trx: Trx,
  receiver: Receiver,
  change: SealedChange,
): Promise<void> {
  const { serviceId, odsCode } = keysOf(receiver);
  const { id, channel, at, actorName, what, sealed } = change;
  await sql`
    insert into delivery_address_history (id, service_id, practice_ods_code, channel, at, actor_name, what, sealed)
    values (${id}, ${serviceId}, ${odsCode}, ${channel}, ${at}, ${actorName}, ${what}, ${sealed})`.execute(
    trx,
  );
}

/** Newest first. */
export async function listAddressHistory(db: Db, receiver: Receiver, limit: number): Promise<SealedChange[]> {
  const { rows } = await sql<SealedChange>`
    select id, channel, at, actor_name as "actorName", what, sealed from delivery_address_history
    where ${isFor(receiver)} order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Lets one at a time change or confirm the addresses of a practice. */
export async function lockPractice(trx: Trx, odsCode: string): Promise<void> {
  await sql`select 1 from practices where ods_code = ${odsCode} for no key update`.execute(trx);
}
