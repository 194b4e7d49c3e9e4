import { sql } from 'kysely';
import { wasEverSensitiveSql } from '../../library/index.ts';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import { openStatuses } from '../../referrals/index.ts';

/** @returns false if another organisation has this name, in the library or outside it: people could not tell the two apart. */
export async function updateNameIfFree(trx: Trx, id: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    update organisations set name = ${name}
    where id = ${id} and not exists (
      select from organisations o where o.name = ${name} and o.id <> ${id})
    returning 1`.execute(trx);
  return rows.length === 1;
}

export type OrganisationCounts = { people: number; services: number; openReferrals: number };

/** What each of these organisations has here. Referrals to a sensitive service are not counted: a count that grows would tell of them. */
export async function countOfOrganisations(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, OrganisationCounts>> {
  const { rows } = await sql<OrganisationCounts & { id: string }>`
    select o.id,
      (select count(*)::int from accounts a
        where a.organisation_id = o.id and a.disabled_at is null and not a.is_system) as people,
      (select count(*)::int from services s
        where s.organization_id = o.library_organization_id and s.status = 'active') as services,
      (select count(*)::int from referrals r
        where r.referrer_organisation_id = o.id and r.status in (${sql.join(openStatuses)}) and not ${wasEverSensitiveSql(sql`r.service_id`)})
      + (select count(*)::int from referrals r
        where r.service_organization_id = o.library_organization_id and r.referrer_organisation_id is distinct from o.id
          and r.status in (${sql.join(openStatuses)}) and not ${wasEverSensitiveSql(sql`r.service_id`)}) as "openReferrals"
    from organisations o where o.id = any(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
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
