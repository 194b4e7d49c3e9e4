import { type RawBuilder, sql } from 'kysely';
import type { Place } from './filters.ts';

/** What an answer says of a service besides its document: what is said here, or depends on who asks. */
type Members = readonly RawBuilder<string>[];

/** A document, as JSON text, with more members: texts that begin with a comma, and null where there is nothing to say. */
export function withMembers(document: RawBuilder<string>, members: Members): RawBuilder<string> {
  if (members.length === 0) return document;
  const added = sql`nullif(concat(${sql.join(members)}), '')`;
  return sql`coalesce(left(${document}, -1) || ${added} || '}', ${document})`;
}

/** What is said of a service here. @param id of the service */
export function saidMembers(id: RawBuilder<unknown>): Members {
  return [...capacityMembers(id), responsivenessMember(id)];
}

function responsivenessMember(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql`(
    select ',"responsiveness":' || json_strip_nulls(json_build_object(
      'median_days', x.median_days, 'share_accepted', x.share_accepted,
      'referrals_90_days', x.referrals_90_days, 'commonest_rejection', x.rejection_code))::text
    from service_responsiveness x where x.service_id = ${id})`;
}

/** Whether it has room, which an export says too. @param id of the service */
export function capacityMembers(id: RawBuilder<unknown>): Members {
  return [
    sql`(
      select ',"service_capacity":' || json_strip_nulls(json_build_object(
        'status', c.status, 'waiting_time', c.waiting_time,
        'updated', to_char(c.said_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))::text
      from service_capacity c where c.service_id = ${id})`,
  ];
}

/** Whether the place is in an area that the service serves; null where nothing outlines them. */
export function areaMember(id: RawBuilder<unknown>, place: Place | undefined): Members {
  if (!place) return [];
  const here = sql`point(${place.longitude}::float8, ${place.latitude}::float8)`;
  return [
    sql`(
      select ',"in_service_area":' || case when bool_or(inside) then 'true' when bool_or(unknown) is not false then null
        else 'false' end
      from (
        select a.extent is null as unknown, a.extent @> ${here} and not exists (
          select from unnest(a.holes) as hole where hole @> ${here}) as inside
        from service_area_extents a where a.service_id = ${id}) as area)`,
  ];
}
