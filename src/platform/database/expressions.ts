import { type RawBuilder, sql } from 'kysely';

/**
 * For `where('id', '=', anyOfValuesSql(ids))`: one parameter however many there are, where `in` has one for each. Typed as one of
 * the values, as Kysely types its own `any`.
 */
export function anyOfValuesSql(values: readonly string[]): RawBuilder<string> {
  return sql`any(${values})`;
}

/** In the `returning` of an upsert: whether it replaced an existing row. PostgreSQL sets `xmax` only then. */
export const wasUpdatedSql: RawBuilder<boolean> = sql`(xmax <> 0)`;
