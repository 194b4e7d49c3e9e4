import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Account, Role } from './account.ts';

type AccountRow = Omit<Account, 'organisation'> & {
  passwordHash: string | null;
  organisationId: string | null;
  organisationName: string | null;
  odsCode: string | null;
  libraryOrganizationId: string | null;
};

/** The columns of an account with its organisation; `a` is the account and `o` its organisation. */
export const accountColumns = sql`
  a.id, a.email, a.name, a.roles, a.password_hash as "passwordHash", a.api_access as "apiAccess",
  a.key_epoch as "keyEpoch", a.disabled_at as "disabledAt", a.created_at as "createdAt",
  a.organisation_id as "organisationId", o.name as "organisationName", o.ods_code as "odsCode",
  o.library_organization_id as "libraryOrganizationId"`;

/** Account `a` has a passkey, or its holder signs in through an outside provider. */
export const opensWithoutPassword = sql`(
  exists (select from passkeys where account_id = a.id) or exists (select from identities where account_id = a.id))`;

/** Account `a` has no way in yet: its holder was invited and has not come. */
export const isInvited = sql`(a.password_hash is null and not ${opensWithoutPassword})`;

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
    select ${accountColumns} from accounts a left join organisations o on o.id = a.organisation_id
    where a.email = ${email}`.execute(db);
  return rows[0] && accountFromRow(rows[0]);
}

export async function findAccount(db: Db, id: string): Promise<StoredAccount | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts a left join organisations o on o.id = a.organisation_id
    where a.id = ${id}`.execute(db);
  return rows[0] && accountFromRow(rows[0]);
}

/** The account, which nobody else changes or signs in to until the transaction ends; what was read before may be old. */
export async function lockAccount(trx: Trx, id: string): Promise<StoredAccount | undefined> {
  await sql`select 1 from accounts where id = ${id} for no key update`.execute(trx);
  return findAccount(trx, id);
}

export async function updateName(trx: Trx, id: string, name: string): Promise<void> {
  await sql`update accounts set name = ${name} where id = ${id}`.execute(trx);
}

/** @returns false where another account has the address; nothing more can be done in the transaction then. */
export async function updateEmail(trx: Trx, id: string, email: string): Promise<boolean> {
  try {
    await sql`update accounts set email = ${email} where id = ${id}`.execute(trx);
    return true;
  } catch (error) {
    // Asked of the index and not before: two accounts may be given one address at the same moment.
    if ((error as { code?: string }).code === '23505') return false;
    throw error;
  }
}

export async function listAccounts(db: Db): Promise<(Account & { invited: boolean })[]> {
  const { rows } = await sql<AccountRow & { invited: boolean }>`
    select ${accountColumns}, ${isInvited} as invited from accounts a left join organisations o on o.id = a.organisation_id
    order by a.email`.execute(db);
  return rows.map(({ invited, ...row }) => {
    const { passwordHash: _, ...account } = accountFromRow(row);
    return { ...account, invited };
  });
}

/** @returns false where the email address is taken. */
export async function insertAccount(
  trx: Trx,
  account: {
    id: string;
    email: string;
    name: string;
    roles: Role[];
    organisationId: string | null;
    passwordHash: string | null;
    apiAccess: boolean;
    at: Date;
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into accounts (id, email, name, roles, organisation_id, password_hash, api_access, created_at)
    values (${account.id}, ${account.email}, ${account.name}, ${account.roles}::text[], ${account.organisationId},
      ${account.passwordHash}, ${account.apiAccess}, ${account.at})
    on conflict (email) do nothing returning id`.execute(trx);
  return rows.length === 1;
}

/** Sets API access, and ends the account's access tokens by a new epoch. */
export async function updateApiAccess(trx: Trx, id: string, apiAccess: boolean): Promise<void> {
  await sql`update accounts set api_access = ${apiAccess}, key_epoch = key_epoch + 1 where id = ${id}`.execute(
    trx,
  );
}

export async function updateDisabledAt(trx: Trx, id: string, disabledAt: Date | null): Promise<void> {
  await sql`update accounts set disabled_at = ${disabledAt}, key_epoch = key_epoch + 1 where id = ${id}`.execute(
    trx,
  );
}

export async function updateRoles(trx: Trx, id: string, roles: readonly Role[]): Promise<void> {
  await sql`update accounts set roles = ${roles}::text[] where id = ${id}`.execute(trx);
}

export async function updateOrganisation(trx: Trx, id: string, organisationId: string): Promise<void> {
  await sql`update accounts set organisation_id = ${organisationId} where id = ${id}`.execute(trx);
}

export async function updatePassword(trx: Trx, id: string, passwordHash: string): Promise<void> {
  await sql`update accounts set password_hash = ${passwordHash}, key_epoch = key_epoch + 1 where id = ${id}`.execute(
    trx,
  );
}

/** The epoch that tokens made from now on belong to; every earlier one is dead. */
export async function raiseKeyEpoch(trx: Trx, id: string): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`
    update accounts set key_epoch = key_epoch + 1 where id = ${id} returning key_epoch as epoch`.execute(trx);
  return rows[0]!.epoch;
}

/** Those of these email addresses whose accounts are not disabled. It also reads the tables of earlier versions. */
export async function listEnabledAmong(db: Db, emails: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from accounts where email = any(${emails}) and disabled_at is null order by email`.execute(
    db,
  );
  return rows.map(({ email }) => email);
}

export async function countAccounts(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from accounts`.execute(db);
  return rows[0]!.count;
}

/**
 * How many operators have a way to sign in; `issuer` is the outside provider of this site, if it has one. The account
 * `besides`, if any, is not counted.
 */
export async function countActiveOperators(
  db: Db,
  issuer: string | undefined,
  besides?: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from accounts a
    where 'operator' = any(a.roles) and a.disabled_at is null and a.id is distinct from ${besides ?? null}::uuid and (
      a.password_hash is not null
      or exists (select from passkeys p where p.account_id = a.id)
      or exists (select from identities i where i.account_id = a.id and i.issuer = ${issuer ?? null}))`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The operators who can sign in, without those of the given ids. */
export async function listOtherOperators(
  db: Db,
  besides: readonly string[],
): Promise<{ email: string; name: string }[]> {
  const { rows } = await sql<{ email: string; name: string }>`
    select email, name from accounts
    where 'operator' = any(roles) and disabled_at is null and id <> all(${[...besides]}::uuid[])
    order by email`.execute(db);
  return rows;
}
