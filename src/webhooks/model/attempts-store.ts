import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Call } from './messages-store.ts';

export const attemptOutcomes = ['delivered', 'captured', 'will-retry', 'failed'] as const;

/** What came of sending one message once. */
export type CallResult = {
  outcome: (typeof attemptOutcomes)[number];
  /** Of the answer, where there was one. */
  status: number | null;
  detail: string;
  /** It was not this event that was the matter: any other would have fared the same. */
  unreachable?: boolean;
  /** The receiver wants to be left alone for so long. */
  waitSeconds?: number | undefined;
  captured?: { url: string; headers: Record<string, string> };
};

/**
 * The pause after so many failures in a row: 5 seconds, then four times as long each time, up to eight hours. A quarter
 * more or less by chance, so that what failed together does not come back together.
 */
const pause = (failures: unknown, waitSeconds: number | undefined) => sql`
  greatest(${waitSeconds ?? 0}, least(5 * 4.0 ^ least(${failures}, 9), 28800) * (0.75 + random() / 2))
    * interval '1 second'`;

/** Writes down what came of an attempt, and how the message stands now. */
export async function insertAttempt(
  trx: Trx,
  { webhookId, number }: Pick<Call, 'webhookId' | 'number'>,
  { outcome, status, detail, waitSeconds, captured }: CallResult,
  at: Date,
): Promise<void> {
  await sql`
    with attempt as (
      insert into webhook_attempts (webhook_id, message_number, at, outcome, status, detail, captured)
      values (${webhookId}, ${number}, ${at}, ${outcome}, ${status}, ${detail},
        ${captured === undefined ? null : JSON.stringify(captured)}::jsonb))
    update webhook_messages set status = ${outcome === 'will-retry' ? 'queued' : outcome}, attempts = attempts + 1,
      due_at = ${at}::timestamptz + ${pause(sql`attempts`, waitSeconds)}
    where number = ${number}`.execute(trx);
}

/** The webhook took something: it is as good as new. */
export async function recordSuccess(trx: Trx, webhookId: string): Promise<void> {
  await sql`
    update webhooks set failures = 0, failing_since = null, resting_until = null
    where id = ${webhookId} and failing_since is not null`.execute(trx);
}

/**
 * The webhook failed once more. Where it could not be reached at all, nothing is sent to it for a while, so that one that
 * is down costs the site one call at a time and not one for everything that waits.
 * @returns since when it has done nothing but fail.
 */
export async function recordFailure(
  trx: Trx,
  webhookId: string,
  { unreachable, waitSeconds }: CallResult,
  at: Date,
): Promise<Date> {
  const rest = unreachable ? sql`${at}::timestamptz + ${pause(sql`failures`, waitSeconds)}` : sql`null`;
  const { rows } = await sql<{ since: Date }>`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${at}::timestamptz),
      resting_until = ${rest}
    where id = ${webhookId} returning failing_since as since`.execute(trx);
  return rows[0]?.since ?? at;
}

export type ListedAttempt = {
  number: number;
  eventId: string;
  type: string;
  at: Date;
  outcome: CallResult['outcome'];
  status: number | null;
  detail: string;
};

/** Of the attempts at a webhook: those before a number, and of these outcomes alone where some are given. */
export type AttemptFilter = {
  before: number | undefined;
  outcomes?: readonly string[] | undefined;
  limit: number;
};

/** What was tried for a webhook, newest first. */
export async function listAttempts(
  db: Db,
  webhookId: string,
  { before, outcomes, limit }: AttemptFilter,
): Promise<ListedAttempt[]> {
  const older = before === undefined ? sql`` : sql`and t.number < ${before}`;
  const alone = outcomes === undefined ? sql`` : sql`and t.outcome = any(${outcomes}::text[])`;
  const { rows } = await sql<ListedAttempt>`
    select t.number, m.event_id as "eventId", m.type, t.at, t.outcome, t.status, t.detail
    from webhook_attempts t join webhook_messages m on m.number = t.message_number
    where t.webhook_id = ${webhookId} ${older} ${alone} order by t.number desc limit ${limit}`.execute(db);
  return rows;
}
