-- One person referred to one service.
create table referrals (
  id uuid primary key,
  reference text not null unique,
  status text not null,
  status_reason jsonb,
  version integer not null,
  urgency text not null,
  simulated boolean not null,
  service_id text,
  service_name text,
  -- The library's organisation that answers for the service; null where the library names none.
  service_organization_id text,
  service_organization_name text,
  referrer_account_id uuid not null references accounts,
  referrer_organisation_id uuid references organisations,
  practice_ods_code text,
  practice_name text,
  -- Keyed hashes, by which a second referral of the same person is noticed without reading who they are.
  patient_name_key bytea,
  patient_number_key bytea,
  -- Everything clinical or personal, as the API gives it: patient, referrer, reasons, consent and so on.
  content jsonb not null,
  outcome jsonb,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null while it is a draft. It stays null if the draft is never sent.
  requested_at timestamptz,
  reminded_at timestamptz,
  -- When a person on the waiting list may expect a place.
  expected_date date,
  reroutes uuid references referrals on delete set null,
  patient_family_key bytea,
  -- While the record is restricted, nobody works with it.
  restricted_at timestamptz,
  -- From then on only the reference, the service, the status and the dates are left.
  erased_at timestamptz,
  resolved_at timestamptz,
  resolved_by text,
  constraint referrals_service_kept foreign key (service_id) references services(id)
);
create index referrals_made on referrals (referrer_organisation_id, id desc) include (updated_at);
create index referrals_made_by_account on referrals (referrer_account_id, id desc) include (updated_at)
  where (referrer_account_id is not null and referrer_organisation_id is null);
create index referrals_made_by_account_service on referrals (referrer_account_id, service_id, id desc)
  where (referrer_account_id is not null and referrer_organisation_id is null);
create index referrals_made_by_account_status on referrals (referrer_account_id, status, id desc) include (due_at, requested_at)
  where (referrer_account_id is not null and referrer_organisation_id is null);
create index referrals_made_by_account_updated on referrals (referrer_account_id, updated_at, id)
  where (referrer_account_id is not null and referrer_organisation_id is null);
create index referrals_made_service on referrals (referrer_organisation_id, service_id, id desc);
create index referrals_made_status on referrals (referrer_organisation_id, status, id desc) include (due_at, requested_at);
create index referrals_made_updated on referrals (referrer_organisation_id, updated_at, id);
create index referrals_received on referrals (service_organization_id, id desc) include (updated_at);
create index referrals_received_service on referrals (service_organization_id, service_id, id desc);
create index referrals_received_status on referrals (service_organization_id, status, id desc) include (due_at, requested_at);
create index referrals_received_updated on referrals (service_organization_id, updated_at, id);
create unique index referrals_reroutes on referrals (reroutes)
  where (reroutes is not null and requested_at is not null and status <> 'entered-in-error');
create index referrals_same_family on referrals (patient_family_key);
create index referrals_same_name on referrals (patient_name_key, service_id);
create index referrals_same_number on referrals (patient_number_key, service_id) where patient_number_key is not null;
create index referrals_service on referrals (service_id, id desc);
create index referrals_status on referrals (status, id desc) include (due_at, requested_at);
create index referrals_to_erase on referrals (updated_at)
  where (erased_at is null and status in ('draft', 'completed', 'rejected', 'failed', 'cancelled', 'entered-in-error'));
create index referrals_updated on referrals (updated_at, id);
create index referrals_waiting on referrals (requested_at) where status = 'requested';

-- Every change of a referral's status.
create table referral_history (
  referral_id uuid not null references referrals on delete cascade,
  version integer not null,
  at timestamptz not null,
  actor_id uuid,
  actor_name text not null,
  actor_organisation text,
  from_status text,
  to_status text not null,
  reason jsonb,
  primary key (referral_id, version)
);
create trigger referral_history_append_only before update or truncate on referral_history
  for each statement when (current_setting('onward.erasing', true) is distinct from 'on')
  execute function refuse_change();

-- The conversation about a referral.
create table referral_messages (
  id uuid primary key,
  referral_id uuid not null references referrals on delete cascade,
  at timestamptz not null,
  side text not null check (side in ('provider', 'referrer')),
  author_id uuid not null,
  author_name text not null,
  author_organisation text,
  text text not null
);
create index referral_messages_of on referral_messages (referral_id, id desc);
create trigger referral_messages_append_only before update or truncate on referral_messages
  for each statement execute function refuse_change();

-- The last message that each account has read, for the count of unread ones. Those who never opened the conversation have no
-- row.
create table referral_readings (
  referral_id uuid not null references referrals on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  last_message_id uuid not null,
  primary key (referral_id, account_id)
);

-- Files of a referral.
create table referral_attachments (
  id uuid primary key,
  referral_id uuid not null references referrals on delete cascade,
  at timestamptz not null,
  author_id uuid not null,
  author_name text not null,
  author_organisation text,
  name text not null,
  media_type text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null,
  content bytea not null
);
-- The files are compressed already.
alter table referral_attachments alter column content set storage external;
create index referral_attachments_of on referral_attachments (referral_id, id desc);

-- When an operator opened clinical details: who, why, and until when.
create table referral_openings (
  id uuid primary key,
  referral_id uuid not null references referrals on delete cascade,
  account_id uuid not null references accounts,
  account_name text not null,
  at timestamptz not null,
  ends_at timestamptz not null,
  reason text not null
);
create index referral_openings_of on referral_openings (referral_id, id desc);
create trigger referral_openings_append_only before update or truncate on referral_openings
  for each statement execute function refuse_change();

-- Each restriction of a record: who asked for it and why, and who lifted it and why.
create table referral_restrictions (
  id uuid primary key,
  referral_id uuid not null references referrals on delete cascade,
  at timestamptz not null,
  account_id uuid not null references accounts,
  account_name text not null,
  reason text not null,
  lifted_at timestamptz,
  lifted_by uuid references accounts,
  lifted_by_name text,
  lifted_reason text
);
create unique index referral_restrictions_now on referral_restrictions (referral_id) where lifted_at is null;
create index referral_restrictions_of on referral_restrictions (referral_id, id);

-- Answers to requests with an Idempotency-Key, so that a repeated request makes no second referral.
create table idempotency_keys (
  account_id uuid not null references accounts on delete cascade,
  key text not null,
  request_hash bytea not null,
  referral_id uuid not null references referrals on delete cascade,
  answer json not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
