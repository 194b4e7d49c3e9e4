import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import { accountColumns, accountFromRow, type StoredAccount } from './store.ts';

export type Session = { authenticatedAt: Date; lastSeenAt: Date; account: StoredAccount };

export async function insertSession(
  trx: Trx,
  session: { id: string; idHash: Buffer; accountId: string; at: Date; expiresAt: Date; address: string },
): Promise<void> {
  await sql`
    insert into sessions (id, id_hash, account_id, created_at, authenticated_at, last_seen_at, expires_at, address)
    values (${session.id}, ${session.idHash}, ${session.accountId}, ${session.at}, ${session.at}, ${session.at},
      ${session.expiresAt}, ${session.address})`.execute(trx);
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

/** Also ends what is half a session: somebody who has shown the old password must not go on from there. */
export async function deleteSessionsOf(trx: Trx, accountId: string): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId}`.execute(trx);
  await sql`delete from sign_in_steps where account_id = ${accountId}`.execute(trx);
}

/** Ends all sessions of an account but one, half ones too. @returns how many ended. */
export async function deleteOtherSessions(trx: Trx, accountId: string, keptHash: Buffer): Promise<number> {
  await sql`delete from sign_in_steps where account_id = ${accountId}`.execute(trx);
  const { rows } = await sql`
    delete from sessions where account_id = ${accountId} and id_hash <> ${keptHash} returning 1`.execute(trx);
  return rows.length;
}

/** Ends one session of an account. @returns whether there was one. */
export async function deleteOwnSession(trx: Trx, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from sessions where account_id = ${accountId} and id = ${id} returning 1`.execute(trx);
  return rows.length === 1;
}

/** A session as its owner sees it. */
export type OwnSession = {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  address: string | null;
  /** As the audit has it, in the entry that was written with the session. */
  browser: string | null;
  isThis: boolean;
};

export async function listSessions(
  db: Db,
  accountId: string,
  thisHash: Buffer,
  now: Date,
  seenAfter: Date,
): Promise<OwnSession[]> {
  const { rows } = await sql<OwnSession>`
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", address, id_hash = ${thisHash} as "isThis",
      (select e.details->>'browser' from audit_entries e
        where e.subject_type = 'session' and e.subject_id = s.id::text and e.action = 'session.started') as browser
    from sessions s where account_id = ${accountId} and expires_at > ${now} and last_seen_at > ${seenAfter}
    order by "isThis" desc, last_seen_at desc, id`.execute(db);
  return rows;
}

/** Half sessions too. */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${now}`.execute(db);
  await sql`delete from sign_in_steps where expires_at < ${now}`.execute(db);
}
