import { type RawBuilder, sql } from 'kysely';
import { anyOfValuesSql, type Db, isUniqueViolation, type Trx } from '../../platform/database/index.ts';
import type { Account, Role } from './account.ts';

/** What `accountColumnsSql` selects. */
export type AccountRow = Omit<Account, 'organisation'> & {
  passwordHash: string | null;
  organisationId: string | null;
  organisationName: string | null;
  odsCode: string | null;
  libraryOrganizationId: string | null;
};

/** The earlier names or email addresses of account `a`, as an array of texts. */
const formerValuesSql = (kind: 'name' | 'email') =>
  sql`array(select value from account_former_details f where f.account_id = a.id and f.kind = ${sql.lit(kind)})`;

/** The columns of an account with its organisation; `a` is the account and `o` its organisation. */
export const accountColumnsSql = sql`
  a.id, a.email, a.name, a.job_title as "jobTitle", a.telephone, a.roles, a.password_hash as "passwordHash", a.api_access as "hasApiAccess",
  a.disabled_at as "disabledAt", a.created_at as "createdAt", a.is_system as "isSystem", a.owner_id as "ownerId",
  a.organisation_id as "organisationId", o.name as "organisationName", o.ods_code as "odsCode",
  o.library_organization_id as "libraryOrganizationId", ${formerValuesSql('name')} as "formerNames", ${formerValuesSql('email')} as "formerEmails"`;

/** What queries call the table of accounts. */
type Alias = 'a' | 'p' | 'o' | 'd' | 'other';

/** The account of this alias has a passkey, or its holder signs in with an outside provider. */
export const signsInWithoutPasswordSql = (alias: Alias): RawBuilder<boolean> => sql`(
  exists (select from passkeys where account_id = ${sql.ref(alias)}.id)
  or exists (select from identities where account_id = ${sql.ref(alias)}.id))`;

const isInvitedAsSql = (alias: Alias): RawBuilder<boolean> => sql`(
  not ${sql.ref(alias)}.is_system and ${sql.ref(alias)}.password_hash is null and not ${signsInWithoutPasswordSql(alias)})`;

/** The holder of account `a` was invited and has not accepted yet. */
export const isInvitedSql = isInvitedAsSql('a');

/**
 * The account of this alias is a person’s who can sign in. Queries that ask whether anybody is there to work use it. Those that list whom
 * to email do not: the email also tells somebody who was invited that work waits.
 */
export const canSignInSql = (alias: Alias): RawBuilder<boolean> => sql`(
  ${sql.ref(alias)}.disabled_at is null and not ${sql.ref(alias)}.is_system and not ${isInvitedAsSql(alias)})`;

export type StoredAccount = Account & { passwordHash: string | null };

export function accountFromRow(row: AccountRow): StoredAccount {
  const { organisationId, organisationName, odsCode, libraryOrganizationId, ...account } = row;
  const organisation =
    organisationId === null
      ? null
      : { id: organisationId, name: organisationName!, odsCode, libraryOrganizationId };
  return { ...account, organisation };
}

export async function findAccountByEmail(db: Db, email: string): Promise<StoredAccount | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumnsSql} from accounts a left join organisations o on o.id = a.organisation_id
    where a.email = ${email}`.execute(db);
  return rows[0] && accountFromRow(rows[0]);
}

export async function findAccount(db: Db, id: string): Promise<StoredAccount | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumnsSql} from accounts a left join organisations o on o.id = a.organisation_id
    where a.id = ${id}`.execute(db);
  return rows[0] && accountFromRow(rows[0]);
}

/** What others read of account `a`, as `fullName` has it. */
export const fullNameColumnSql: RawBuilder<string> = sql`
  case when a.is_system then (select of.name from organisations of where of.id = a.organisation_id) || '’s system ' || a.name
    else a.name end`;

