import { type RawBuilder, sql } from 'kysely';
import { type Db, deleteSiteFact, recordSiteFactOnce, type Trx } from '../../platform/database/index.ts';

/** The second factors of an account. */
export type SecondFactors = {
  /** When it got an authenticator app. */
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

/** Whether the password alone is not enough to sign in. Recovery codes do not count as a factor. */
export async function hasSecondFactor(db: Db, accountId: string): Promise<boolean> {
  const { authenticatorSince, passkeys } = await findSecondFactors(db, accountId);
  return authenticatorSince !== null || passkeys > 0;
}

/** In SQL, whether the account `a` has a second factor: the rule of {@link hasSecondFactor}. */
export const hasSecondFactorSql: RawBuilder<boolean> = sql`(
  exists (select from authenticators f where f.account_id = a.id and f.confirmed_at is not null)
  or exists (select from passkeys f where f.account_id = a.id))`;

/** Whether somebody signs in with a password and nothing else. People who use an outside provider have no password here. */
export async function signsInByPasswordAlone(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean }>`
    select a.password_hash is not null and not ${hasSecondFactorSql} as alone
    from accounts a where a.id = ${accountId}`.execute(db);
  return rows[0]?.alone ?? false;
}

const askedSinceFact = 'second factors asked since';

/** Since when the site has required a second factor of everybody; null if it does not. */
export const factorsRequiredSinceSql: RawBuilder<Date | null> = sql`(
  select convert_from(value, 'UTF8')::timestamptz from site_facts where name = ${sql.lit(askedSinceFact)})`;

/** Records when the site first required a second factor of everybody. A restart does not change it, so it gives nobody more time. */
export async function recordFactorRequirement(
  db: Db,
  { isRequired }: { isRequired: boolean },
  at: Date,
): Promise<void> {
  if (isRequired) await recordSiteFactOnce(db, askedSinceFact, Buffer.from(at.toISOString()));
  else await deleteSiteFact(db, askedSinceFact);
}

/** Stores an authenticator that is not confirmed yet, in place of an earlier one. @returns false if one is confirmed. */
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

export async function findPendingAuthenticatorSecret(
  db: Db,
  accountId: string,
  madeAfter: Date,
): Promise<Buffer | undefined> {
  const pending = db
    .selectFrom('authenticators')
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', madeAfter);
  return (await pending.select('sealed').executeTakeFirst())?.sealed;
}

/** Confirms the pending authenticator, and uses up the code that did so. @returns false if it was confirmed already. */
export async function markAuthenticatorConfirmed(
  trx: Trx,
  accountId: string,
  counter: number,
  at: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('authenticators')
    .set({ confirmed_at: at, last_counter: counter })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function findAuthenticatorSecret(db: Db, accountId: string): Promise<Buffer | undefined> {
  const authenticators = db.selectFrom('authenticators').where('account_id', '=', accountId);
  const confirmed = authenticators.where('confirmed_at', 'is not', null).select('sealed');
  return (await confirmed.executeTakeFirst())?.sealed;
}

/** Uses up the code of this time step and all earlier ones. @returns false if it was used up already. */
export async function useUpCodesUntil(trx: Trx, accountId: string, counter: number): Promise<boolean> {
  const updated = await trx
    .updateTable('authenticators')
    .set({ last_counter: counter })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .where('last_counter', '<', counter)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** @returns whether there was a confirmed one. */
export async function deleteAuthenticator(trx: Trx, accountId: string): Promise<boolean> {
  const authenticator = trx.deleteFrom('authenticators').where('account_id', '=', accountId);
  const deleted = await authenticator.returning('confirmed_at').executeTakeFirst();
  return deleted !== undefined && deleted.confirmed_at !== null;
}

/** Stores the account's recovery codes. Every earlier one stops working. */
export async function replaceRecoveryCodes(
  trx: Trx,
  accountId: string,
  hashes: readonly Buffer[],
  at: Date,
): Promise<void> {
  await deleteRecoveryCodes(trx, accountId);
  const rows = hashes.map((hash) => ({ account_id: accountId, code_hash: hash, created_at: at }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

export async function deleteRecoveryCodes(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
}

/** Uses up a recovery code. @returns false if it is unknown or was used. */
export async function spendRecoveryCode(trx: Trx, accountId: string, hash: Buffer): Promise<boolean> {
  const codes = trx.deleteFrom('recovery_codes').where('account_id', '=', accountId);
  return (await codes.where('code_hash', '=', hash).executeTakeFirst()).numDeletedRows === 1n;
}
