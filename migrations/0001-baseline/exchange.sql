-- Records that an interrupted import has already handled, so that it can go on. No foreign key, since rejected
-- records are among them.
create table library_seen_entries (
  source_id uuid not null references library_sources on delete cascade,
  service_id text not null,
  primary key (source_id, service_id)
);

-- Imports that operators start on the page, and their results.
create table library_imports (
  id uuid primary key,
  -- The name of the file, or the address of the feed.
  name text not null,
  is_feed boolean not null,
  source_name text not null,
  is_complete boolean not null,
  dry_run boolean not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'discarded')),
  account_id uuid not null,
  started_by text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  counts jsonb,
  -- Of imports from before `left_out` was stored.
  problems jsonb not null default '[]'::jsonb,
  warning text,
  failure text,
  -- Who wants a running import stopped.
  stopped_by text,
  -- What the import left out, grouped for its page.
  left_out jsonb,
  -- The same as CSV, in full.
  left_out_csv text
);
create index library_imports_latest on library_imports (created_at desc, id desc);

-- The file of an import until it has been read.
create table library_import_chunks (
  import_id uuid not null references library_imports on delete cascade,
  number integer not null,
  content bytea not null,
  primary key (import_id, number)
);
