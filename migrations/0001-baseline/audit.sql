-- Who did what, and when. Never changed or deleted, not even by mistake.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id uuid,
  actor_name text not null,
  actor_role text,
  organisation text,
  action text not null,
  subject_type text,
  subject_id text,
  outcome text not null,
  address text,
  details jsonb not null default '{}'::jsonb,
  -- Which process wrote the entry, its number among that process's entries, and an HMAC over it
  -- (docs/decisions/0013). Older entries have none.
  writer uuid,
  number bigint,
  code bytea,
  constraint audit_entries_signed check (num_nulls(writer, number, code) = any (array[0, 3]))
);
create index audit_entries_action on audit_entries (action, at, id);
create index audit_entries_actor on audit_entries (actor_id, id);
create index audit_entries_actor_name on audit_entries (actor_name, at, id);
create index audit_entries_at on audit_entries (at, id);
create index audit_entries_subject on audit_entries (subject_type, subject_id, id);
create index audit_entries_written on audit_entries (writer, number) where writer is not null;
create trigger audit_entries_append_only before delete or update or truncate on audit_entries
  for each statement execute function refuse_change();

-- The signed chain over the entries.
create table audit_links (
  position bigint primary key check ("position" > 0),
  entry_id bigint not null unique references audit_entries,
  hash bytea not null check (octet_length(hash) = 32),
  sealed_at timestamptz not null
);
create trigger audit_links_append_only before delete or update or truncate on audit_links
  for each statement execute function refuse_change();

-- Entries that are not in the chain yet. Entries commit out of order, so a highest number would pass some over.
create table audit_unsealed (
  entry_id bigint primary key
);
