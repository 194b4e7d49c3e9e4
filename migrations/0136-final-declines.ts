import { type Kysely, sql } from 'kysely';

/** Staff of a service can take back a decline for some minutes. Only then are the GP practice and the person told of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column decline_final_at timestamptz`.execute(db);
  await sql`comment on column referrals.decline_final_at is
    'Until then staff of the service can take back their decline. Null if they cannot, or once the practice and the person are told.'`.execute(
    db,
  );
  await sql`
    create index referrals_decline_final_at on referrals (decline_final_at) where decline_final_at is not null`.execute(
    db,
  );
}
