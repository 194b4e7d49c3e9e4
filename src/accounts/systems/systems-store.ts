import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Role } from '../model/account.ts';
import { canSignInSql } from '../model/accounts-store.ts';

/** A system account, as its owner and operators see it. */
export type System = {
  id: string;
  name: string;
  roles: Role[];
  organisationId: string;
  organisation: string;
  ownerId: string | null;
  ownerName: string | null;
  hasApiAccess: boolean;
  disabledAt: Date | null;
  createdAt: Date;
};

export type PossibleOwner = { id: string; name: string; email: string; isMember: boolean };

/**
 * Whether person `p` may look after a system of this organisation with these roles. They can make keys for it, so a member must have
 * its rights themselves. An operator need not.
 */
const mayOwnSql = (
  organisationId: RawBuilder<unknown>,
  roles: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`(
  ${canSignInSql('p')}
  and (p.organisation_id = ${organisationId} and p.roles @> ${roles}::text[] or 'operator' = any(p.roles)))`;

const systemsSql = sql`
  select a.id, a.name, a.roles, a.organisation_id as "organisationId", o.name as organisation, a.owner_id as "ownerId",
    p.name as "ownerName", a.api_access as "hasApiAccess", a.disabled_at as "disabledAt", a.created_at as "createdAt"
  from accounts a join organisations o on o.id = a.organisation_id left join accounts p on p.id = a.owner_id
  where a.is_system`;

export async function findSystem(db: Db, id: string): Promise<System | undefined> {
  const { rows } = await sql<System>`${systemsSql} and a.id = ${id}`.execute(db);
  return rows[0];
}

/** The systems that somebody looks after, by name. */
export async function listSystemsOf(db: Db, ownerId: string): Promise<System[]> {
  const { rows } =
    await sql<System>`${systemsSql} and a.owner_id = ${ownerId} order by lower(a.name), a.id`.execute(db);
  return rows;
}

/** The enabled systems that nobody looks after. */
export async function listSystemsWithoutOwner(db: Db): Promise<System[]> {
  const { rows } = await sql<System>`
    ${systemsSql} and a.owner_id is null and a.disabled_at is null order by lower(a.name), a.id`.execute(db);
  return rows;
}

/** The systems that still have this owner, who may no longer look after them. */
export async function listSystemsNoLongerAllowed(trx: Trx, ownerId: string): Promise<System[]> {
  const { rows } = await sql<System>`
    ${systemsSql} and a.owner_id = ${ownerId}
      and not ${mayOwnSql(sql`a.organisation_id`, sql`a.roles`)} order by a.id`.execute(trx);
  return rows;
}

/** Who may look after a system: members of its organisation first, and of these who has been here longest. */
export async function listPossibleOwners(
  db: Db,
  { organisationId, roles }: Pick<System, 'organisationId' | 'roles'>,
): Promise<PossibleOwner[]> {
  const { rows } = await sql<PossibleOwner>`
    select p.id, p.name, p.email, coalesce(p.organisation_id = ${organisationId}, false) as "isMember" from accounts p
    where ${mayOwnSql(sql`${organisationId}::uuid`, sql`${[...roles]}`)}
    order by "isMember" desc, p.created_at, p.id`.execute(db);
  return rows;
}

/** The systems that these people look after, with the owner of each. */
export async function listOwnedSystems(db: Db, ownerIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; ownerId: string }>`
    select id, owner_id as "ownerId" from accounts where owner_id = any(${[...ownerIds]}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, ownerId }) => [id, ownerId]));
}

/** Whether an organisation has a system with this name in any spelling. */
export async function isSystemNameTaken(db: Db, organisationId: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from accounts where is_system and organisation_id = ${organisationId} and lower(name) = lower(${name})`.execute(
    db,
  );
  return rows.length > 0;
}

export async function updateOwner(trx: Trx, id: string, ownerId: string | null): Promise<void> {
  await trx.updateTable('accounts').set({ owner_id: ownerId }).where('id', '=', id).execute();
}
