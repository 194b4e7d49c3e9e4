import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { lockForEdit } from '../write/services-store.ts';

/** The service or the GP practice that messages about referrals go to. */
export type Receiver = { serviceId: string } | { odsCode: string };

/** The receiver's name, and the library's organisation that is responsible for it. */
export async function findReceiver(
  db: Db,
  receiver: Receiver,
): Promise<{ name: string; organizationId: string | null } | undefined> {
  if ('odsCode' in receiver) {
    const practice = await db
      .selectFrom('practices')
      .select('name')
      .where('ods_code', '=', receiver.odsCode)
      .executeTakeFirst();
    return practice && { ...practice, organizationId: null };
  }
  return db
    .selectFrom('services as s')
    .leftJoin('organizations as o', 'o.id', 's.organization_id')
    .select(['s.name', 'o.id as organizationId'])
    .where('s.id', '=', receiver.serviceId)
    .executeTakeFirst();
}

/** Where a channel reaches a receiver. The secret, which is encrypted, signs the messages. */
export type DeliveryAddress = { address: string; secret: Buffer | null };

/** The email address of the people who answer referrals. Letters go there if no other mailbox is set for them. */
export const answerEmail = 'answer_email';

/** A second email address of a service. The codes go there that open a referral to people without an account. */
export const codeEmail = 'code_email';

/** A mobile number that the codes may go to instead. */
export const codeTelephone = 'code_telephone';

export const isForCodes = (channel: string) => channel === codeEmail || channel === codeTelephone;

const receiverColumns = (receiver: Receiver) =>
  'serviceId' in receiver
    ? { service_id: receiver.serviceId, practice_ods_code: null }
    : { service_id: null, practice_ods_code: receiver.odsCode };

const isForSql = (receiver: Receiver) =>
  'serviceId' in receiver
    ? sql<boolean>`service_id = ${receiver.serviceId}`
    : sql<boolean>`practice_ods_code = ${receiver.odsCode}`;

/** The confirmed address. */
export function findDeliveryAddress(
  db: Db,
  receiver: Receiver,
  channel: string,
): Promise<DeliveryAddress | undefined> {
  return db
    .selectFrom('delivery_addresses')
    .select(['address', 'secret'])
    .where(isForSql(receiver))
    .where('channel', 'in', channel === 'email' ? ['email', answerEmail] : [channel])
    .orderBy(sql`channel = ${answerEmail}`)
    .limit(1)
    .executeTakeFirst();
}

/** The confirmed addresses by channel. */
export async function listDeliveryAddresses(db: Db, receiver: Receiver): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('delivery_addresses')
    .select(['channel', 'address'])
    .where(isForSql(receiver))
    .orderBy('channel')
    .execute();
  return Object.fromEntries(rows.map(({ channel, address }) => [channel, address]));
}

/** An address that nobody has confirmed yet. */
export type PendingAddress = { channel: string; address: string; expiresAt: Date };

export function listPendingAddresses(db: Db, receiver: Receiver): Promise<PendingAddress[]> {
  return db
    .selectFrom('pending_delivery_addresses')
    .select(['channel', 'address', 'expires_at as expiresAt'])
    .where(isForSql(receiver))
    .orderBy('channel')
    .execute();
}

type NewPending = { channel: string; address: string; linkHash: Buffer; at: Date; expiresAt: Date };

/** Replaces an earlier pending address, whose link stops working. A secret that was made for the channel stays. */
export async function replacePendingAddress(
  trx: Trx,
  receiver: Receiver,
  { channel, address, linkHash, at, expiresAt }: NewPending,
): Promise<void> {
  const pending = { address, link_hash: linkHash, asked_at: at, expires_at: expiresAt };
  await trx
    .insertInto('pending_delivery_addresses')
    .values({ ...receiverColumns(receiver), channel, ...pending })
    .onConflict((conflict) =>
      conflict.columns(['service_id', 'practice_ods_code', 'channel']).doUpdateSet(pending),
    )
    .execute();
}

export async function deletePendingAddress(trx: Trx, receiver: Receiver, channel: string): Promise<void> {
  await trx
    .deleteFrom('pending_delivery_addresses')
    .where(isForSql(receiver))
    .where('channel', '=', channel)
    .execute();
}

export async function deleteDeliveryAddress(trx: Trx, receiver: Receiver, channel: string): Promise<void> {
  await trx
    .deleteFrom('delivery_addresses')
    .where(isForSql(receiver))
    .where('channel', '=', channel)
    .execute();
}

