-- What happened, written in the transaction in which it happened. Soon afterwards it gets its position in events.
create table new_events (
  number bigint generated always as identity primary key,
  id uuid not null,
  type text not null,
  resource_type text not null,
  resource_id text not null,
  -- Where the API shows the resource, such as /api/referrals/{id}.
  path text not null,
  referral_id uuid,
  created_at timestamptz not null
);

-- Events in the order in which they are read. One transaction at a time gives out positions, so a client that has
-- read up to a position has missed nothing before it.
create table events (
  position bigint generated always as identity primary key,
  id uuid not null unique,
  type text not null,
  version integer not null,
  resource_type text not null,
  resource_id text not null,
  path text not null,
  -- Null for an event that everybody who may read the library may see.
  referral_id uuid references referrals on delete cascade,
  -- Copied from the referral, so that an index alone finds the events that an account may see.
  referrer_account_id uuid,
  referrer_organisation_id uuid,
  service_organization_id text,
  created_at timestamptz not null
);
create index events_created_at on events (created_at);
create index events_of_all on events ("position") where referral_id is null;
create index events_referral on events (referral_id) where referral_id is not null;
create index events_referrer_account on events (referrer_account_id, "position")
  where (referrer_account_id is not null and referrer_organisation_id is null);
create index events_referrer_organisation on events (referrer_organisation_id, "position")
  where referrer_organisation_id is not null;
create index events_service_organization on events (service_organization_id, "position")
  where service_organization_id is not null;

-- Addresses that clients want events posted to.
create table webhooks (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  url text not null,
  event_types text[] not null,
  description text,
  -- Sealed under the site key. After a change the one before it also signs for a while.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  off_reason text check (off_reason in ('by-hand', 'gone', 'failing')),
  -- Null while it is on.
  off_at timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  resting_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((off_reason is null) = (off_at is null))
);
create index webhooks_account on webhooks (account_id, id);

-- One event for one webhook.
create table webhook_messages (
  number bigint generated always as identity primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  event_id uuid not null,
  type text not null,
  -- The text that is signed and sent, the same in every attempt.
  body text not null,
  status text not null default 'queued' check (status in ('queued', 'delivered', 'captured', 'failed')),
  attempts integer not null default 0,
  queued_at timestamptz not null,
  due_at timestamptz not null,
  unique (webhook_id, event_id)
);
create index webhook_messages_queued on webhook_messages (webhook_id, number) where status = 'queued';
create index webhook_messages_queued_at on webhook_messages (queued_at);

-- Each try to post a message, and its outcome.
create table webhook_attempts (
  number bigint generated always as identity primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  message_number bigint not null references webhook_messages on delete cascade,
  at timestamptz not null,
  outcome text not null check (outcome in ('delivered', 'captured', 'will-retry', 'failed')),
  status integer,
  detail text not null,
  -- On a test site: the address and headers that the message would have gone with.
  captured jsonb
);
create index webhook_attempts_message on webhook_attempts (message_number);
create index webhook_attempts_webhook on webhook_attempts (webhook_id, number desc);
