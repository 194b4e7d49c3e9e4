-- One message about a referral to one receiver. `leg` says which: the service or the GP practice.
create table deliveries (
  id uuid primary key,
  referral_id uuid not null references referrals on delete cascade,
  -- The version of the referral that made the delivery necessary. Each change tells each receiver at most once.
  referral_version integer not null,
  leg text not null check (leg in ('service', 'gp_practice')),
  purpose text not null check (purpose in ('referral', 'outcome')),
  recipient_name text,
  recipient_code text,
  channel text,
  status text not null check (status in ('queued', 'sending', 'sent', 'received', 'acknowledged', 'uncertain', 'failed', 'expired', 'suppressed')),
  detail text,
  simulated boolean not null,
  -- The same in every attempt, so that a receiver can tell a repetition from a second message.
  message_id uuid,
  attempts_started integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What the system that carries the message calls it.
  external_id text,
  -- The one channel that an operator chose in place of the receiver's own.
  chosen_channel text,
  -- Attempts up to this one no longer count, because an operator asked for a new start.
  attempts_before_restart integer not null default 0,
  -- When to check whether the receiver has answered; null where no answer is awaited.
  follow_up_at timestamptz,
  sent_at timestamptz,
  -- What holds the delivery, such as a mail server that refuses the site; null where nothing does.
  held_by text,
  check ((message_id is not null) or (status = 'suppressed')),
  unique (referral_id, leg, purpose, referral_version)
);
create index deliveries_held on deliveries (held_by, id) where held_by is not null;
create index deliveries_message on deliveries (message_id) where channel is not null;
create index deliveries_follow_up_at on deliveries (follow_up_at) where follow_up_at is not null;
create index deliveries_external_id on deliveries (external_id) where external_id is not null;
create index deliveries_unfinished on deliveries (updated_at) where status in ('queued', 'sending');

-- Each try to send a delivery, and its outcome.
create table delivery_attempts (
  delivery_id uuid not null references deliveries on delete cascade,
  number integer not null,
  at timestamptz not null,
  channel text not null,
  outcome text not null check (outcome in ('sent', 'received', 'acknowledged', 'will-retry', 'uncertain', 'failed', 'expired', 'interrupted')),
  detail text not null,
  primary key (delivery_id, number)
);
create trigger delivery_attempts_append_only before update or truncate on delivery_attempts
  for each statement execute function refuse_change();

-- Where a service or practice is reached by a channel that needs an address.
create table delivery_addresses (
  service_id text references services on delete cascade,
  practice_ods_code text references practices on delete cascade,
  channel text not null,
  address text not null,
  -- Sealed under the site key.
  secret bytea,
  updated_at timestamptz not null,
  check (num_nonnulls(service_id, practice_ods_code) = 1),
  unique nulls not distinct (service_id, practice_ods_code, channel)
);

-- New addresses that wait for their holder to open the confirmation link.
create table pending_delivery_addresses (
  service_id text references services on delete cascade,
  practice_ods_code text references practices on delete cascade,
  channel text not null,
  address text not null,
  -- The secret of the system at the address, sealed under the site key.
  secret bytea,
  -- A hash of the link that confirms the address.
  link_hash bytea not null unique,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  check (num_nonnulls(service_id, practice_ods_code) = 1),
  constraint pending_delivery_addresses_service_id_practice_ods_code_cha_key unique nulls not distinct (service_id, practice_ods_code, channel)
);

-- Who changed which address, and when.
create table delivery_address_history (
  id uuid primary key,
  service_id text references services on delete cascade,
  practice_ods_code text references practices on delete cascade,
  channel text not null,
  at timestamptz not null,
  actor_name text not null,
  what text not null check (what in ('asked', 'confirmed', 'removed', 'taken-back', 'reordered')),
  -- The old and the new address as JSON, sealed under the site key.
  sealed bytea not null,
  check (num_nonnulls(service_id, practice_ods_code) = 1)
);
create index delivery_address_history_of on delivery_address_history (service_id, practice_ods_code, id);

-- Undelivered messages: a delivery has a row from its first trouble on, open or closed.
create table worklist (
  delivery_id uuid primary key references deliveries on delete cascade,
  kind text not null check (kind in ('failed', 'uncertain', 'expired', 'unanswered', 'no-practice', 'held')),
  escalated boolean not null default false,
  reason text not null,
  opened_at timestamptz not null,
  owner_id uuid references accounts on delete set null,
  closed_at timestamptz,
  closed_as text check (closed_as in ('resolved', 'retried', 'another-way', 'by-hand')),
  closed_by uuid references accounts on delete set null,
  -- What the person who delivered it by hand says about it.
  closing_words text,
  check ((closed_at is null) = (closed_as is null))
);
create index worklist_open on worklist (opened_at, delivery_id) where closed_at is null;
create index worklist_owner on worklist (owner_id) where closed_at is null;

-- Unmatched messages and failed jobs that an operator must look at.
create table unmatched_items (
  id uuid primary key,
  kind text not null check (kind in ('unexplained-message', 'given-up-job')),
  -- The id of the message or job.
  subject text not null,
  what text not null,
  opened_at timestamptz not null,
  owner_id uuid references accounts,
  closed_at timestamptz,
  closed_as text check (closed_as in ('done', 'retried', 'resolved')),
  closed_by uuid references accounts,
  closing_words text,
  unique (kind, subject)
);
create index unmatched_items_open on unmatched_items (id) where closed_at is null;

-- What a test site would have sent.
create table captured_messages (
  id uuid primary key,
  delivery_id uuid not null references deliveries on delete cascade,
  referral_id uuid not null references referrals on delete cascade,
  message_id uuid not null,
  channel text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  captured_at timestamptz not null,
  address text,
  headers jsonb not null default '{}'::jsonb,
  letter jsonb,
  unique (delivery_id, channel)
);
create index captured_messages_referral on captured_messages (referral_id);

-- The files of a captured message: channels send different ones, and sometimes several.
create table captured_files (
  captured_id uuid not null references captured_messages on delete cascade,
  name text not null,
  type text not null,
  content bytea not null,
  primary key (captured_id, name)
);

-- What came from the NHS message exchange (MESH), stored before the exchange may forget it.
create table mesh_messages (
  id text primary key,
  type text not null check (type in ('DATA', 'REPORT')),
  workflow text not null,
  headers jsonb not null,
  body bytea not null,
  received_at timestamptz not null,
  -- When the site had acted on it; null where it was interrupted before.
  taken_at timestamptz,
  understood boolean,
  -- Only the beginning of a long message that was not understood is kept.
  length bigint not null default 0
);

-- Referrals that a test site answers in place of services and practices. Always empty on a live site.
create table simulated_referrals (
  referral_id uuid primary key references referrals on delete cascade,
  story text not null,
  -- Milliseconds by which people have moved this referral's time forward, in total.
  moved_ms bigint not null default 0
);

-- What the simulator does next for a referral.
create table simulated_steps (
  number bigint generated always as identity primary key,
  referral_id uuid not null references simulated_referrals on delete cascade,
  -- The delivery that the step reports on; null for what the service does.
  delivery_id uuid references deliveries on delete cascade,
  act jsonb not null,
  due_at timestamptz not null,
  done_at timestamptz,
  -- Why the step was skipped; null if it was not.
  undone_because text
);
create index simulated_steps_of on simulated_steps (referral_id, due_at);
