import { type RawBuilder, sql } from 'kysely';

/** In the `returning` of an upsert: whether it replaced a row that was there. PostgreSQL sets `xmax` only then. */
export const wasUpdated: RawBuilder<boolean> = sql`(xmax <> 0)`;
