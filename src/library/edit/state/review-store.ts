import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';

/** A service as its maintainers list it, whether or not it is due for a check. */
export type MaintainedService = {
  id: string;
  /** What the list is ordered by: the name, or the day of the last check, which is empty if there was none. */
  key: string;
  name: string;
  status: string;
  organization: string | null;
  /** Such as 2026-11-21; null if the service was never checked. */
  assuredOn: string | null;
  availability: string | null;
  waitingTime: string | null;
  setAt: Date | null;
};

export type ServiceListRequest = {
  /** Null for the services of all organisations. */
  organizationId: string | null;
  /** The last service of the previous page. Its key is needed too, because the service may have changed since. */
  after: Pick<MaintainedService, 'key' | 'id'> | undefined;
  limit: number;
};

/**
 * Who should check a service. What a source sent, details and availability, is for the source to check. People here check
 * services that were made here and, for every service, the availability that was set here.
 */
export type Maintainer = { sourceId: string } | 'here';

type CheckLimits = { checkedBefore: string; setBefore: Date };

const neverSql = sql`'-infinity'::date`;

/** Services that are due for a check, those that have waited longest first. They were never checked or long ago, or their availability is old. */
export function listDueForCheck(
  db: Db,
  {
    maintainer,
    checkedBefore,
    setBefore,
    ...part
  }: ServiceListRequest & CheckLimits & { maintainer?: Maintainer | undefined },
): Promise<MaintainedService[]> {
  const isListed = sql`${isDueForCheckSql({ checkedBefore, setBefore })} and ${maintainedBySql(maintainer, setBefore)}`;
  return list(db, part, isListed, {
    key: sql`coalesce(s.assured_on, ${neverSql})`,
    keyText: sql`coalesce(s.assured_on::text, '')`,
    readKey: (text) => sql`coalesce(${text || null}::date, ${neverSql})`,
  });
}

/** The sources of services that are due for a check, the source with the most first. */
export async function countDueForCheckBySource(
  db: Db,
  limits: CheckLimits,
): Promise<{ id: string; name: string; count: number }[]> {
  const { rows } = await sql<{ id: string; name: string; count: number }>`
    select x.id, x.name, count(*)::int as count
    from services s left join service_capacity c on c.service_id = s.id join library_sources x on x.id = s.source_id
    where ${isDueForCheckSql(limits)} group by x.id, x.name order by count(*) desc, x.name`.execute(db);
  return rows;
}

export type DueInOrganization = { id: string | null; name: string | null; count: number };

/** The organisations of the services of a list that are due for a check, the one with the most first. */
export async function countDueForCheckByOrganization(
  db: Db,
  limits: CheckLimits,
  maintainer: Maintainer,
): Promise<DueInOrganization[]> {
  const { rows } = await sql<DueInOrganization>`
    select s.organization_id as id, o.name, count(*)::int as count
    from services s left join service_capacity c on c.service_id = s.id left join organizations o on o.id = s.organization_id
    where ${isDueForCheckSql(limits)} and ${maintainedBySql(maintainer, limits.setBefore)}
    group by s.organization_id, o.name order by count(*) desc, o.name, s.organization_id`.execute(db);
  return rows;
}

/** How many services are due for a check. */
export async function countDueForCheck(db: Db, limits: CheckLimits): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from services s left join service_capacity c on c.service_id = s.id where ${isDueForCheckSql(limits)}`.execute(
    db,
  );
  return rows[0]!.count;
}

function isDueForCheckSql({ checkedBefore, setBefore }: CheckLimits): RawBuilder<unknown> {
  return sql`s.status in ('active', 'temporarily closed')
    and (s.assured_on is null or s.assured_on < ${checkedBefore}::date or c.set_at < ${setBefore})`;
}

function maintainedBySql(maintainer: Maintainer | undefined, setBefore: Date): RawBuilder<unknown> {
  if (maintainer === undefined) return sql`true`;
  if (maintainer === 'here') return sql`(s.source_id is null or c.set_here and c.set_at < ${setBefore})`;
  return sql`s.source_id = ${maintainer.sourceId}`;
}

/** All services, by name. */
export function listServices(db: Db, part: ServiceListRequest): Promise<MaintainedService[]> {
  return list(db, part, sql`true`, {
    key: sql`s.sort_name`,
    keyText: sql`s.sort_name`,
    readKey: (text) => sql`${text}`,
  });
}

/** What a list is ordered by, the same as text for the cursor, and how to read that text. */
type Order = {
  key: RawBuilder<unknown>;
  keyText: RawBuilder<unknown>;
  readKey(text: string): RawBuilder<unknown>;
};

async function list(
  db: Db,
  { organizationId, after, limit }: ServiceListRequest,
  isListed: RawBuilder<unknown>,
  { key, keyText, readKey }: Order,
): Promise<MaintainedService[]> {
  const isOwn = organizationId === null ? sql`true` : sql`s.organization_id = ${organizationId}`;
  const isAfter = after ? sql`(${key}, s.id) > (${readKey(after.key)}, ${after.id})` : sql`true`;
  const { rows } = await sql<MaintainedService>`
    select s.id, ${keyText} as key, s.name, s.status, o.name as organization, s.assured_on as "assuredOn",
      c.status as availability, c.waiting_time as "waitingTime", c.set_at as "setAt"
    from services s left join organizations o on o.id = s.organization_id
      left join service_capacity c on c.service_id = s.id
    where ${isListed} and ${isOwn} and ${isAfter} order by ${key}, s.id limit ${limit}`.execute(db);
  return rows;
}
