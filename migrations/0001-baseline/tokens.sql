-- Access tokens, by the hash of each.
create table access_tokens (
  hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  key_epoch integer not null,
  source text not null check (source in ('apikeys', 'refresh', 'apilogin')),
  issued_at timestamptz not null,
  valid_to timestamptz not null
);
create index access_tokens_valid_to on access_tokens (valid_to);

-- The refresh token of each account.
create table refresh_tokens (
  account_id uuid primary key references accounts on delete cascade,
  hash bytea not null unique,
  -- For the keys page, which shows the token again. Sealed under the site key.
  sealed bytea not null,
  issued_at timestamptz not null,
  last_used_at timestamptz,
  last_used_address text,
  -- Networks it may be used from, as platform/addresses writes them; empty means anywhere.
  networks text[] not null default '{}' check (cardinality(networks) <= 20),
  -- After how many days without use it stops working; null means never.
  idle_days integer check (idle_days >= 7 and idle_days <= 365)
);

-- Where an account's refresh token was used from, or refused. Cleared when new keys are made.
create table key_addresses (
  account_id uuid not null references accounts on delete cascade,
  -- An IPv4 address, or the /64 of an IPv6 address.
  network text not null,
  refused boolean not null,
  first_seen_at timestamptz not null,
  primary key (account_id, network, refused)
);

-- When and from where an account last called with one of its access tokens, to the minute.
create table key_calls (
  account_id uuid primary key references accounts on delete cascade,
  last_called_at timestamptz not null,
  last_called_address text not null
);

-- Where /apilogin may send tokens to.
create table return_addresses (
  -- Origin and path, compared byte for byte, so no collation may make two of them alike.
  address text collate "C" primary key,
  added_at timestamptz not null,
  added_by text not null
);
