import { sql } from 'kysely';
import { anyOf, type Db } from '../../platform/database/index.ts';

/** Whom a service says that it takes. */
export type Eligibility = {
  /** In years, which may be fractions; a person of the maximum age still fits. */
  minimumAge: number | null;
  maximumAge: number | null;
  /** Whether an outline says what area it serves. Words about the area do not count. */
  hasOutlinedArea: boolean;
};

/** @returns what each service says, by its id. */
export async function findEligibilities(db: Db, ids: readonly string[]): Promise<Map<string, Eligibility>> {
  const rows = await db
    .selectFrom('services as s')
    .select(['s.id', 's.minimum_age as minimumAge', 's.maximum_age as maximumAge'])
    .select(
      sql<boolean>`exists (select from service_area_extents a where a.service_id = s.id)`.as(
        'hasOutlinedArea',
      ),
    )
    .where('s.id', '=', anyOf(ids.filter((id) => !id.includes('\0'))))
    .execute();
  return new Map(rows.map(({ id, ...eligibility }) => [id, eligibility]));
}
