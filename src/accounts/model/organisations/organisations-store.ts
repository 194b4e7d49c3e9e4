import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';
import type { Organisation } from '../account.ts';
import { canSignInSql } from '../accounts-store.ts';

/** Whether an organisation outside the library has exactly this name. */
export async function isOrganisationKnown(db: Db, name: string): Promise<boolean> {
  const organisations = db.selectFrom('organisations').where('name', '=', name);
  const known = organisations.where('library_organization_id', 'is', null).select('id');
  return (await known.executeTakeFirst()) !== undefined;
}

/** Names of organisations outside the library that are spelled much like this one, the most similar first. */
export async function listSimilarNames(
  db: Db,
  name: string,
  limit: number,
): Promise<{ name: string; similarity: number }[]> {
  const { rows } = await sql<{ name: string; similarity: number }>`
    select name, similarity(lower(name), lower(${name})) as similarity from organisations
    where library_organization_id is null and similarity(lower(name), lower(${name})) > 0.3
    order by similarity desc, name limit ${limit}`.execute(db);
  return rows;
}

/**
 * Finds or makes the organisation of an account. One of the library is found by its id there, and gets its present name;
 * any other is found by its name. One is never taken for the other, because members of an organisation in the library may get the
 * rights of those who answer for its services.
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
    returning id, name, ods_code as "odsCode", library_organization_id as "libraryOrganizationId"`.execute(
    trx,
  );
  return rows[0]!;
}

/** The organisations of the library that have a provider who can sign in. @param ids only these; all if it is left out. */
export async function listOrganizationsWithProviders(db: Db, ids?: readonly string[]): Promise<Set<string>> {
  if (ids?.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select distinct o.library_organization_id as id from accounts a join organisations o on o.id = a.organisation_id
    where 'provider' = any(a.roles) and ${canSignInSql('a')} and ${
      ids ? sql`o.library_organization_id = any(${[...ids]})` : sql`o.library_organization_id is not null`
    }
    order by id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The enabled providers of organisations of the library. */
export async function listEnabledProviders(
  db: Db,
  libraryOrganizationIds: readonly string[],
): Promise<{ id: string; email: string; libraryOrganizationId: string }[]> {
  const { rows } = await sql<{ id: string; email: string; libraryOrganizationId: string }>`
    select a.id, a.email, o.library_organization_id as "libraryOrganizationId"
    from accounts a join organisations o on o.id = a.organisation_id
    where o.library_organization_id = any(${[...libraryOrganizationIds]}) and 'provider' = any(a.roles)
      and a.disabled_at is null and not a.is_system order by a.email`.execute(db);
  return rows;
}

/** The enabled people of an organisation who see referrals. */
export async function listColleagues(
  db: Db,
  organisationId: string,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from accounts
    where organisation_id = ${organisationId} and roles && array['referrer', 'provider'] and disabled_at is null
      and not is_system
    order by email`.execute(db);
  return rows;
}

/** The enabled referrers of organisations. */
export async function listActiveReferrers(
  db: Db,
  organisationIds: readonly string[],
): Promise<{ id: string; email: string; organisationId: string }[]> {
  const { rows } = await sql<{ id: string; email: string; organisationId: string }>`
    select id, email, organisation_id as "organisationId" from accounts
    where organisation_id = any(${[...organisationIds]}::uuid[]) and 'referrer' = any(roles) and disabled_at is null
      and not is_system
    order by email`.execute(db);
  return rows;
}

/** The names of all organisations, for the suggestions of a form. */
export async function listOrganisationNames(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from organisations order by name limit ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}
