import { sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';

/** @returns false if another organisation outside the library has this name. */
export async function updateNameIfFree(trx: Trx, id: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    update organisations set name = ${name}
    where id = ${id} and not exists (
      select from organisations o where o.name = ${name} and o.library_organization_id is null and o.id <> ${id})
    returning 1`.execute(trx);
  return rows.length === 1;
}

export type Member = {
  id: string;
  name: string;
  email: string;
  roles: string[];
  isSystem: boolean;
  disabled: boolean;
};

export async function listMembers(db: Db, id: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select id, name, email, roles, is_system as "isSystem", disabled_at is not null as disabled from accounts
    where organisation_id = ${id} order by disabled_at is not null, is_system, lower(name), id limit 200`.execute(
    db,
  );
  return rows;
}

export type MemberService = { id: string; name: string; address: string | null };

/** The services of an organisation of the library, with the confirmed address of letters about referrals. */
export async function listServicesOf(db: Db, organizationId: string): Promise<MemberService[]> {
  const { rows } = await sql<MemberService>`
    select s.id, s.name, (
      select a.address from delivery_addresses a
      where a.service_id = s.id and a.channel in ('email', 'answer_email') order by a.channel desc limit 1) as address
    from services s where s.organization_id = ${organizationId} and s.status = 'active'
    order by lower(s.name), s.id limit 200`.execute(db);
  return rows;
}

/** The active services of these organisations of the library. */
export function listActiveServices(
  db: Db,
  organizationIds: readonly string[],
): Promise<{ id: string; organizationId: string | null }[]> {
  return db
    .selectFrom('services')
    .select(['id', 'organization_id as organizationId'])
    .where('organization_id', '=', anyOfValuesSql(organizationIds))
    .where('status', '=', 'active')
    .execute();
}
