import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

type Settings = Pick<ServiceForReferral, 'id' | 'accepts' | 'channels'>;

/** How referrals reach those of the services for which somebody has said so. */
export async function listReferralSettings(db: Db, ids: readonly string[]): Promise<Map<string, Settings>> {
  const { rows } = await sql<Settings>`
    select service_id as id, accepts, channels from service_referral_settings
    where service_id = any(${[...ids]})`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a referral must know of the service it goes to. */
export type ServiceForReferral = {
  id: string;
  name: string;
  status: string;
  /** None where the library's source does not say who runs the service. */
  organization: { id: string; name: string } | undefined;
  accepts: boolean;
  /** How referrals reach it, in the order in which they are tried. */
  channels: string[];
};

/** The service with this id, whatever its status: whether it may be referred to is the referral's to judge. */
export async function findServiceForReferral(db: Db, id: string): Promise<ServiceForReferral | undefined> {
  return (await findServicesForReferral(db, [id])).get(id);
}

/** The same for several, by their ids. */
export async function findServicesForReferral(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, ServiceForReferral>> {
  const { rows } = await sql<
    Omit<ServiceForReferral, 'organization'> & {
      organizationId: string | null;
      organizationName: string | null;
    }
  >`
    select s.id, s.name, s.status, o.id as "organizationId", o.name as "organizationName",
      coalesce(r.accepts, true) as accepts, coalesce(r.channels, '{inbox}') as channels
    from services s
    left join organizations o on o.id = s.organization_id
    left join service_referral_settings r on r.service_id = s.id
    where s.id = any(${ids.filter((id) => !id.includes('\0'))}::text[])`.execute(db);
  return new Map(
    rows.map(({ organizationId, organizationName, ...service }) => {
      const organization =
        organizationId === null
          ? undefined
          : { id: organizationId, name: organizationName ?? organizationId };
      return [service.id, { ...service, organization }];
    }),
  );
}

/**
 * The organisation with this id, or with exactly this name. A name that several organisations share finds none of
 * them: an account linked to the wrong one would read its referrals.
 */
export async function findOrganization(
  db: Db,
  idOrName: string,
): Promise<{ id: string; name: string } | undefined> {
  if (idOrName.includes('\0')) return undefined;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from organizations
    where id = ${idOrName} or sort_name = plain_text(${idOrName}) and name = ${idOrName}
    order by id <> ${idOrName} limit 2`.execute(db);
  return rows[0]?.id === idOrName || rows.length === 1 ? rows[0] : undefined;
}

export type UsedTerm = { id: string; name: string; taxonomy: string | null };

/** The terms that some service has, by taxonomy and name: what a list can be narrowed down to. */
export async function listUsedTerms(db: Db): Promise<UsedTerm[]> {
  const { rows } = await sql<UsedTerm>`
    select t.id, t.name, x.name as taxonomy
    from taxonomy_terms t left join taxonomies x on x.id = t.taxonomy_id
    where exists (select from service_taxonomy_terms st where st.term_id = t.id)
    order by x.name nulls last, plain_text(t.name) collate "C", t.id`.execute(db);
  return rows;
}

/** Whether the library holds any service. */
export async function hasServices(db: Db): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`select exists (select from services) as some`.execute(db);
  return rows[0]!.some;
}
