-- Refuses changes of rows, even by a mistaken query of our own. Rows of a referral may be deleted: it is erased one day, with
-- everything about it. Those of the audit may not.
create function refuse_change() returns trigger language plpgsql as $$
begin raise exception '% is append-only', tg_table_name; end
$$;

-- What a site knows about itself, such as its mode, its id and which site key made it.
create table site_facts (
  name text primary key,
  value bytea not null
);

-- When each job of the schedule last ran.
create table job_turns (
  job text primary key,
  last_turn timestamptz not null
);

-- Connections of the site that do not work, such as a mail server that refuses it.
create table connection_troubles (
  connection text primary key,
  -- refuses: it does not accept this site. away: it does not answer, or is in trouble itself.
  kind text not null check (kind in ('refuses', 'away')),
  reason text not null,
  since timestamptz not null,
  tried_at timestamptz not null,
  -- Null while the trouble lasts.
  ended_at timestamptz,
  -- When the operators were last told by email.
  told_at timestamptz
);

-- Emails of the site. Recipient, subject and text are sealed, because they hold links that open accounts.
create table mails (
  id uuid primary key,
  status text not null check (status in ('queued', 'captured', 'sent', 'failed')),
  -- Removed once the email is sent or given up.
  sealed bytea,
  -- A keyed hash of the address, by which people find what a test site would have sent to them.
  recipient_hash bytea not null,
  attempts integer not null default 0,
  -- Why it failed, in words for the operator. It names no address.
  reason text,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((sealed is not null) = status in ('queued', 'captured')),
  check ((reason is not null) = (status = 'failed'))
);
create index mails_captured on mails (id) where status = 'captured';
create index mails_captured_to on mails (recipient_hash, id) where status = 'captured';
create index mails_finished_at on mails (finished_at);