/** The names of these accounts, by id. Accounts that are gone are left out. */
export async function findAccountNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select a.id, ${fullNameColumnSql} as name from accounts a where a.id = any(${[...ids]}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type AccountRoles = {
  id: string;
  organisationId: string | null;
  organisation: string | null;
  roles: Role[];
};

/** The roles and organisations of these accounts now, by id. */
export async function findAccountRoles(db: Db, ids: readonly string[]): Promise<Map<string, AccountRoles>> {
  const { rows } = await sql<AccountRoles>`
    select a.id, a.roles, o.id as "organisationId", o.name as organisation
    from accounts a left join organisations o on o.id = a.organisation_id where a.id = any(${ids}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks the account until the transaction ends, so that what belongs to it changes one after the other. */
export async function lockAccountRow(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Locks the account until the transaction ends: nobody else changes it or signs in to it. @returns it as it is now. */
export async function lockAccount(trx: Trx, id: string): Promise<StoredAccount | undefined> {
  await lockAccountRow(trx, id);
  return findAccount(trx, id);
}

/** Old names are kept, so that `looks` still notices somebody who searches for their own former name. */
export async function updateName(trx: Trx, id: string, name: string, at: Date): Promise<void> {
  await keepFormer(trx, 'name', id, at);
  await trx.updateTable('accounts').set({ name }).where('id', '=', id).execute();
}

async function keepFormer(trx: Trx, kind: 'name' | 'email', id: string, at: Date): Promise<void> {
  await sql`
    insert into account_former_details (account_id, kind, value, until)
    select id, ${kind}, ${sql.ref(kind)}, ${at} from accounts where id = ${id}
    on conflict (account_id, kind, value) do update set until = excluded.until`.execute(trx);
}

export async function updateContactDetails(
  trx: Trx,
  id: string,
  { jobTitle, telephone }: Pick<Account, 'jobTitle' | 'telephone'>,
): Promise<void> {
  await trx.updateTable('accounts').set({ job_title: jobTitle, telephone }).where('id', '=', id).execute();
}

/** @returns false if another account has the address; the transaction cannot go on then. */
export async function updateEmail(trx: Trx, id: string, email: string, at: Date): Promise<boolean> {
  try {
    await keepFormer(trx, 'email', id, at);
    await trx.updateTable('accounts').set({ email }).where('id', '=', id).execute();
    return true;
  } catch (error) {
    // The unique index decides, because two accounts may get the same address at the same moment.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

export async function listAccounts(db: Db): Promise<(Account & { invited: boolean })[]> {
  const { rows } = await sql<AccountRow & { invited: boolean }>`
    select ${accountColumnsSql}, ${isInvitedSql} as invited from accounts a left join organisations o on o.id = a.organisation_id
    order by a.email`.execute(db);
  return rows.map(({ invited, ...row }) => {
    const { passwordHash: _, ...account } = accountFromRow(row);
    return { ...account, invited };
  });
}

/** @returns false if the email address is taken. */
export async function insertAccount(
  trx: Trx,
  account: {
    id: string;
    email: string;
    name: string;
    roles: Role[];
    organisationId: string | null;
    passwordHash: string | null;
    hasApiAccess: boolean;
    /** The owner of a system, which is no person. */
    systemOwnerId?: string;
    at: Date;
  },
): Promise<boolean> {
  const { id, email, name, roles } = account;
  const inserted = await trx
    .insertInto('accounts')
    .values({
      id,
      email,
      name,
      roles,
      organisation_id: account.organisationId,
      password_hash: account.passwordHash,
      api_access: account.hasApiAccess,
      is_system: account.systemOwnerId !== undefined,
      owner_id: account.systemOwnerId ?? null,
      created_at: account.at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** An access token works while the account has the `key_epoch` that it had when the token was made. */
const withTokensEnded = { key_epoch: sql<number>`key_epoch + 1` };

/** Changes API access, and ends the account's access tokens. */
export async function updateApiAccess(
  trx: Trx,
  id: string,
  { isAllowed }: { isAllowed: boolean },
): Promise<void> {
  const account = trx.updateTable('accounts').where('id', '=', id);
  await account.set({ api_access: isAllowed, ...withTokensEnded }).execute();
}

/** Disables or enables the account, and ends its access tokens. */
export async function updateDisabledAt(trx: Trx, id: string, disabledAt: Date | null): Promise<void> {
  const account = trx.updateTable('accounts').where('id', '=', id);
  await account.set({ disabled_at: disabledAt, ...withTokensEnded }).execute();
}

export async function updateRoles(trx: Trx, id: string, roles: readonly Role[]): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ roles: [...roles] })
    .where('id', '=', id)
    .execute();
}

export async function updateOrganisation(trx: Trx, id: string, organisationId: string): Promise<void> {
  const account = trx.updateTable('accounts').where('id', '=', id);
  await account.set({ organisation_id: organisationId }).execute();
}

/** Changes the password, and ends the account's access tokens. */
export async function updatePassword(trx: Trx, id: string, passwordHash: string): Promise<void> {
  const account = trx.updateTable('accounts').where('id', '=', id);
  await account.set({ password_hash: passwordHash, ...withTokensEnded }).execute();
}

/** Ends the account's access tokens, of all its keys. */
export async function endAccessTokens(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('accounts').set(withTokensEnded).where('id', '=', id).execute();
}

export async function endAllAccessTokens(trx: Trx): Promise<void> {
  await trx.updateTable('accounts').set(withTokensEnded).execute();
}

/** The given email addresses that have an enabled account. */
export async function filterEnabledEmails(db: Db, emails: readonly string[]): Promise<string[]> {
  const accounts = db
    .selectFrom('accounts')
    .where('email', '=', anyOfValuesSql(emails))
    .where('disabled_at', 'is', null);
  const rows = await accounts.select('email').orderBy('email').execute();
  return rows.map(({ email }) => email);
}

/** The accounts among these that are enabled and people. */
export async function listEnabledPeople(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; email: string }[]> {
  const accounts = db
    .selectFrom('accounts')
    .where('id', '=', anyOfValuesSql(ids))
    .where('disabled_at', 'is', null);
  return accounts.where('is_system', '=', false).select(['id', 'email']).execute();
}

export async function countAccounts(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from accounts`.execute(db);
  return rows[0]!.count;
}

/** A condition on a row `a` of `accounts`: whether its holder is an enabled operator. */
export const isEnabledOperatorSql: RawBuilder<boolean> = sql`('operator' = any(a.roles) and a.disabled_at is null)`;

/** The operator who owns the fewest open rows of this table, whose alias is `w`. */
export const operatorWithFewestSql = (
  table: RawBuilder<unknown>,
  isOpen: RawBuilder<unknown>,
): RawBuilder<string | null> => sql`(
  select a.id from accounts a where ${isEnabledOperatorSql}
  order by (select count(*) from ${table} w where w.owner_id = a.id and ${isOpen}), a.created_at, a.id limit 1)`;

/**
 * Counts the operators who can sign in, except the account `exceptId`. `issuer` is this site's outside provider, if it
 * has one.
 */
export async function countOperatorsWhoCanSignIn(
  db: Db,
  issuer: string | undefined,
  exceptId?: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from accounts a
    where ${isEnabledOperatorSql} and a.id is distinct from ${exceptId ?? null}::uuid and (
      a.password_hash is not null
      or exists (select from passkeys p where p.account_id = a.id)
      or exists (select from identities i where i.account_id = a.id and i.issuer = ${issuer ?? null}))`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The enabled operators, by name. @param except the ids of those to leave out */
export async function listOperators(
  db: Db,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<{ id: string; email: string; name: string }[]> {
  const { rows } = await sql<{ id: string; email: string; name: string }>`
    select a.id, a.email, a.name from accounts a
    where ${isEnabledOperatorSql} and a.id <> all(${[...except]}::uuid[])
    order by a.name, a.id`.execute(db);
  return rows;
}
