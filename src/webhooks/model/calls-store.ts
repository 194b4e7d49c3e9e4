import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { testEvent } from './event.ts';
import { mayCallApiSql } from './webhooks-store.ts';

export type NewCall = { webhookId: string; eventId: string; type: string; body: string };

/** Queues calls in this order. A call that was made before is queued again under the same id. */
export async function insertCalls(trx: Trx, calls: readonly NewCall[], at: Date): Promise<void> {
  if (calls.length === 0) return;
  await sql`
    insert into webhook_messages (webhook_id, event_id, type, body, queued_at, due_at)
    select "webhookId", "eventId", type, body, ${at}, ${at}
    from rows from (jsonb_to_recordset(${JSON.stringify(calls)}::jsonb)
      as ("webhookId" uuid, "eventId" uuid, type text, body text)) with ordinality
    order by ordinality
    on conflict (webhook_id, event_id) do update
      set status = 'queued', attempts = 0, queued_at = excluded.queued_at, due_at = excluded.due_at`.execute(
    trx,
  );
}

/**
 * When a call may be made. After a failed call nothing is sent to the webhook for a while. A test event is sent at
 * once, even to a webhook that is off, because it shows whether the webhook works again.
 */
const sendableAtSql = sql`
  case when m.type = ${testEvent.type} then m.due_at
    when w.off_at is null then greatest(m.due_at, w.paused_until) end`;

const queuedMessagesSql = sql`
  webhook_messages m join webhooks w on w.id = m.webhook_id join accounts a on a.id = w.account_id and ${mayCallApiSql}`;

/** One event for one webhook, to post now, and how to post it. */
export type DueCall = {
  webhookId: string;
  accountId: string;
  number: number;
  eventId: string;
  type: string;
  body: string;
  url: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretUntil: Date | null;
};

/**
 * The next call for a webhook: the oldest one that was never tried, then the oldest of the others. So one event that
 * the receiver cannot process does not hold up the rest.
 */
export async function findDueCall(db: Db, webhookId: string, now: Date): Promise<DueCall | undefined> {
  const { rows } = await sql<DueCall>`
    select w.id as "webhookId", w.account_id as "accountId", m.number, m.event_id as "eventId", m.type, m.body, w.url, w.secret,
      w.previous_secret as "previousSecret", w.previous_secret_until as "previousSecretUntil"
    from ${queuedMessagesSql}
    where w.id = ${webhookId} and m.status = 'queued' and ${sendableAtSql} <= ${now}
    order by m.attempts > 0, m.number limit 1`.execute(db);
  return rows[0];
}

/** When the next call may be made, and to which address. Undefined when none may be made. */
export async function findNextCallTime(
  db: Db,
  webhookId: string,
): Promise<{ at: Date; url: string } | undefined> {
  const { rows } = await sql<{ at: Date; url: string }>`
    select min(${sendableAtSql}) as at, w.url from ${queuedMessagesSql}
    where w.id = ${webhookId} and m.status = 'queued'
    group by w.url having min(${sendableAtSql}) is not null`.execute(db);
  return rows[0];
}

/** Gives up calls that have waited too long. @returns whether there were any. */
export async function expireCalls(
  trx: Trx,
  webhookId: string,
  { queuedBefore, at }: { queuedBefore: Date; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with expired as (
      update webhook_messages set status = 'failed'
      where webhook_id = ${webhookId} and status = 'queued' and queued_at <= ${queuedBefore}
      returning number)
    insert into webhook_attempts (webhook_id, message_number, at, outcome, detail)
    select ${webhookId}, number, ${at}, 'failed', 'Given up: it could not be sent within three days.'
    from expired order by number returning 1`.execute(trx);
  return rows.length > 0;
}

/** Deletes calls and their attempts. */
export async function deleteCallsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('webhook_messages').where('queued_at', '<', before).execute();
}
