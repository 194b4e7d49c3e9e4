import { type Kysely, sql } from 'kysely';

/** What a test site plays for services and practices. A live site has these tables, and never a row in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table simulated_referrals (
      referral_id uuid primary key references referrals on delete cascade,
      story text not null,
      -- Milliseconds by which somebody has moved this referral's time on, all together.
      moved_ms bigint not null default 0
    )`.execute(db);
  await sql`
    create table simulated_steps (
      -- Steps of one moment are taken in this order.
      number bigint generated always as identity primary key,
      referral_id uuid not null references simulated_referrals on delete cascade,
      -- The message that it is news of; null for what the service does.
      delivery_id uuid references deliveries on delete cascade,
      act jsonb not null,
      due_at timestamptz not null,
      done_at timestamptz,
      -- Why nothing came of it; null where it did what it was to do.
      undone_because text
    )`.execute(db);
  await sql`create index simulated_steps_of on simulated_steps (referral_id, due_at)`.execute(db);
}
