import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table return_addresses (
      -- Origin and path, byte for byte as /apilogin compares it: no collation may make two of them alike.
      address text collate "C" primary key,
      added_at timestamptz not null,
      added_by text not null
    )`.execute(db);
}
