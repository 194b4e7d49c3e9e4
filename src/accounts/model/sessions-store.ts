import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import {
  type AccountRow,
  accountColumnsSql,
  accountFromRow,
  endAllAccessTokens,
  type StoredAccount,
} from './accounts-store.ts';
import { factorsRequiredSinceSql, hasSecondFactorSql } from './second-factors-store.ts';

export type Session = {
  authenticatedAt: Date;
  lastSeenAt: Date;
  account: StoredAccount;
  /** They signed in with OpenID Connect, at the outside provider that the site uses. */
  signedInWithOpenId: boolean;
  hasSecondFactor: boolean;
  /** Since when this site has asked everybody for a second factor. */
  factorsRequiredSince: Date | null;
};

export async function insertSession(
  trx: Trx,
  session: {
    id: string;
    secretHash: Buffer;
    accountId: string;
    at: Date;
    authenticatedAt: Date;
    expiresAt: Date;
    ipAddress: string;
    signedInWithOpenId: boolean;
  },
): Promise<void> {
  const { id, at, ipAddress } = session;
  await trx
    .insertInto('sessions')
    .values({
      id,
      secret_hash: session.secretHash,
      account_id: session.accountId,
      created_at: at,
      authenticated_at: session.authenticatedAt,
      last_seen_at: at,
      expires_at: session.expiresAt,
      address: ipAddress,
      with_openid: session.signedInWithOpenId,
    })
    .execute();
}

/** The session, unless it has expired, was last used before `seenAfter`, or its account is disabled. */
export async function findSession(
  db: Db,
  secretHash: Buffer,
  now: Date,
  seenAfter: Date,
): Promise<Session | undefined> {
  type Row = AccountRow & Omit<Session, 'account'>;
  const { rows } = await sql<Row>`
    select s.authenticated_at as "authenticatedAt", s.last_seen_at as "lastSeenAt", s.with_openid as "signedInWithOpenId",
      ${hasSecondFactorSql} as "hasSecondFactor",
      ${factorsRequiredSinceSql} as "factorsRequiredSince",
      ${accountColumnsSql}
    from sessions s join accounts a on a.id = s.account_id left join organisations o on o.id = a.organisation_id
    where s.secret_hash = ${secretHash} and s.expires_at > ${now} and s.last_seen_at > ${seenAfter}
      and a.disabled_at is null`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const {
    authenticatedAt,
    lastSeenAt,
    signedInWithOpenId,
    hasSecondFactor,
    factorsRequiredSince: since,
    ...account
  } = row;
  const facts = {
    authenticatedAt,
    lastSeenAt,
    signedInWithOpenId,
    hasSecondFactor,
    factorsRequiredSince: since,
  };
  return { ...facts, account: accountFromRow(account) };
}

/** Whose session it is, or was until it ended a short while ago. */
export async function findSessionAccountId(db: Db, secretHash: Buffer): Promise<string | undefined> {
  const session = await db
    .selectFrom('sessions')
    .select('account_id as accountId')
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
  return session?.accountId;
}

/** The email address of the person whose session it is, or was until it ended a short while ago. */
export async function findSessionEmail(db: Db, secretHash: Buffer): Promise<string | undefined> {
  const session = await db
    .selectFrom('sessions as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select('a.email')
    .where('s.secret_hash', '=', secretHash)
    .where('a.disabled_at', 'is', null)
    .executeTakeFirst();
  return session?.email;
}

export async function touchSession(db: Db, secretHash: Buffer, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: at }).where('secret_hash', '=', secretHash).execute();
}

export async function deleteSession(trx: Trx, secretHash: Buffer): Promise<void> {
  await trx.deleteFrom('sessions').where('secret_hash', '=', secretHash).execute();
}

/** Ends all sessions, and all sign-ins between their two steps: nobody who used the old password may go on. */
export async function deleteSessionsOf(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await deleteSignInStepsOf(trx, accountId);
}

/**
 * After a restore: ends every session, sign-in and access token, and every link to choose a password. What was ended since the backup was made
 * would otherwise work again. @returns how many sessions there were.
 */
export async function endAllAccess(trx: Trx): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('sessions').executeTakeFirst();
  await trx.deleteFrom('sign_in_steps').execute();
  await trx.deleteFrom('oidc_flows').execute();
  await trx.deleteFrom('passkey_challenges').execute();
  await trx.deleteFrom('account_links').execute();
  await endAllAccessTokens(trx);
  return Number(numDeletedRows);
}

async function deleteSignInStepsOf(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('sign_in_steps').where('account_id', '=', accountId).execute();
}

/** Ends all sessions of an account but one, and sign-ins between their two steps. @returns how many sessions ended. */
export async function deleteOtherSessions(trx: Trx, accountId: string, keptHash: Buffer): Promise<number> {
  await deleteSignInStepsOf(trx, accountId);
  const others = trx.deleteFrom('sessions').where('account_id', '=', accountId);
  return Number((await others.where('secret_hash', '<>', keptHash).executeTakeFirst()).numDeletedRows);
}

/** Ends one session of an account. @returns whether there was one. */
export async function deleteOwnSession(trx: Trx, accountId: string, id: string): Promise<boolean> {
  const session = trx.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '=', id);
  return (await session.executeTakeFirst()).numDeletedRows === 1n;
}

/** A session, as its owner sees it. */
export type OwnSession = {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  ipAddress: string | null;
  /** As the audit entry of the sign-in names it. */
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
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", address as "ipAddress", secret_hash = ${thisHash} as "isThis",
      (select e.details->>'browser' from audit_entries e
        where e.subject_type = 'session' and e.subject_id = s.id::text and e.action = 'session.started') as browser
    from sessions s where account_id = ${accountId} and expires_at > ${now} and last_seen_at > ${seenAfter}
    order by "isThis" desc, last_seen_at desc, id`.execute(db);
  return rows;
}

/**
 * Deletes expired sessions, and expired sign-ins between their two steps. A session is deleted only a day after it expires, so that
 * a form that was open overnight can still be matched to its account.
 */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('expires_at', '<', new Date(now.getTime() - dayMs))
    .execute();
  await db.deleteFrom('sign_in_steps').where('expires_at', '<', now).execute();
}

export async function insertSignInStep(
  trx: Trx,
  step: { secretHash: Buffer; accountId: string; attempts: number; expiresAt: Date },
): Promise<void> {
  const { secretHash, accountId, attempts, expiresAt } = step;
  const row = {
    secret_hash: secretHash,
    account_id: accountId,
    attempts_left: attempts,
    expires_at: expiresAt,
  };
  await trx.insertInto('sign_in_steps').values(row).execute();
}

/** The id of the account whose sign-in step can still be finished. */
export async function findSignInStepAccountId(
  db: Db,
  secretHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const steps = db
    .selectFrom('sign_in_steps')
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', now)
    .where('attempts_left', '>', 0);
  return (await steps.select('account_id').executeTakeFirst())?.account_id;
}

/** Takes one of the step's attempts; others wait for this transaction to end. @returns false if none is left. */
export async function useSignInStepAttempt(trx: Trx, secretHash: Buffer, now: Date): Promise<boolean> {
  const updated = await trx
    .updateTable('sign_in_steps')
    .set({ attempts_left: sql<number>`attempts_left - 1` })
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', now)
    .where('attempts_left', '>', 0)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function deleteSignInStep(trx: Trx, secretHash: Buffer): Promise<void> {
  await trx.deleteFrom('sign_in_steps').where('secret_hash', '=', secretHash).execute();
}
