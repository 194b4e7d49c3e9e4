import { sql } from 'kysely';
import type { Db, Trx } from '../database/index.ts';
import { dayMs, hourMs, minuteMs } from '../durations.ts';

/** Systems that the site sends through, or asks. They accept or refuse the whole site, not single messages or files. */
export const connections = [
  'mail-server',
  'message-exchange',
  'message-exchange-workflow',
  'virus-scanner',
] as const;
export type Connection = (typeof connections)[number];

/**
 * `refuses`: it does not accept this site, for its password, certificate or settings, and nothing is sent until somebody puts
 * that right. `away`: it is unreachable, or reports a fault of its own. The word is stored, and is a label of a metric.
 */
type FailureKind = 'refuses' | 'away';

/** What is recorded about a connection that does not work. */
type RecordedFailure = {
  connection: Connection;
  kind: FailureKind;
  /** In our words; it repeats nothing that the other side said. */
  reason: string;
  since: Date;
  triedAt: Date;
};

export type ConnectionFailure = RecordedFailure & {
  /** It answers in between, and has failed again and again within a day. */
  isUnsteady: boolean;
};

/** This reason is no longer reported once ONWARD_SMTP_URL is set. */
export const noMailServerReason = 'This site has no mail server: ONWARD_SMTP_URL is not set.';

/** How often one message is tried through a connection that refuses the site. */
export const probeEveryMs = 5 * minuteMs;
/** Many systems are unreachable for some minutes, so it is not reported at once. */
const reportUnreachableAfterMs = hourMs;
/** A connection that comes and goes is reported once a day. */
const reportAgainAfterMs = dayMs;

/**
 * A scanner that fails for every second file is never unreachable for an hour. It is reported if it fails this often within a day,
 * each time after it had worked.
 */
const unsteadyAfter = 3;

const columnsSql = sql`connection, kind, reason, since, tried_at as "triedAt"`;

/**
 * Records that a connection did not work, in the transaction that records the attempt. `told_at` stays while the same failure lasts
 * and when it comes back within a day; otherwise it is cleared, and operators are told.
 */
export async function recordConnectionFailure(
  trx: Trx,
  { connection, kind, reason }: Pick<ConnectionFailure, 'connection' | 'kind' | 'reason'>,
  at: Date,
): Promise<void> {
  await sql`
    insert into connection_troubles as t (connection, kind, reason, since, tried_at, interruptions, interrupted_since)
    values (${connection}, ${kind}, ${reason}, ${at}, ${at}, 1, ${at})
    on conflict (connection) do update set kind = excluded.kind, reason = excluded.reason,
      since = case when t.ended_at is null and t.kind = excluded.kind then t.since else excluded.since end,
      tried_at = excluded.tried_at, ended_at = null,
      interruptions = case when t.interrupted_since > ${new Date(at.getTime() - dayMs)}
        then t.interruptions + (t.ended_at is not null)::int else 1 end,
      interrupted_since = case when t.interrupted_since > ${new Date(at.getTime() - dayMs)}
        then t.interrupted_since else excluded.interrupted_since end,
      told_at = case when t.kind = excluded.kind
        and (t.ended_at is null or t.told_at > ${new Date(at.getTime() - reportAgainAfterMs)}) then t.told_at end`.execute(
    trx,
  );
}

/** Records that a connection works. */
export async function recordConnectionWorking(trx: Trx, connection: string, at: Date): Promise<void> {
  await sql`
    update connection_troubles set ended_at = ${at}
    where connection = ${connection} and ended_at is null`.execute(trx);
}

/**
 * Why nothing may be sent through a connection now, if it refuses the site. Undefined means to send: nothing is wrong, or it was time
 * to probe the connection, and this caller has taken the probe. So call it only when about to send.
 */
export async function takeProbeOrFindRefusal(
  db: Db,
  connection: Connection,
  at: Date,
): Promise<string | undefined> {
  const probeBefore = new Date(at.getTime() - probeEveryMs);
  const { rows: turn } = await sql`
    update connection_troubles set tried_at = ${at}
    where connection = ${connection} and kind = 'refuses' and ended_at is null and tried_at <= ${probeBefore}
    returning 1`.execute(db);
  if (turn.length > 0) return undefined;
  const { rows } = await sql<{ reason: string }>`
    select reason from connection_troubles
    where connection = ${connection} and kind = 'refuses' and ended_at is null`.execute(db);
  return rows[0]?.reason;
}

/** The failure that a connection has now, however recent. */
export async function findConnectionFailure(
  db: Db,
  connection: Connection,
): Promise<RecordedFailure | undefined> {
  const { rows } = await sql<RecordedFailure>`
    select ${columnsSql} from connection_troubles where connection = ${connection} and ended_at is null`.execute(
    db,
  );
  return rows[0];
}

/** Only a scanner can be unsteady, because files stay unscanned while it fails. Other systems get later what was not sent. */
const isUnsteadySql = (at: Date) => sql`(connection = 'virus-scanner' and interruptions >= ${unsteadyAfter}
  and interrupted_since > ${new Date(at.getTime() - dayMs)})`;

const mustBeReportedSql = (at: Date) => sql`
  (ended_at is null and (kind = 'refuses' or since <= ${new Date(at.getTime() - reportUnreachableAfterMs)})
    or ${isUnsteadySql(at)})`;

/** The failures that operators must know about: each refusal, and each connection that has been unreachable for an hour. */
export async function listConnectionFailures(db: Db, at: Date): Promise<ConnectionFailure[]> {
  const { rows } = await sql<ConnectionFailure>`
    select ${columnsSql}, ${isUnsteadySql(at)} as "isUnsteady" from connection_troubles where ${mustBeReportedSql(at)} order by connection`.execute(
    db,
  );
  return rows;
}

/** The failures that were not reported to the operators yet. It marks them as reported. */
export async function takeUnreported(trx: Trx, at: Date): Promise<ConnectionFailure[]> {
  const { rows } = await sql<ConnectionFailure>`
    update connection_troubles set told_at = ${at}
    where told_at is null and ${mustBeReportedSql(at)} returning ${columnsSql}, ${isUnsteadySql(at)} as "isUnsteady"`.execute(
    trx,
  );
  return rows;
}
