import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import type { Account, Organisation, Role } from './account.ts';
import { isInvited } from './account-links-store.ts';

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

/** Those of the library's organisations for whose services somebody may answer who can sign in. @param ids of some, or of any */
export async function listOrganizationsWithProviders(db: Db, ids?: readonly string[]): Promise<Set<string>> {
  if (ids?.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select distinct o.library_organization_id as id from accounts a join organisations o on o.id = a.organisation_id
    where 'provider' = any(a.roles) and a.disabled_at is null and ${
      ids ? sql`o.library_organization_id = any(${[...ids]})` : sql`o.library_organization_id is not null`
    }
    order by id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Everybody who can answer for the services of an organisation of the library. */
export async function listActiveProviders(
  db: Db,
  libraryOrganizationId: string,
): Promise<{ email: string }[]> {
  const { rows } = await sql<{ email: string }>`
    select a.email from accounts a join organisations o on o.id = a.organisation_id
    where o.library_organization_id = ${libraryOrganizationId} and 'provider' = any(a.roles)
      and a.disabled_at is null order by a.email`.execute(db);
  return rows;
}

export async function countAccounts(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from accounts`.execute(db);
  return rows[0]!.count;
}

const organisationColumns = sql`
  id, name, ods_code as "odsCode", library_organization_id as "libraryOrganizationId"`;

/**
 * The organisation of an account, made where it is not there yet. One of the library is known by its id there, and
 * takes over the name that it has there now; any other by its name. The two never become one, because whoever is in an
 * organisation of the library may get the rights of those who answer for its services.
 */
export async function upsertOrganisation(
  trx: Trx,
  organisation: Organisation & { at: Date },
): Promise<Organisation> {
  const { id, name, odsCode, libraryOrganizationId, at } = organisation;
  const known =
    libraryOrganizationId === null
      ? sql`(name) where library_organization_id is null`
      : sql`(library_organization_id)`;
  const { rows } = await sql<Organisation>`
    insert into organisations (id, name, ods_code, library_organization_id, created_at)
    values (${id}, ${name}, ${odsCode}, ${libraryOrganizationId}, ${at})
    on conflict ${known} do update set
      name = excluded.name, ods_code = coalesce(excluded.ods_code, organisations.ods_code)
    returning ${organisationColumns}`.execute(trx);
  return rows[0]!;
}
