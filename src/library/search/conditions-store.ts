import { type RawBuilder, sql } from 'kysely';
import type { CalendarDay } from '../hours/calendar-day.ts';
import { dayBefore } from '../hours/calendar-day.ts';
import { minutesADay, multirange, rangesOf } from '../hours/week.ts';
import type { Point } from '../postcodes/store.ts';
import type { Filters, WantedHours, Which } from './filters.ts';
import type { TextQuery } from './text-query.ts';
import { matches } from './text-store.ts';

type Condition = RawBuilder<unknown>;

/** Where the hours and the point of what is listed stand: of services, or of their places one by one. */
export type Level = { week: Condition; key: Condition; within(at: Point, metres: number): Condition };

/** `s` is the row of a service; its places and hours are looked for wherever they are. */
export const ofServices: Level = {
  week: sql`s.week`,
  key: sql`(s.id, 0)`,
  within: (at, metres) =>
    sql`s.id in (select p.service_id from service_places p where ${isWithin(at, metres)})`,
};

/** `p` is the row of a service's place besides. */
export const ofPlaces: Level = {
  week: sql`p.week`,
  key: sql`(p.service_id, p.number)`,
  within: (at, metres) => isWithin(at, metres),
};

/** How far a place `p` is, through the earth: in this the index is sorted. */
export function chordTo(at: Point): Condition {
  return sql`p.point <-> ${pointOf(at)}`;
}

export function pointOf({ latitude, longitude }: Point): Condition {
  return sql`ll_to_earth(${latitude}::float8, ${longitude}::float8)`;
}

/** What sorts those that answer soonest first, and those of which too little is known last. */
export function byAnswer(serviceId: Condition): Condition {
  return sql`(select x.median_days from service_responsiveness x where x.service_id = ${serviceId}) nulls last,`;
}

function isWithin(at: Point, metres: number): Condition {
  const reach = sql`gc_to_sec(${metres}::float8)`;
  return sql`(p.point <@ cube_enlarge(${pointOf(at)}, ${reach}, 3) and ${chordTo(at)} <= ${reach})`;
}

/** All that a service must be to be listed. */
export function conditions(
  { filters, place, today }: Which,
  text: TextQuery | undefined,
  level: Level = ofServices,
): Condition {
  const { hours, openAt, proximity } = filters;
  const all = [
    sql`s.status = 'active'`,
    ...(text ? [matches(text)] : []),
    ...termConditions(filters),
    ...plainConditions(filters),
    ...(hours ? [isOpenIn(hours, today, level)] : []),
    ...(openAt ? [isOpenAt(openAt, level)] : []),
    ...(place && proximity !== undefined ? [level.within(place, proximity)] : []),
    ...roomConditions(filters),
  ];
  return sql.join(all, sql` and `);
}

function termConditions({ termIds, taxonomyId }: Filters): Condition[] {
  const terms =
    termIds &&
    sql`
    s.id in (select service_id from service_taxonomy_terms where term_id = any(array(
      with recursive asked as (
        select unnest(${[...termIds]}::text[]) as id
        union select t.id from asked join taxonomy_terms t on t.parent_id = asked.id)
      select id from asked)))`;
  const taxonomy =
    taxonomyId !== undefined &&
    sql`
    s.id in (select st.service_id from service_taxonomy_terms st join taxonomy_terms t on t.id = st.term_id
      where t.taxonomy_id = ${taxonomyId})`;
  return [terms, taxonomy].filter((each) => typeof each === 'object');
}

function plainConditions({ organizationId, modifiedAfter, minimumAge, maximumAge }: Filters): Condition[] {
  return [
    ...(organizationId === undefined ? [] : [sql`s.organization_id = ${organizationId}`]),
    ...(modifiedAfter ? [sql`s.last_modified >= ${modifiedAfter}`] : []),
    ...(minimumAge === undefined
      ? []
      : [sql`(s.maximum_age is null or s.maximum_age >= ${minimumAge}::float8)`]),
    ...(maximumAge === undefined
      ? []
      : [sql`(s.minimum_age is null or s.minimum_age <= ${maximumAge}::float8)`]),
  ];
}

const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** Open at some time of those that are wanted, in the weeks in which it is open at all. */
export function isOpenIn({ days, from, to }: WantedHours, today: string, { week, key }: Level): Condition {
  const wanted = (days.length > 0 ? days : everyDay).flatMap((day) =>
    rangesOf(day, from ?? 0, to ?? minutesADay),
  );
  const ranges = sql`${multirange(wanted)}::int4multirange`;
  // Of a day without times nobody knows whether it is open at one.
  const timed = from === undefined && to === undefined ? sql`` : sql`and h.opens is not null`;
  return sql`(${week} && ${ranges} or ${key} in (
    select h.service_id, h.number from service_hours h
    where h.during && ${ranges} and (h.valid_to is null or h.valid_to >= ${today}) ${timed}))`;
}

function isOpenAt({ day, minute }: NonNullable<Filters['openAt']>, { week, key }: Level): Condition {
  const before = dayBefore(day);
  return sql`(${week} @> ${day.weekday * minutesADay + minute}::int or ${key} in (
    select h.service_id, h.number from service_hours h
    where (h.opens <= ${minute} and h.closes > ${minute} and ${isOn(day)})
      or (h.closes > ${minute + minutesADay} and ${isOn(before)})))`;
}

/** Whether hours that are not every week's are those of a day. */
function isOn(day: CalendarDay): Condition {
  return sql`
    coalesce(h.weekday = ${day.weekday}, true) and coalesce(h.nth in (${day.nth}, ${day.nthFromEnd}), true)
    and coalesce(h.month_day in (${day.monthDay}, ${day.monthDayFromEnd}), true)
    and coalesce(h.valid_from <= ${day.date}, true) and coalesce(h.valid_to >= ${day.date}, true)
    and (h.every = 1 or h.remainder = case when h.monthly then ${day.month}::int else ${day.week}::int end % h.every)`;
}

function roomConditions({ accepting, capacities }: Filters): Condition[] {
  const closed = sql`(
    s.id in (select service_id from service_referral_settings where not accepts or channels = '{}')
    or s.id in (select service_id from service_capacity where status = 'no-capacity'))`;
  return [
    ...(accepting === undefined ? [] : [accepting ? sql`not ${closed}` : closed]),
    ...(capacities
      ? [sql`s.id in (select service_id from service_capacity where status = any(${[...capacities]}))`]
      : []),
  ];
}
