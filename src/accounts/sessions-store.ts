import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import { accountColumns, accountFromRow, type StoredAccount } from './store.ts';

export type Session = { authenticatedAt: Date; lastSeenAt: Date; account: StoredAccount };

export async function insertSession(
  trx: Trx,
  session: { idHash: Buffer; accountId: string; at: Date; expiresAt: Date; address: string },
): Promise<void> {
  await sql`
    insert into sessions (id_hash, account_id, created_at, authenticated_at, last_seen_at, expires_at, address)
    values (${session.idHash}, ${session.accountId}, ${session.at}, ${session.at}, ${session.at}, ${session.expiresAt},
      ${session.address})`.execute(trx);
}

/** The session, if it has neither reached its end nor been idle since before `seenAfter`, and its account may sign in. */
export async function findSession(
  db: Db,
  idHash: Buffer,
  now: Date,
  seenAfter: Date,
): Promise<Session | undefined> {
  type Row = Parameters<typeof accountFromRow>[0] & { authenticatedAt: Date; lastSeenAt: Date };
  const { rows } = await sql<Row>`
    select s.authenticated_at as "authenticatedAt", s.last_seen_at as "lastSeenAt", ${accountColumns}
    from sessions s join accounts a on a.id = s.account_id left join organisations o on o.id = a.organisation_id
    where s.id_hash = ${idHash} and s.expires_at > ${now} and s.last_seen_at > ${seenAfter}
      and a.disabled_at is null`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const { authenticatedAt, lastSeenAt, ...account } = row;
  return { authenticatedAt, lastSeenAt, account: accountFromRow(account) };
}

export async function touchSession(db: Db, idHash: Buffer, at: Date): Promise<void> {
  await sql`update sessions set last_seen_at = ${at} where id_hash = ${idHash}`.execute(db);
}

export async function deleteSession(trx: Trx, idHash: Buffer): Promise<void> {
  await sql`delete from sessions where id_hash = ${idHash}`.execute(trx);
}

export async function deleteSessionsOf(trx: Trx, accountId: string): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId}`.execute(trx);
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${now}`.execute(db);
}
