import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { accountColumns, accountFromRow, type StoredAccount } from './accounts-store.ts';

export type Session = {
  authenticatedAt: Date;
  lastSeenAt: Date;
  account: StoredAccount;
  /** The outside provider vouches for the person. */
  throughProvider: boolean;
  hasSecondFactor: boolean;
};

export async function insertSession(
  trx: Trx,
  session: {
    id: string;
    idHash: Buffer;
    accountId: string;
    at: Date;
    expiresAt: Date;
    address: string;
    throughProvider: boolean;
  },
): Promise<void> {
  await sql`
    insert into sessions (id, id_hash, account_id, created_at, authenticated_at, last_seen_at, expires_at, address,
      through_provider)
    values (${session.id}, ${session.idHash}, ${session.accountId}, ${session.at}, ${session.at}, ${session.at},
      ${session.expiresAt}, ${session.address}, ${session.throughProvider})`.execute(trx);
}

/** The session, if it has neither reached its end nor been idle since before `seenAfter`, and its account may sign in. */
export async function findSession(
  db: Db,
  idHash: Buffer,
  now: Date,
  seenAfter: Date,
): Promise<Session | undefined> {
  type Row = Parameters<typeof accountFromRow>[0] & Omit<Session, 'account'>;
  const { rows } = await sql<Row>`
    select s.authenticated_at as "authenticatedAt", s.last_seen_at as "lastSeenAt", s.through_provider as "throughProvider",
      exists (select from authenticators f where f.account_id = a.id and f.confirmed_at is not null)
        or exists (select from passkeys f where f.account_id = a.id) as "hasSecondFactor",
      ${accountColumns}
    from sessions s join accounts a on a.id = s.account_id left join organisations o on o.id = a.organisation_id
    where s.id_hash = ${idHash} and s.expires_at > ${now} and s.last_seen_at > ${seenAfter}
      and a.disabled_at is null`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const { authenticatedAt, lastSeenAt, throughProvider, hasSecondFactor, ...account } = row;
  const facts = { authenticatedAt, lastSeenAt, throughProvider, hasSecondFactor };
  return { ...facts, account: accountFromRow(account) };
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

/** A session counts from when somebody signed in at the provider, which may be a while before they came here. */
export async function dateSessionBack(trx: Trx, idHash: Buffer, authenticatedAt: Date): Promise<void> {
  await sql`
    update sessions set authenticated_at = ${authenticatedAt} where id_hash = ${idHash}`.execute(trx);
}

/** Half sessions too. */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${now}`.execute(db);
  await sql`delete from sign_in_steps where expires_at < ${now}`.execute(db);
}

export async function insertStep(
  trx: Trx,
  step: { idHash: Buffer; accountId: string; tries: number; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_steps (id_hash, account_id, tries_left, expires_at)
    values (${step.idHash}, ${step.accountId}, ${step.tries}, ${step.expiresAt})`.execute(trx);
}

/** Whose step it is, while it is worth anything. */
export async function findStep(db: Db, idHash: Buffer, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from sign_in_steps
    where id_hash = ${idHash} and expires_at > ${now} and tries_left > 0`.execute(db);
  return rows[0]?.accountId;
}

/** Takes one of the step's tries; others with it wait until this one is over. @returns false where none is left. */
export async function takeTry(trx: Trx, idHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update sign_in_steps set tries_left = tries_left - 1
    where id_hash = ${idHash} and expires_at > ${now} and tries_left > 0 returning 1`.execute(trx);
  return rows.length === 1;
}

export async function deleteStep(trx: Trx, idHash: Buffer): Promise<void> {
  await sql`delete from sign_in_steps where id_hash = ${idHash}`.execute(trx);
}
