import { sql } from 'kysely';
import {
  type AccountRow,
  accountColumnsSql,
  accountFromRow,
  type Caller,
  callerOf,
  lockAccountRow,
} from '../../accounts/index.ts';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import type { OffReason, Webhook } from './webhook.ts';

const columns = [
  'id',
  'account_id as accountId',
  'url',
  'event_types as eventTypes',
  'description',
  'previous_secret_until as previousSecretUntil',
  'off_reason as offReason',
  'off_at as offAt',
  'failing_since as failingSince',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** For the database the reason is any text; this room only stores those of `OffReason`. */
type ReasonColumn = { offReason: OffReason | null };

type NewWebhook = Pick<Webhook, 'id' | 'accountId' | 'url' | 'eventTypes' | 'description'> & {
  secret: Buffer;
  at: Date;
};

/** Counts the account's webhooks, and locks the account, so that two people cannot add one at the same time and pass the limit. */
export async function lockAndCountWebhooks(trx: Trx, accountId: string): Promise<number> {
  await lockAccountRow(trx, accountId);
  const { count } = await trx
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export function insertWebhook(trx: Trx, webhook: NewWebhook): Promise<Webhook> {
  const { id, accountId, url, eventTypes, description, secret, at } = webhook;
  return trx
    .insertInto('webhooks')
    .values({
      id,
      account_id: accountId,
      url,
      event_types: eventTypes,
      description,
      secret,
      created_at: at,
      updated_at: at,
    })
    .returning(columns)
    .$narrowType<ReasonColumn>()
    .executeTakeFirstOrThrow();
}

export function listWebhooksOf(db: Db, accountId: string): Promise<Webhook[]> {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .$narrowType<ReasonColumn>()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

export function findWebhook(db: Db, accountId: string, id: string): Promise<Webhook | undefined> {
  return selectWebhook(db, id).where('account_id', '=', accountId).executeTakeFirst();
}

/** The webhook, locked until the transaction ends. */
export function lockWebhook(trx: Trx, accountId: string, id: string): Promise<Webhook | undefined> {
  return selectWebhook(trx, id).where('account_id', '=', accountId).forNoKeyUpdate().executeTakeFirst();
}

/** A webhook that is on, of any account. */
export function findEnabledWebhook(db: Db, id: string): Promise<Webhook | undefined> {
  return selectWebhook(db, id).where('off_at', 'is', null).executeTakeFirst();
}

function selectWebhook(db: Db, id: string) {
  return db.selectFrom('webhooks').select(columns).$narrowType<ReasonColumn>().where('id', '=', id);
}

/**
 * Locks webhooks until the transaction ends. Lock them before you change their messages: in another order, two
 * transactions would wait for each other. @returns the ids of those that still exist.
 */
export async function lockWebhooks(trx: Trx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', anyOfValuesSql(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks all webhooks until the transaction ends. `scheduleCalls` locks its webhook too, so no job is added until then. */
export async function lockAllWebhooks(trx: Trx): Promise<void> {
  await trx.selectFrom('webhooks').select('id').orderBy('id').forNoKeyUpdate().execute();
}

export async function updateWebhook(
  trx: Trx,
  { id, url, eventTypes, description }: Webhook,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ url, event_types: eventTypes, description, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function switchOff(trx: Trx, id: string, reason: OffReason, at: Date): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ off_reason: reason, off_at: at, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function switchOn(trx: Trx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ off_reason: null, off_at: null, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** Forgets the failures of a webhook, and makes its waiting messages due now. */
export async function resetFailures(trx: Trx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ failures: 0, failing_since: null, paused_until: null })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('webhook_messages')
    .set({ due_at: at })
    .where('webhook_id', '=', id)
    .where('status', '=', 'queued')
    .execute();
}

/** Moves all times of these webhooks and of their waiting messages `ms` back, as if `ms` had passed. */
export async function fastForwardCalls(trx: Trx, ids: readonly string[], ms: number): Promise<void> {
  const span = sql`${ms}::float8 * interval '1 millisecond'`;
  await sql`
    with moved as (
      update webhooks set failing_since = failing_since - ${span}, paused_until = paused_until - ${span},
        previous_secret_until = previous_secret_until - ${span}
      where id = any(${ids}::uuid[]))
    update webhook_messages set queued_at = queued_at - ${span}, due_at = due_at - ${span}
    where webhook_id = any(${ids}::uuid[]) and status = 'queued'`.execute(trx);
}

/** Replaces the secret. The previous one signs as well until `until`. */
export async function updateSecret(
  trx: Trx,
  id: string,
  { secret, until, at }: { secret: Buffer; until: Date; at: Date },
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set(({ ref }) => ({
      previous_secret: ref('secret'),
      previous_secret_until: until,
      secret,
      updated_at: at,
    }))
    .where('id', '=', id)
    .execute();
}

export async function deleteWebhook(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** The name of the job queue in which a webhook is called. */
export function queueOf(webhookId: string): string {
  return `webhook ${webhookId}`;
}

/** Whether the account `a` may call the API: only then are its webhooks called. */
export const mayCallApiSql = sql<boolean>`a.disabled_at is null and a.api_access`;

export type Subscription = Pick<Webhook, 'id' | 'eventTypes'> & { holder: Caller };

/** Every webhook that is on, with its holder as they are now. */
export async function listSubscriptions(db: Db): Promise<Subscription[]> {
  const { rows } = await sql<Pick<Webhook, 'eventTypes'> & { webhookId: string } & AccountRow>`
    select w.id as "webhookId", w.event_types as "eventTypes", ${accountColumnsSql}
    from webhooks w join accounts a on a.id = w.account_id left join organisations o on o.id = a.organisation_id
    where w.off_at is null and ${mayCallApiSql} order by w.id`.execute(db);
  return rows.map(({ webhookId, eventTypes, ...account }) => ({
    id: webhookId,
    eventTypes,
    holder: callerOf(accountFromRow(account), 'token'),
  }));
}

/** The holder of a webhook as they are now; undefined when they may not call the API. */
export async function findHolder(db: Db, webhookId: string): Promise<Caller | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumnsSql}
    from webhooks w join accounts a on a.id = w.account_id left join organisations o on o.id = a.organisation_id
    where w.id = ${webhookId} and ${mayCallApiSql}`.execute(db);
  return rows[0] && callerOf(accountFromRow(rows[0]), 'token');
}