export type LinkedAddress = { receiver: Receiver; channel: string; address: string };

/** The address that a link confirms, unless the link has expired. */
export async function findPendingByLink(
  db: Db,
  linkHash: Buffer,
  now: Date,
): Promise<LinkedAddress | undefined> {
  const row = await db
    .selectFrom('pending_delivery_addresses')
    .select(['service_id as serviceId', 'practice_ods_code as odsCode', 'channel', 'address'])
    .where('link_hash', '=', linkHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) return undefined;
  const { serviceId, odsCode, channel, address } = row;
  return { receiver: serviceId === null ? { odsCode: odsCode! } : { serviceId }, channel, address };
}

/** From now on, messages go to the channel's pending address. The channel's secret stays. */
export async function confirmPendingAddress(
  trx: Trx,
  receiver: Receiver,
  channel: string,
  at: Date,
): Promise<void> {
  await sql`
    with pending as (
      delete from pending_delivery_addresses where ${isForSql(receiver)} and channel = ${channel} returning *)
    insert into delivery_addresses as a (service_id, practice_ods_code, channel, address, secret, updated_at)
    select service_id, practice_ods_code, channel, address, secret, ${at} from pending
    on conflict (service_id, practice_ods_code, channel) do update set address = excluded.address,
      secret = coalesce(excluded.secret, a.secret), updated_at = excluded.updated_at`.execute(trx);
}

/** Saves the secret with the address in use, or else with the pending one. @returns false if there is neither. */
export async function saveDeliverySecret(
  trx: Trx,
  receiver: Receiver,
  { channel, secret, at }: { channel: string; secret: Buffer; at: Date },
): Promise<boolean> {
  const inUse = await trx
    .updateTable('delivery_addresses')
    .set({ secret, updated_at: at })
    .where(isForSql(receiver))
    .where('channel', '=', channel)
    .executeTakeFirst();
  if (inUse.numUpdatedRows > 0n) return true;
  const pending = await trx
    .updateTable('pending_delivery_addresses')
    .set({ secret })
    .where(isForSql(receiver))
    .where('channel', '=', channel)
    .executeTakeFirst();
  return pending.numUpdatedRows > 0n;
}

/**
 * The channels of these receivers that deliver nothing until somebody confirms an address. A practice whose MESH mailbox
 * is not confirmed can still be reached: the exchange itself finds its mailbox.
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
        or (p.practice_ods_code = any(${odsCodes}::text[]) and p.channel <> 'mesh'))
      and not exists (
        select from delivery_addresses a
        where (a.service_id = p.service_id or a.practice_ods_code = p.practice_ods_code)
          and (a.channel = p.channel
            or (a.channel in ('email', ${answerEmail}) and p.channel in ('email', ${answerEmail}))))`.execute(
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

export type AddressChangeKind = 'asked' | 'confirmed' | 'removed' | 'taken-back' | 'reordered';

/** The history's channel for a change of the order of all channels. */
export const allChannels = 'channels';

export type SealedChange = {
  id: string;
  channel: string;
  at: Date;
  actorName: string;
  what: AddressChangeKind;
  sealed: Buffer;
};

export async function insertAddressHistory(
  trx: Trx,
  receiver: Receiver,
  { actorName, what, ...change }: SealedChange,
): Promise<void> {
  await trx
    .insertInto('delivery_address_history')
    .values({ ...receiverColumns(receiver), ...change, kind: what, actor_name: actorName })
    .execute();
}

/** Newest first. */
export function listAddressHistory(db: Db, receiver: Receiver, limit: number): Promise<SealedChange[]> {
  return db
    .selectFrom('delivery_address_history')
    .select(['id', 'channel', 'at', 'actor_name as actorName', 'kind as what', 'sealed'])
    .$narrowType<{ what: AddressChangeKind }>()
    .where(isForSql(receiver))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Lets one transaction at a time change or confirm the addresses of a receiver. Edits of services hold the same lock. */
export async function lockReceiver(trx: Trx, receiver: Receiver): Promise<void> {
  await ('serviceId' in receiver ? lockForEdit(trx) : lockPractice(trx, receiver.odsCode));
}

/** Lets one transaction at a time change a practice. */
export async function lockPractice(trx: Trx, odsCode: string): Promise<void> {
  await trx
    .selectFrom('practices')
    .select('ods_code')
    .where('ods_code', '=', odsCode)
    .forNoKeyUpdate()
    .execute();
}
