import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** What an account has besides its password. */
export type SecondFactors = {
  /** Since when it has an authenticator app. */
  authenticatorSince: Date | null;
  passkeys: number;
  recoveryCodes: number;
};

export async function findSecondFactors(db: Db, accountId: string): Promise<SecondFactors> {
  const { rows } = await sql<SecondFactors>`
    select
      (select confirmed_at from authenticators where account_id = ${accountId}) as "authenticatorSince",
      (select count(*)::int from passkeys where account_id = ${accountId}) as passkeys,
      (select count(*)::int from recovery_codes where account_id = ${accountId}) as "recoveryCodes"`.execute(
    db,
  );
  return rows[0]!;
}

/** Whether the password alone does not let the account in; recovery codes are no factor of their own. */
export async function hasSecondFactor(db: Db, accountId: string): Promise<boolean> {
  const { authenticatorSince, passkeys } = await findSecondFactors(db, accountId);
  return authenticatorSince !== null || passkeys > 0;
}

/** An authenticator that does not count yet, in place of an earlier one that never did. @returns false where one counts. */
export async function savePendingAuthenticator(
  trx: Trx,
  pending: { accountId: string; sealed: Buffer; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into authenticators (account_id, sealed, created_at)
    values (${pending.accountId}, ${pending.sealed}, ${pending.at})
    on conflict (account_id) do update set sealed = excluded.sealed, created_at = excluded.created_at
      where authenticators.confirmed_at is null
    returning 1`.execute(trx);
  return rows.length === 1;
}

export async function findPendingAuthenticator(
  db: Db,
  accountId: string,
  madeAfter: Date,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from authenticators
    where account_id = ${accountId} and confirmed_at is null and created_at > ${madeAfter}`.execute(db);
  return rows[0]?.sealed;
}

/** The pending one counts from now on; the code that showed so is used up. @returns false where it counted already. */
export async function confirmAuthenticator(
  trx: Trx,
  accountId: string,
  counter: number,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update authenticators set confirmed_at = ${at}, last_counter = ${counter}
    where account_id = ${accountId} and confirmed_at is null returning 1`.execute(trx);
  return rows.length === 1;
}

export async function findAuthenticator(db: Db, accountId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from authenticators where account_id = ${accountId} and confirmed_at is not null`.execute(
    db,
  );
  return rows[0]?.sealed;
}

/** Uses up the code of these 30 seconds and of all earlier ones. @returns false where it was used up already. */
export async function spendCounter(trx: Trx, accountId: string, counter: number): Promise<boolean> {
  const { rows } = await sql`
    update authenticators set last_counter = ${counter}
    where account_id = ${accountId} and confirmed_at is not null and last_counter < ${counter}
    returning 1`.execute(trx);
  return rows.length === 1;
}

/** @returns whether there was one that counted. */
export async function deleteAuthenticator(trx: Trx, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ counted: boolean }>`
    delete from authenticators where account_id = ${accountId}
    returning confirmed_at is not null as counted`.execute(trx);
  return rows[0]?.counted ?? false;
}

/** The account's recovery codes from now on; every earlier one is worth nothing. */
export async function replaceRecoveryCodes(
  trx: Trx,
  accountId: string,
  hashes: readonly Buffer[],
  at: Date,
): Promise<void> {
  await deleteRecoveryCodes(trx, accountId);
  await sql`
    insert into recovery_codes (account_id, code_hash, created_at)
    select ${accountId}, hash, ${at} from unnest(${hashes}::bytea[]) hash`.execute(trx);
}

export async function deleteRecoveryCodes(trx: Trx, accountId: string): Promise<void> {
  await sql`delete from recovery_codes where account_id = ${accountId}`.execute(trx);
}

/** @returns false where it is none, or was used. */
export async function spendRecoveryCode(trx: Trx, accountId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where account_id = ${accountId} and code_hash = ${hash} returning 1`.execute(
    trx,
  );
  return rows.length === 1;
}
