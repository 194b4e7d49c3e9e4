-- Organisations whose people sign in.
create table organisations (
  id uuid primary key,
  name text not null,
  ods_code text,
  -- Names change in the library and occur twice there, so an organisation of the library is known by its id alone.
  library_organization_id text unique,
  created_at timestamptz not null
);
create unique index organisations_name on organisations (name) where library_organization_id is null;

-- Here and not in each action, so that no way of changing an account can forget it.
create function end_account_links() returns trigger language plpgsql as $$
begin
  delete from account_links where account_id = new.id;
  return null;
end
$$;

-- People who sign in.
create table accounts (
  id uuid primary key,
  email text not null check (email = lower(email)) unique,
  name text not null,
  roles text[] not null check ((roles <@ array['operator', 'referrer', 'provider']) and (cardinality(roles) > 0)),
  organisation_id uuid references organisations,
  password_hash text,
  api_access boolean not null default false,
  -- Raised to end all access tokens of the account: a token is valid only in the epoch it was made in.
  key_epoch integer not null default 1,
  disabled_at timestamptz,
  created_at timestamptz not null
);
create trigger accounts_end_links after update on accounts
  for each row when (old.email is distinct from new.email or old.password_hash is distinct from new.password_hash or old.disabled_at is distinct from new.disabled_at)
  execute function end_account_links();

-- Browsers that are signed in.
create table sessions (
  id_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  authenticated_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text,
  -- What pages call the session by: the hash of its secret is not for pages.
  id uuid not null default gen_random_uuid() unique,
  -- Whether the person signed in through the OpenID provider, which asks for its own second factors.
  through_provider boolean not null default false
);
create index sessions_account on sessions (account_id);
create index sessions_expires_at on sessions (expires_at);

-- People who have given the right password and must still give a second factor.
create table sign_in_steps (
  id_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  tries_left smallint not null,
  expires_at timestamptz not null
);
create index sign_in_steps_account on sign_in_steps (account_id);
create index sign_in_steps_expires_at on sign_in_steps (expires_at);

-- Authenticator apps.
create table authenticators (
  account_id uuid primary key references accounts on delete cascade,
  -- Under the site key.
  sealed bytea not null,
  created_at timestamptz not null,
  -- Null until the holder has given a first code. Until then it is not asked for.
  confirmed_at timestamptz,
  -- The 30 seconds whose code was used last. Codes of these or earlier ones are refused.
  last_counter bigint not null default 0
);

-- Passkeys (WebAuthn credentials).
create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_account on passkeys (account_id);

-- Challenges that a passkey has still to answer.
create table passkey_challenges (
  challenge text primary key,
  purpose text not null check (purpose in ('register', 'sign in', 'second factor')),
  account_id uuid references accounts on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

-- Codes that stand in for a lost second factor, each once.
create table recovery_codes (
  account_id uuid not null references accounts on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  primary key (account_id, code_hash)
);

-- Who somebody is at an OpenID provider: issuer and subject together. An email address can pass to another person.
create table identities (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null,
  last_used_at timestamptz,
  unique (issuer, subject),
  unique (account_id, issuer)
);

-- Sign-ins at an OpenID provider that have begun. The keyed hashes do not let a reader of this table finish one.
create table oidc_flows (
  state_hash bytea primary key,
  browser_hash bytea not null,
  account_id uuid references accounts on delete cascade,
  -- Nonce, code verifier and purpose, sealed under the site key.
  sealed bytea not null,
  expires_at timestamptz not null
);
create index oidc_flows_account on oidc_flows (account_id);
create index oidc_flows_expires_at on oidc_flows (expires_at);

-- Links that open an account once, at most one of a purpose for each account: a newer one replaces it.
create table account_links (
  account_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('invitation', 'reset')),
  secret_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, purpose)
);

-- How many attempts were made lately, under keyed hashes of who made them and from where. No address is stored.
create table throttles (
  key bytea primary key,
  -- Attempts are counted for a day from here.
  since timestamptz not null,
  attempts integer not null,
  -- No further attempt is accepted before this.
  blocked_until timestamptz not null,
  -- Until when the site remembers that the account's holder signed in from here.
  trusted_until timestamptz
);
create index throttles_since on throttles (since);
