import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Visibility } from '../../referrals/index.ts';
import type { Event } from './event.ts';

export async function hasNewEvents(db: Db): Promise<boolean> {
  const row = await db.selectFrom('new_events').select('number').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** A row of `new_events`, with the column names that `insertEvents` expects. */
export type NewEvent = {
  number: number;
  id: string;
  type: string;
  resource_type: string;
  resource_id: string;
  path: string;
  referral_id: string | null;
  side: string | null;
  created_at: Date;
};

/** Deletes up to `max` events from `new_events`. @returns them, in the order in which they were recorded. */
export async function takeNewEvents(trx: Trx, max: number): Promise<NewEvent[]> {
  const { rows } = await sql<NewEvent>`
    with taken as (
      delete from new_events where number in (select number from new_events order by number limit ${max})
      returning number, id, type, resource_type, resource_id, path, referral_id, side, created_at)
    select * from taken order by number`.execute(trx);
  return rows;
}

const columnsSql = sql`
  position, id, type, version, resource_type as "resourceType", resource_id as "resourceId", path,
  referral_id as "referralId", referrer_account_id as "referrerAccountId",
  referrer_organisation_id as "referrerOrganisationId", service_organization_id as "serviceOrganizationId",
  created_at as "createdAt"`;

/**
 * Stores events with the next positions. Events about a referral that no longer exists are dropped. An event of one side does not name
 * the other side, so nobody there can see it.
 */
export async function insertEvents(
  trx: Trx,
  events: readonly (NewEvent & { version: number })[],
): Promise<Event[]> {
  const { rows } = await sql<Event>`
    with ordered as (
      insert into events (id, type, version, resource_type, resource_id, path, referral_id, referrer_account_id,
        referrer_organisation_id, service_organization_id, created_at)
      select e.id, e.type, e.version, e.resource_type, e.resource_id, e.path, r.id,
        case when coalesce(e.side, 'referrer') = 'referrer' then r.referrer_account_id end,
        case when coalesce(e.side, 'referrer') = 'referrer' then r.referrer_organisation_id end,
        case when coalesce(e.side, 'provider') = 'provider' then r.service_organization_id end, e.created_at
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e(number bigint, id uuid, type text,
        version integer, resource_type text, resource_id text, path text, referral_id uuid, side text,
        created_at timestamptz)
      left join referrals r on r.id = e.referral_id
      where e.referral_id is null or r.id is not null
      order by e.number
      returning *)
    select ${columnsSql} from ordered order by position`.execute(trx);
  return rows;
}

/** The position of an event; undefined when there is no event with this id. */
export async function findPosition(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('events').select('position').where('id', '=', id).executeTakeFirst();
  return row?.position;
}

export async function findEvent(db: Db, id: string): Promise<Event | undefined> {
  const { rows } = await sql<Event>`select ${columnsSql} from events where id = ${id}`.execute(db);
  return rows[0];
}

export type EventQuery = {
  afterPosition: number;
  types?: readonly string[] | undefined;
  /** Only events since this time that were not sent to the webhook, and do not wait to be sent. */
  missedBy?: { webhookId: string; since: Date } | undefined;
  limit: number;
};

/**
 * The events that somebody may see, in order. Each reason to see an event is a query of its own, which one index answers,
 * as in referrals/listing/list-store.ts.
 */
export async function listEvents(
  db: Db,
  visibility: Visibility,
  { afterPosition, types, missedBy, limit }: EventQuery,
): Promise<Event[]> {
  const isOfTypesSql = types ? sql`and type = any(${types}::text[])` : sql``;
  const isMissedSql = missedBy
    ? sql`and created_at >= ${missedBy.since} and not exists (
        select from webhook_messages m where m.webhook_id = ${missedBy.webhookId} and m.event_id = events.id
          and m.status <> 'failed')`
    : sql``;
  const parts = eventVisibilitySql(visibility).map(
    (
      condition,
    ) => sql`(select position from events where ${condition} and position > ${afterPosition} ${isOfTypesSql} ${isMissedSql}
      order by position limit ${limit})`,
  );
  const { rows } = await sql<Event>`
    with seen as materialized (${sql.join(parts, sql` union `)})
    select ${columnsSql} from events where position in (select position from seen order by position limit ${limit})
    order by position`.execute(db);
  return rows;
}

type OldestAndLatest = { oldestId: string | null; latestId: string | null; latestPosition: number | null };

/** The oldest and the newest event that somebody may see; null where there is none. */
export async function findOldestAndLatest(db: Db, visibility: Visibility): Promise<OldestAndLatest> {
  const ends = ['asc', 'desc'] as const;
  const [oldest, latest] = ends.map((direction) => {
    const parts = eventVisibilitySql(visibility).map(
      (condition) =>
        sql`(select position, id from events where ${condition} order by position ${sql.raw(direction)} limit 1)`,
    );
    return sql`(select id, position from (${sql.join(parts, sql` union all `)}) as seen
      order by position ${sql.raw(direction)} limit 1)`;
  });
  const { rows } = await sql<OldestAndLatest>`
    select oldest.id as "oldestId", latest.id as "latestId", latest.position::float8 as "latestPosition"
    from (select) as always left join ${oldest} as oldest on true left join ${latest} as latest on true`.execute(
    db,
  );
  return rows[0]!;
}

/** The reasons why somebody may see an event, each a condition on its row. */
function eventVisibilitySql(visibility: Visibility): RawBuilder<unknown>[] {
  if (visibility.allSentReferrals) return [sql`true`];
  const { madeByOrganisation, madeByAccount, receivedBy } = visibility;
  return [
    sql`referral_id is null`,
    ...(madeByOrganisation === null ? [] : [sql`referrer_organisation_id = ${madeByOrganisation}`]),
    ...(madeByAccount === null
      ? []
      : [sql`referrer_account_id = ${madeByAccount} and referrer_organisation_id is null`]),
    ...(receivedBy === null ? [] : [sql`service_organization_id = ${receivedBy}`]),
  ];
}

export async function deleteEventsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('events').where('created_at', '<', before).execute();
}
