import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type {
  AnswerLinks,
  CapturedMessages,
  Deliveries,
  DeliveryAttempts,
  MeshMessages,
  Worklist,
} from '../../src/platform/database/tables.ts';
import type { DeliveryStatus } from '../../src/referrals/index.ts';

// What the database holds about deliveries, for tests that look behind pages and API; and states that no action makes.

/** The deliveries of one referral, or of all: oldest first, the service before the practice. */
export function storedDeliveries(db: Db, referralId?: string): Promise<Selectable<Deliveries>[]> {
  let deliveries = db.selectFrom('deliveries').selectAll();
  if (referralId !== undefined) deliveries = deliveries.where('referral_id', '=', referralId);
  return deliveries.orderBy('referral_version').orderBy('leg', 'desc').orderBy('id').execute();
}

/** What the worklist says of a delivery, if it is or was on it. */
export function storedUndeliveredRow(db: Db, deliveryId: string): Promise<Selectable<Worklist> | undefined> {
  return db.selectFrom('worklist').selectAll().where('delivery_id', '=', deliveryId).executeTakeFirst();
}

/** The links by which a referral is answered without an account. */
export function storedAnswerLinks(db: Db, referralId: string): Promise<Selectable<AnswerLinks>[]> {
  return db.selectFrom('answer_links').selectAll().where('referral_id', '=', referralId).execute();
}

/** The id of a delivery's message, by which its receiver recognises it. */
export async function messageIdOf(db: Db, deliveryId: string): Promise<string> {
  const { message_id } = await db
    .selectFrom('deliveries')
    .select('message_id')
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  return message_id!;
}

/** The attempts of every delivery, oldest first. */
export function storedAttempts(db: Db): Promise<Selectable<DeliveryAttempts>[]> {
  return db.selectFrom('delivery_attempts').selectAll().orderBy('delivery_id').orderBy('number').execute();
}

/** The events about the deliveries of a referral, in the order in which clients read them. */
export function deliveryEvents(db: Db, referralId: string): Promise<{ deliveryId: string; type: string }[]> {
  return db
    .selectFrom('new_events')
    .select(['resource_id as deliveryId', 'type'])
    .where('referral_id', '=', referralId)
    .where('type', 'like', 'delivery.%')
    .orderBy('number')
    .execute();
}

/** The messages that were captured instead of sent, of one delivery or of all. */
export function capturedMessages(db: Db, deliveryId?: string): Promise<Selectable<CapturedMessages>[]> {
  const messages = db.selectFrom('captured_messages').selectAll().orderBy('id');
  return (deliveryId === undefined ? messages : messages.where('delivery_id', '=', deliveryId)).execute();
}

/** The messages that the site received from the NHS message exchange, of one type or of both. */
export function storedMeshMessages(db: Db, type?: 'DATA' | 'REPORT'): Promise<Selectable<MeshMessages>[]> {
  const messages = db.selectFrom('mesh_messages').selectAll().orderBy('received_at').orderBy('id');
  return (type === undefined ? messages : messages.where('type', '=', type)).execute();
}

/** One message from the NHS message exchange. */
export function storedMeshMessage(db: Db, id: string): Promise<Selectable<MeshMessages>> {
  return db.selectFrom('mesh_messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** As if the site had received nothing from the NHS message exchange. */
export async function deleteMeshMessages(db: Db): Promise<void> {
  await db.deleteFrom('mesh_messages').execute();
}

/** As if nothing had ever been told to anybody. */
export async function deleteDeliveries(db: Db): Promise<void> {
  await db.deleteFrom('deliveries').execute();
}

/** As if a delivery had come this far, by this channel if one is given. */
export async function setDeliveryStatus(
  db: Db,
  id: string,
  status: DeliveryStatus,
  channel?: string,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ status, ...(channel !== undefined && { channel }) })
    .where('id', '=', id)
    .execute();
}

/** Changes what is stored of a delivery, without anything that follows from that. */
export async function changeDelivery(db: Db, id: string, change: Updateable<Deliveries>): Promise<void> {
  await db.updateTable('deliveries').set(change).where('id', '=', id).execute();
}

/** As if every attempt had been made before somebody tried the delivery again. */
export async function restartDeliveries(db: Db): Promise<void> {
  await sql`update deliveries set attempts_before_restart = attempts_started`.execute(db);
}

/** Tries to change what the attempts say. */
export async function rewriteAttempts(db: Db): Promise<void> {
  await db.updateTable('delivery_attempts').set({ detail: 'nothing happened' }).execute();
}

/** Changes rows of undelivered messages: that of one delivery, or all. */
export async function changeUndeliveredRow(
  db: Db,
  change: Updateable<Worklist>,
  deliveryId?: string,
): Promise<void> {
  const rows = db.updateTable('worklist').set(change);
  await (deliveryId === undefined ? rows : rows.where('delivery_id', '=', deliveryId)).execute();
}

/** As if every row of the worklist had been added at this time, because its delivery failed. */
export async function setUndeliveredToFailed(db: Db, openedAt: Date): Promise<void> {
  await db
    .updateTable('worklist')
    .set({ kind: 'failed', escalated: false, closed_at: null, closed_as: null, opened_at: openedAt })
    .execute();
}

/** Whose offline copy is made each night: the row of an organisation with this name. */
export function storedOfflineCopy(db: Db, organisationName: string): Promise<{ organisation_id: string }> {
  return db
    .selectFrom('offline_copies')
    .innerJoin('organisations', 'organisations.id', 'organisation_id')
    .where('name', '=', organisationName)
    .select('organisation_id')
    .executeTakeFirstOrThrow();
}
