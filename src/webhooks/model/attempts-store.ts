import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { DueCall } from './calls-store.ts';

export const callOutcomes = ['delivered', 'captured', 'will-retry', 'failed'] as const;

/** The result of sending one message once. */
export type CallResult = {
  outcome: (typeof callOutcomes)[number];
  /** The HTTP status of the answer; null when there was none. */
  status: number | null;
  detail: string;
  /** No event would get through now, so the whole webhook is paused. */
  isUnavailable?: boolean;
  /** How long the receiver asked us to wait. */
  waitSeconds?: number | undefined;
  captured?: { url: string; headers: Record<string, string> };
};

/**
 * The pause after failures in a row. The first (`failures` is 0 then) is 5 seconds, and each is four times as long as the one before, up
 * to eight hours. A random quarter more or less keeps calls that failed together from being repeated together. The limit of the
 * exponent only keeps the power from overflowing.
 */
const pauseSql = (failures: unknown, waitSeconds: number | undefined) => sql`
  greatest(${waitSeconds ?? 0}, least(5 * 4.0 ^ least(${failures}, 9), 28800) * (0.75 + random() / 2))
    * interval '1 second'`;

/** Stores an attempt, and the new status of its message. */
export async function recordAttempt(
  trx: Trx,
  { webhookId, number }: Pick<DueCall, 'webhookId' | 'number'>,
  { outcome, status, detail, waitSeconds, captured }: CallResult,
  at: Date,
): Promise<void> {
  await sql`
    with attempt as (
      insert into webhook_attempts (webhook_id, message_number, at, outcome, status, detail, captured)
      values (${webhookId}, ${number}, ${at}, ${outcome}, ${status}, ${detail},
        ${captured === undefined ? null : JSON.stringify(captured)}::jsonb))
    update webhook_messages set status = ${outcome === 'will-retry' ? 'queued' : outcome}, attempts = attempts + 1,
      due_at = ${at}::timestamptz + ${pauseSql(sql`attempts`, waitSeconds)}
    where number = ${number}`.execute(trx);
}

/** Resets the count of failures in a row, and ends the pause. */
export async function recordSuccess(trx: Trx, webhookId: string): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ failures: 0, failing_since: null, paused_until: null })
    .where('id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .execute();
}

/**
 * Counts a failure. A webhook whose receiver is unavailable is paused, so that it costs the site one call
 * at a time, and not one for every waiting message.
 * @returns the time since which every call has failed.
 */
export async function recordFailure(
  trx: Trx,
  webhookId: string,
  { isUnavailable, waitSeconds }: CallResult,
  at: Date,
): Promise<Date> {
  const pausedUntil = isUnavailable
    ? sql`${at}::timestamptz + ${pauseSql(sql`failures`, waitSeconds)}`
    : sql`null`;
  const { rows } = await sql<{ since: Date }>`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${at}::timestamptz),
      paused_until = ${pausedUntil}
    where id = ${webhookId} returning failing_since as since`.execute(trx);
  return rows[0]?.since ?? at;
}

export type WebhookAttempt = {
  number: number;
  eventId: string;
  type: string;
  at: Date;
  outcome: CallResult['outcome'];
  status: number | null;
  detail: string;
};

/** `before`: only attempts with a lower number. `outcomes`: only these outcomes. */
export type AttemptFilter = {
  before: number | undefined;
  outcomes?: readonly string[] | undefined;
  limit: number;
};

/** The attempts to call a webhook, newest first. */
export function listAttempts(
  db: Db,
  webhookId: string,
  { before, outcomes, limit }: AttemptFilter,
): Promise<WebhookAttempt[]> {
  return db
    .selectFrom('webhook_attempts as attempt')
    .innerJoin('webhook_messages as message', 'message.number', 'attempt.message_number')
    .select([
      'attempt.number',
      'message.event_id as eventId',
      'message.type',
      'attempt.at',
      'attempt.outcome',
      'attempt.status',
      'attempt.detail',
    ])
    .$narrowType<Pick<CallResult, 'outcome'>>()
    .where('attempt.webhook_id', '=', webhookId)
    .$if(before !== undefined, (query) => query.where('attempt.number', '<', before!))
    .$if(outcomes !== undefined, (query) => query.where('attempt.outcome', 'in', outcomes!))
    .orderBy('attempt.number', 'desc')
    .limit(limit)
    .execute();
}
