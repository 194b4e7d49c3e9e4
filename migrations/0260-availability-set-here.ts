import { type Kysely, sql } from 'kysely';

/** Only availability that people set here is theirs to check. What a source last reported counts as set here until it reports again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table service_capacity add column set_here boolean not null default true`.execute(db);
  await sql`comment on column service_capacity.set_here is
    'Whether somebody set it on this site; false if the source of the service reported it.'`.execute(db);
}
