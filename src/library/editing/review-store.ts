import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** An entry as the lists of those who keep it show it. */
export type KeptService = {
  id: string;
  name: string;
  status: string;
  organization: string | null;
  /** Such as 2026-11-21; null where nobody ever said that the entry is right. */
  assuredOn: string | null;
  capacity: string | null;
  waitingTime: string | null;
  saidAt: Date | null;
};

export type ListPart = {
  /** Null for the services of all. */
  organizationId: string | null;
  afterId: string | undefined;
  limit: number;
};

const never = sql`'-infinity'::date`;
const columns = sql`
  s.id, s.name, s.status, o.name as organization, s.assured_on as "assuredOn", c.status as capacity,
  c.waiting_time as "waitingTime", c.said_at as "saidAt"`;
const tables = sql`
  services s left join organizations o on o.id = s.organization_id left join service_capacity c on c.service_id = s.id`;

/** What is to be checked again, longest overdue first: entries never checked, or not since; and room said long ago. */
export async function listOverdue(
  db: Db,
  { checkedBefore, saidBefore, ...part }: ListPart & { checkedBefore: string; saidBefore: Date },
): Promise<KeptService[]> {
  const overdue = sql`s.status in ('active', 'temporarily closed')
    and (s.assured_on is null or s.assured_on < ${checkedBefore}::date or c.said_at < ${saidBefore})`;
  return list(db, part, overdue, [sql`coalesce(s.assured_on, ${never})`, sql`s.id`]);
}

/** All services, by name. */
export async function listKept(db: Db, part: ListPart): Promise<KeptService[]> {
  return list(db, part, sql`true`, [sql`s.sort_name`, sql`s.id`]);
}

async function list(
  db: Db,
  { organizationId, afterId, limit }: ListPart,
  condition: RawBuilder<unknown>,
  keys: RawBuilder<unknown>[],
): Promise<KeptService[]> {
  const order = sql.join(keys);
  const own = organizationId === null ? sql`true` : sql`s.organization_id = ${organizationId}`;
  const after =
    afterId === undefined
      ? sql`true`
      : sql`(${order}) > (select ${order} from services s where s.id = ${afterId})`;
  const { rows } = await sql<KeptService>`
    select ${columns} from ${tables} where ${condition} and ${own} and ${after} order by ${order} limit ${limit}`.execute(
    db,
  );
  return rows;
}
