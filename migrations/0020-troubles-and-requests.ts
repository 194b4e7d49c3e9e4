import { type Kysely, sql } from 'kysely';

/** What developers have a test site play on them, what they ask its operator for, and whether anybody may use localhost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table troubles (
      id uuid primary key,
      -- The order in which they were added and are played.
      number bigint generated always as identity,
      account_id uuid not null references accounts on delete cascade,
      kind text not null check (kind in ('expire-token', 'end-tokens', 'too-many-requests', 'unavailable',
        'lose-answer', 'slow', 'event-gap', 'webhook-failing')),
      -- Null means any operation.
      operation_id text,
      calls integer not null check (calls > 0),
      played integer not null default 0 check (played <= calls),
      -- For Retry-After, or for how long an answer is held back.
      seconds integer,
      created_at timestamptz not null,
      ends_at timestamptz not null
    )`.execute(db);
  await sql`create index troubles_account on troubles (account_id, number)`.execute(db);
  await sql`
    create table developer_requests (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      kind text not null check (kind in ('return-address', 'test-account')),
      -- Of a return address.
      address text,
      -- Of an account.
      name text,
      email text,
      role text check (role in ('referrer', 'provider')),
      -- An organisation of the library; null means the organisation of the person who asks.
      organization_id text,
      reason text not null,
      made_at timestamptz not null,
      answered_at timestamptz,
      answered_by text,
      granted boolean,
      -- The account that was made.
      granted_account_id uuid references accounts on delete set null,
      check ((kind = 'return-address') = (address is not null)),
      check ((kind = 'test-account') = (name is not null and email is not null and role is not null)),
      check ((answered_at is null) = (granted is null))
    )`.execute(db);
  await sql`create index developer_requests_account on developer_requests (account_id, id)`.execute(db);
  await sql`create index developer_requests_open on developer_requests (id) where answered_at is null`.execute(
    db,
  );
  // The simulator of a test site may restrict a record, and has no account.
  await sql`alter table referral_restrictions alter column account_id drop not null`.execute(db);
  await sql`alter table referral_holds alter column account_id drop not null`.execute(db);
  // A row means that users of this test site may be sent to any address of their own computer.
  await sql`
    create table localhost_return (
      allowed boolean primary key default true check (allowed),
      allowed_at timestamptz not null,
      allowed_by text not null
    )`.execute(db);
}
