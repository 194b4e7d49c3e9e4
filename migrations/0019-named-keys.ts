import { type Kysely, sql } from 'kysely';

/** Named keys: further pairs of keys of an account, each with scopes, limits and an epoch of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A row for each pair of keys of an account.
  await sql`
    alter table refresh_tokens
      drop constraint refresh_tokens_pkey,
      add column id uuid primary key default gen_random_uuid(),
      -- Null for the first pair, which the keys page shows. It may do whatever the account may.
      add column name text,
      add column scopes text[],
      -- Raised to end the access tokens of this pair alone, as accounts.key_epoch ends those of all pairs.
      add column epoch integer not null default 1,
      -- The token before, while it still works beside the new one.
      add column previous_hash bytea unique,
      add column previous_until timestamptz,
      add column previous_used_at timestamptz,
      -- Only the token of the first pair is shown again.
      alter column sealed drop not null,
      add constraint refresh_tokens_named
        check ((name is null) = (scopes is null) and (name is null) = (sealed is not null)),
      add constraint refresh_tokens_scoped check (cardinality(scopes) > 0),
      add constraint refresh_tokens_previous
        check ((previous_hash is null) = (previous_until is null) and (name is not null or previous_hash is null)),
      add constraint refresh_tokens_account_name unique nulls not distinct (account_id, name)`.execute(db);
  await sql`
    alter table access_tokens
      -- The named key that it came from; null for the first pair. Without a foreign key, which would have every refresh lock
      -- the key: if the key is gone, the token does not work.
      add column key_id uuid,
      -- The epoch of its pair of keys.
      add column pair_epoch integer not null default 1`.execute(db);
  await sql`
    alter table key_networks
      add column key_id uuid references refresh_tokens on delete cascade`.execute(db);
  await sql`update key_networks n set key_id = (select id from refresh_tokens r where r.account_id = n.account_id)`.execute(
    db,
  );
  await sql`delete from key_networks where key_id is null`.execute(db);
  await sql`
    alter table key_networks
      drop column account_id,
      add primary key (key_id, network, refused)`.execute(db);
  await sql`
    alter table key_calls
      drop constraint key_calls_pkey,
      -- Null for the first pair.
      add column key_id uuid references refresh_tokens on delete cascade,
      add constraint key_calls_key unique nulls not distinct (account_id, key_id)`.execute(db);
  await sql`create index key_calls_key_id on key_calls (key_id)`.execute(db);
}
