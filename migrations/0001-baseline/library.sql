create text search configuration library (copy = english);
alter text search configuration library alter mapping for hword, hword_part, word with unaccent, english_stem;

-- For comparing and sorting names: "Café" and "cafe" are the same. With `return` instead of a text body, names are
-- resolved when the function is made, so that an index on it does not depend on search_path.
create function plain_text(given text) returns text language sql immutable parallel safe strict
return lower(unaccent('unaccent'::regdictionary, given));

-- The letters are the weights of ranking: title above other names above description above terms.
create function service_search(title text, names text, description text, terms text) returns tsvector
  language sql immutable parallel safe
return (((setweight(to_tsvector('library'::regconfig, coalesce(title, '')), 'A'::"char")
  || setweight(to_tsvector('library'::regconfig, coalesce(names, '')), 'B'::"char"))
  || setweight(to_tsvector('library'::regconfig, coalesce(description, '')), 'C'::"char"))
  || setweight(to_tsvector('library'::regconfig, coalesce(terms, '')), 'D'::"char"));

-- Words between single spaces, in small letters without accents. "St Mary's" is typed with its apostrophe or without.
create function practice_text(given text) returns text language sql immutable parallel safe strict
return trim(both from regexp_replace(replace(plain_text(given), '''', ''), '[^[:alnum:]]+', ' ', 'g'));

-- How the processes of a site hear of changes of the library. A statement that changes one of its tables notes its transaction in
-- library_changing. At the commit, a deferred trigger turns the note into a new library_version and a notice. The processes then
-- read the rows whose `changed_in` is a transaction that they have not seen, and those that service_touches names.

-- A number that grows with each transaction that changes the library.
create table library_version (
  version bigint not null
);

insert into library_version values (1);

-- Each new version of the library is announced to all processes. The notice is a topic and a text, here an empty one.
create function library_changed() returns trigger language plpgsql as $$
begin
  update library_version set version = version + 1;
  delete from library_changing where transaction = new.transaction;
  perform pg_notify('onward', 'library ');
  return null;
end
$$;

-- The transactions that are changing the library. The number grows at their very end: if its row were locked
-- earlier, an import and an edit could wait for each other.
create table library_changing (
  transaction xid8 primary key
);
create constraint trigger library_changed after insert on library_changing deferrable initially deferred
  for each row execute function library_changed();

create function library_changes() returns trigger language plpgsql as $$
begin
  insert into library_changing values (pg_current_xact_id()) on conflict do nothing;
  return null;
end
$$;

-- Each process reads the rows whose transaction its last snapshot did not include.
create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end
$$;

-- Deleted services, and services whose capacity or settings changed. An update of services itself could deadlock
-- with imports and edits.
create table service_touches (
  service_id text primary key,
  changed_in xid8 not null
);
create index service_touches_changed_in on service_touches (changed_in);

-- In the order of the ids, so that two transactions cannot deadlock.
create function touch_services() returns trigger language plpgsql as $$
begin
  insert into service_touches
  select distinct service_id, pg_current_xact_id() from changed order by 1
  on conflict (service_id) do update set changed_in = excluded.changed_in;
  return null;
end
$$;

create function touch_deleted_services() returns trigger language plpgsql as $$
begin
  insert into service_touches
  select distinct id, pg_current_xact_id() from changed order by 1
  on conflict (service_id) do update set changed_in = excluded.changed_in;
  return null;
end
$$;

-- Deletes the parts with their service. Foreign keys would do it too, but they check every row and slow imports down.
create function delete_parts() returns trigger language plpgsql as $$
begin
  delete from "service_documents" as part using changed
  where part.service_id = changed.id;
  delete from "service_taxonomy_terms" as part using changed where part.service_id = changed.id;
  delete from "service_at_locations" as part using changed where part.service_id = changed.id;
  delete from "service_places" as part using changed where part.service_id = changed.id;
  delete from "service_hours" as part using changed where part.service_id = changed.id;
  delete from "service_area_extents" as part using changed where part.service_id = changed.id;
  return null;
end
$$;

-- Where services come from: a feed, or a file that is read again now and then. A service without a source was made
-- here.
create table library_sources (
  id uuid primary key,
  -- A feed's address, or the name of a file.
  name text not null unique,
  -- The feed was imported with all changes up to this time; null before its first complete import, and while all of it is
  -- read again.
  changed_since timestamptz,
  -- How far an interrupted import got.
  position jsonb,
  created_at timestamptz not null
);

-- Organisations of the library, as HSDS has them.
create table organizations (
  id text primary key,
  name text not null,
  document text not null,
  sort_name text collate "C" not null generated always as (plain_text(name)) stored,
  summary text not null,
  search tsvector not null,
  updated_at timestamptz not null
);
create index organizations_by_name on organizations (sort_name, id);
create index organizations_search on organizations using gin (search);
create trigger library_changes after insert or delete or update or truncate on organizations
  for each statement execute function library_changes();

-- Taxonomies of the library, as HSDS has them.
create table taxonomies (
  id text primary key,
  name text not null,
  document text not null,
  sort_name text collate "C" not null generated always as (plain_text(name)) stored,
  search tsvector not null,
  updated_at timestamptz not null,
  changed_in xid8 not null default pg_current_xact_id()
);
create index taxonomies_by_name on taxonomies (sort_name, id);
create trigger library_changes after insert or delete or update or truncate on taxonomies
  for each statement execute function library_changes();
create trigger note_change before update on taxonomies for each row execute function note_change();

-- Terms of taxonomies.
create table taxonomy_terms (
  id text primary key,
  name text not null,
  taxonomy_id text,
  document text not null,
  sort_name text collate "C" not null generated always as (plain_text(name)) stored,
  search tsvector not null,
  updated_at timestamptz not null,
  parent_id text,
  changed_in xid8 not null default pg_current_xact_id()
);
create index taxonomy_terms_by_name on taxonomy_terms (sort_name, id);
create index taxonomy_terms_parent on taxonomy_terms (parent_id);
create index taxonomy_terms_search on taxonomy_terms using gin (search);
create index taxonomy_terms_taxonomy on taxonomy_terms (taxonomy_id);
create trigger library_changes after insert or delete or update or truncate on taxonomy_terms
  for each statement execute function library_changes();
create trigger note_change before update on taxonomy_terms for each row execute function note_change();

-- The columns that services are listed, ranked and checked by. The whole answer is in service_documents.
create table services (
  id text primary key,
  name text not null,
  sort_name text collate "C" not null generated always as (plain_text(name)) stored,
  status text not null,
  -- No foreign key: a feed may name an organisation that it does not describe.
  organization_id text,
  search tsvector not null,
  last_modified timestamptz not null,
  imported_at timestamptz not null,
  updated_at timestamptz not null,
  minimum_age double precision,
  maximum_age double precision,
  -- Minutes of the week, from Monday 00:00, in which the service is open every week. Other hours are in service_hours.
  week int4multirange not null default '{}'::int4multirange,
  source_id uuid,
  -- A fingerprint of what the source said last: a hash, its availability and a date. While it says the same, edits made here
  -- stay. Null: the service vanished from its source, which is asked for it again.
  source_hash text,
  -- The day the service was last checked.
  assured_on date,
  -- When somebody here last created or edited the service; null if an import changed it later.
  edited_at timestamptz,
  -- The transaction that changed the row last, for the search index of each process.
  changed_in xid8 not null default pg_current_xact_id()
);
create index services_assured on services (coalesce(assured_on, '-infinity'::date), id);
create index services_changed_in on services (changed_in);
create index services_organization on services (organization_id);
create index services_search on services using gin (search);
create index services_source on services (source_id) where source_id is not null;
create trigger delete_parts after delete on services referencing old table as changed
  for each statement execute function delete_parts();
create trigger library_changes after insert or delete or update or truncate on services
  for each statement execute function library_changes();
create trigger note_change before update on services for each row execute function note_change();
create trigger touch_on_delete after delete on services referencing old table as changed
  for each statement execute function touch_deleted_services();

-- The whole HSDS answer as JSON text. In a table of its own, so that lists read rows of a few hundred bytes.
create table service_documents (
  service_id text primary key,
  document text not null,
  summary text not null,
  content_hash text not null
) with (toast_tuple_target = 8160);

-- A service at one of its locations. The service itself comes from service_documents.
create table service_at_locations (
  service_id text not null,
  -- Its position in the service's list.
  number integer not null,
  -- Not unique: a feed may give one id to two of them.
  id text not null,
  primary key (service_id, number)
);
create index service_at_locations_id on service_at_locations (id);

-- Which service carries which term.
create table service_taxonomy_terms (
  service_id text not null,
  term_id text not null,
  primary key (service_id, term_id)
);
create trigger library_changes after insert or delete or update or truncate on service_taxonomy_terms
  for each statement execute function library_changes();

-- What filters read: one row for each location of a service, and one with the number 0 for a service without any.
-- `alone` says that the service has no other row.
create table service_places (
  service_id text not null,
  number integer not null,
  point cube,
  week int4multirange not null,
  alone boolean not null,
  primary key (service_id, number)
);

-- Opening hours that are not the same every week.
create table service_hours (
  service_id text not null,
  -- The number of the location in the service's list; 0 for the whole service.
  number integer not null,
  -- As in services.week; empty where no weekday is given.
  during int4multirange not null,
  -- Minutes of the day, past 1440 where it closes on the next one; null where no time is given.
  opens smallint,
  closes smallint,
  monthly boolean not null,
  -- 0 is Monday. Its number in the month, and the day of the month, count from the end where they are negative.
  weekday smallint,
  nth smallint,
  month_day smallint,
  -- The hours apply when the number of weeks or months since 1970, divided by `every`, leaves `remainder`. A null
  -- remainder is unknown.
  every smallint not null,
  remainder smallint,
  valid_from date,
  valid_to date
);
create index service_hours_service on service_hours (service_id);

-- The areas that a service covers.
create table service_area_extents (
  service_id text not null,
  -- In degrees, longitude first; null if only the name of the area is known.
  extent polygon,
  holes polygon[] not null default '{}'
);
create index service_area_extents_service on service_area_extents (service_id);

-- Whether a service accepts referrals now.
create table service_capacity (
  service_id text primary key references services on delete cascade,
  status text not null check (status in ('capacity', 'waitlist', 'no-capacity')),
  -- In words, such as "about six weeks".
  waiting_time text,
  set_at timestamptz not null,
  -- The account that set it; null where the service's source did.
  set_by text
);
create trigger library_changes after insert or delete or update or truncate on service_capacity
  for each statement execute function library_changes();
create trigger touch_on_delete after delete on service_capacity referencing old table as changed
  for each statement execute function touch_services();
create trigger touch_on_insert after insert on service_capacity referencing new table as changed
  for each statement execute function touch_services();
create trigger touch_on_update after update on service_capacity referencing new table as changed
  for each statement execute function touch_services();

-- Only where it differs from the rule that a service accepts referrals in its worklist on this site.
create table service_referral_settings (
  service_id text primary key references services on delete cascade,
  accepts boolean not null default true,
  channels text[] not null default '{inbox}',
  answered_by text,
  answer_email text,
  answer_telephone text,
  updated_at timestamptz
);
create trigger library_changes after insert or delete or update or truncate on service_referral_settings
  for each statement execute function library_changes();
create trigger touch_on_delete after delete on service_referral_settings referencing old table as changed
  for each statement execute function touch_services();
create trigger touch_on_insert after insert on service_referral_settings referencing new table as changed
  for each statement execute function touch_services();
create trigger touch_on_update after update on service_referral_settings referencing new table as changed
  for each statement execute function touch_services();

-- How quickly services answer, worked out from referrals now and then. Null where it would reveal single people.
create table service_responsiveness (
  service_id text primary key references services on delete cascade,
  median_days double precision,
  share_accepted double precision,
  referrals_90_days integer,
  rejection_code text
);
create trigger library_changes after insert or delete or update or truncate on service_responsiveness
  for each statement execute function library_changes();
create trigger touch_on_delete after delete on service_responsiveness referencing old table as changed
  for each statement execute function touch_services();
create trigger touch_on_insert after insert on service_responsiveness referencing new table as changed
  for each statement execute function touch_services();
create trigger touch_on_update after update on service_responsiveness referencing new table as changed
  for each statement execute function touch_services();

-- Every change of the library, a row for each field, as HSDS's metadata has them.
create table library_changes (
  number bigint generated always as identity,
  id uuid not null default gen_random_uuid(),
  resource_type text not null,
  resource_id text not null,
  at timestamptz not null,
  action text not null check (action in ('create', 'update', 'delete')),
  field_name text not null,
  previous_value text not null,
  replacement_value text not null,
  updated_by text not null,
  -- Who made the change, where an account did, and where it was taken from. Neither is published.
  account_id uuid,
  source_id uuid
);
create index library_changes_of on library_changes (resource_type, resource_id, number);

-- Lists of services that an organisation keeps for all its accounts.
create table service_lists (
  id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index service_lists_name on service_lists (organisation_id, lower(name));

-- The services of a list, in the order in which they were saved.
create table service_list_entries (
  number bigint generated always as identity,
  list_id uuid not null references service_lists on delete cascade,
  service_id text not null references services on delete cascade,
  saved_at timestamptz not null,
  saved_by uuid references accounts on delete set null,
  primary key (list_id, service_id)
);
create index service_list_entries_service on service_list_entries (service_id);

-- GP practices.
create table practices (
  ods_code text primary key,
  name text not null,
  address text,
  city text,
  postcode text,
  latitude double precision,
  longitude double precision,
  phone text,
  channels text[] not null default '{document}',
  imported_at timestamptz not null,
  updated_at timestamptz not null,
  sort_name text collate "C" not null generated always as (practice_text(name)) stored,
  -- Words of the name have weight A, all others B, so that one index finds both and tells them apart.
  search tsvector not null generated always as (setweight(to_tsvector('simple'::regconfig, practice_text(name)), 'A'::"char")
  || setweight(to_tsvector('simple'::regconfig, practice_text(((((((((coalesce(address, '') || ' ') || coalesce(city, '')) || ' ') || coalesce(postcode, '')) || ' ') || replace(coalesce(postcode, ''), ' ', '')) || ' ') || ods_code))), 'B'::"char")) stored
);
create index practices_by_name on practices (sort_name, ods_code);
create index practices_search on practices using gin (search) with (fastupdate=off);

-- The words of practices' names and addresses, with which misspelt words are compared.
create table practice_words (
  word text collate "C" primary key
);
create index practice_words_alike on practice_words using gin (word gin_trgm_ops) with (fastupdate=off);

-- In byte order, so that the postcodes of a district or sector are next to each other in the index.
create table postcodes (
  postcode text collate "C" primary key,
  latitude double precision,
  longitude double precision,
  check ((latitude is null) = (longitude is null))
);
