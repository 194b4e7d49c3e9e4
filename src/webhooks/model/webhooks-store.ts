import { sql } from 'kysely';
import { accountColumns, accountFromRow, type Caller, callerOf } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { OffReason, Webhook } from './webhook.ts';

const columns = sql`
  w.id, w.account_id as "accountId", w.url, w.event_types as "eventTypes", w.description,
  w.previous_secret_until as "previousSecretUntil", w.off_reason as "offReason", w.off_at as "offAt",
  w.failing_since as "failingSince", w.created_at as "createdAt", w.updated_at as "updatedAt"`;

type NewWebhook = Pick<Webhook, 'id' | 'accountId' | 'url' | 'eventTypes' | 'description'> & {
  secret: Buffer;
  at: Date;
};

/** Locks the account, so that two that are added at once are both counted. */
export async function countWebhooks(trx: Trx, accountId: string): Promise<number> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where account_id = ${accountId}`.execute(trx);
  return rows[0]!.count;
}

export async function insertWebhook(trx: Trx, given: NewWebhook): Promise<Webhook> {
  const { id, accountId, url, eventTypes, description, secret, at } = given;
  const { rows } = await sql<Webhook>`
    insert into webhooks as w (id, account_id, url, event_types, description, secret, created_at, updated_at)
    values (${id}, ${accountId}, ${url}, ${eventTypes}, ${description}, ${secret}, ${at}, ${at})
    returning ${columns}`.execute(trx);
  return rows[0]!;
}

export async function listWebhooksOf(db: Db, accountId: string): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks w where account_id = ${accountId} order by id`.execute(db);
  return rows;
}

export async function findWebhook(db: Db, accountId: string, id: string): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks w where id = ${id} and account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** The webhook, locked until the transaction ends. */
export async function lockWebhook(trx: Trx, accountId: string, id: string): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks w where id = ${id} and account_id = ${accountId}
    for no key update`.execute(trx);
  return rows[0];
}

/**
 * Keeps webhooks from changing until the transaction ends. Whoever changes what waits for one does this first: in another
 * order, two of them would wait for each other. @returns which of them are still there.
 */
export async function lockWebhooks(trx: Trx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from webhooks where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Keeps all webhooks from changing, and jobs for them from being added, until the transaction ends. */
export async function lockAllWebhooks(trx: Trx): Promise<void> {
  await sql`select from webhooks order by id for no key update`.execute(trx);
}

export async function updateWebhook(
  trx: Trx,
  { id, url, eventTypes, description }: Webhook,
  at: Date,
): Promise<void> {
  await sql`
    update webhooks set url = ${url}, event_types = ${eventTypes}, description = ${description}, updated_at = ${at}
    where id = ${id}`.execute(trx);
}

export async function updateOnOff(trx: Trx, id: string, off: OffReason | null, at: Date): Promise<void> {
  await sql`
    update webhooks set off_reason = ${off}, off_at = ${off === null ? null : at}, updated_at = ${at}
    where id = ${id}`.execute(trx);
}

/** From now on it is one that has never failed, and what waits for it waits no longer. */
export async function resetFailures(trx: Trx, id: string, at: Date): Promise<void> {
  await sql`
    update webhooks set failures = 0, failing_since = null, resting_until = null where id = ${id}`.execute(
    trx,
  );
  await sql`
    update webhook_messages set due_at = ${at} where webhook_id = ${id} and status = 'queued'`.execute(trx);
}

/** Puts a new secret in the place of the one it has, which goes on signing until then. */
export async function updateSecret(
  trx: Trx,
  id: string,
  { secret, until, at }: { secret: Buffer; until: Date; at: Date },
): Promise<void> {
  await sql`
    update webhooks set previous_secret = secret, previous_secret_until = ${until}, secret = ${secret},
      updated_at = ${at}
    where id = ${id}`.execute(trx);
}

export async function deleteWebhook(trx: Trx, id: string): Promise<void> {
  await sql`delete from webhooks where id = ${id}`.execute(trx);
}

/** The queue of jobs in which a webhook is called. */
export function queueOf(webhookId: string): string {
  return `webhook ${webhookId}`;
}

/** What makes an account's webhooks work: whoever may not call the API is not called by it. */
export const accountIsLive = sql`a.disabled_at is null and a.api_access`;

export type Subscription = Pick<Webhook, 'id' | 'eventTypes'> & { holder: Caller };

/** Every webhook that is on, with whose it is as they are now. */
export async function listSubscriptions(db: Db): Promise<Subscription[]> {
  const { rows } = await sql<
    Pick<Webhook, 'eventTypes'> & { webhookId: string } & Parameters<typeof accountFromRow>[0]
  >`
    select w.id as "webhookId", w.event_types as "eventTypes", ${accountColumns}
    from webhooks w join accounts a on a.id = w.account_id left join organisations o on o.id = a.organisation_id
    where w.off_at is null and ${accountIsLive} order by w.id`.execute(db);
  return rows.map(({ webhookId, eventTypes, ...account }) => ({
    id: webhookId,
    eventTypes,
    holder: callerOf(accountFromRow(account), 'token'),
  }));
}

/** Whose a webhook is, as they are now; undefined where they may not call the API. */
export async function findHolder(db: Db, webhookId: string): Promise<Caller | undefined> {
  const { rows } = await sql<Parameters<typeof accountFromRow>[0]>`
    select ${accountColumns}
    from webhooks w join accounts a on a.id = w.account_id left join organisations o on o.id = a.organisation_id
    where w.id = ${webhookId} and ${accountIsLive}`.execute(db);
  return rows[0] && callerOf(accountFromRow(rows[0]), 'token');
}

/** A webhook that is on, with whose it is; for what the site does by itself. */
export async function findEnabledWebhook(db: Db, id: string): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks w where id = ${id} and off_at is null`.execute(db);
  return rows[0];
}
