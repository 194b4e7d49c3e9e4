-- The tables of version e7dc646, as pg_dump wrote them, for loading its backups. Never edited.

CREATE FUNCTION delete_parts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      delete from "service_documents" as part using changed where part.service_id = changed.id; delete from "service_taxonomy_terms" as part using changed where part.service_id = changed.id; delete from "service_at_locations" as part using changed where part.service_id = changed.id; delete from "service_places" as part using changed where part.service_id = changed.id; delete from "service_hours" as part using changed where part.service_id = changed.id; delete from "service_area_extents" as part using changed where part.service_id = changed.id;
      return null;
    end $$;

CREATE FUNCTION end_account_links() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      delete from account_links where account_id = new.id;
      return null;
    end $$;

CREATE FUNCTION library_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      update library_version set version = version + 1;
      delete from library_changing where transaction = new.transaction;
      perform pg_notify('onward', 'library ');
      return null;
    end $$;

CREATE FUNCTION library_changes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into library_changing values (pg_current_xact_id()) on conflict do nothing;
      return null;
    end $$;

CREATE FUNCTION note_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.changed_in := pg_current_xact_id();
      return new;
    end $$;

CREATE FUNCTION plain_text(given text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(unaccent('unaccent'::regdictionary, given));

CREATE FUNCTION practice_text(given text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN TRIM(BOTH FROM regexp_replace(replace(plain_text(given), ''''::text, ''::text), '[^[:alnum:]]+'::text, ' '::text, 'g'::text));

CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin raise exception '% is append-only', tg_table_name; end $$;

CREATE TEXT SEARCH CONFIGURATION library (
    PARSER = pg_catalog."default" );

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR asciiword WITH english_stem;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR word WITH unaccent, english_stem;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR numword WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR email WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR url WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR host WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR sfloat WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR version WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR hword_numpart WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR hword_part WITH unaccent, english_stem;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR hword_asciipart WITH english_stem;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR numhword WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR asciihword WITH english_stem;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR hword WITH unaccent, english_stem;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR url_path WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR file WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR "float" WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR "int" WITH simple;

ALTER TEXT SEARCH CONFIGURATION library
    ADD MAPPING FOR uint WITH simple;

CREATE FUNCTION service_search(title text, names text, description text, terms text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((setweight(to_tsvector('library'::regconfig, COALESCE(title, ''::text)), 'A'::"char") || setweight(to_tsvector('library'::regconfig, COALESCE(names, ''::text)), 'B'::"char")) || setweight(to_tsvector('library'::regconfig, COALESCE(description, ''::text)), 'C'::"char")) || setweight(to_tsvector('library'::regconfig, COALESCE(terms, ''::text)), 'D'::"char"));

CREATE TEXT SEARCH DICTIONARY library_stem (
    TEMPLATE = pg_catalog.snowball,
    language = 'english' );

CREATE FUNCTION word_stem(word text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN COALESCE((ts_lexize('library_stem'::regdictionary, plain_text(word)))[1], plain_text(word));

CREATE FUNCTION stems_of(given text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT string_agg(word_stem(each.word), ' '::text ORDER BY each.place) AS string_agg FROM string_to_table(practice_text(stems_of.given), ' '::text) WITH ORDINALITY each(word, place));

CREATE FUNCTION touch_deleted_services() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into service_touches
      select distinct id, pg_current_xact_id() from changed order by 1
      on conflict (service_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;

CREATE FUNCTION touch_services() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into service_touches
      select distinct service_id, pg_current_xact_id() from changed order by 1
      on conflict (service_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;

CREATE TABLE access_tokens (
    hash bytea NOT NULL,
    account_id uuid NOT NULL,
    key_epoch integer NOT NULL,
    source text NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    valid_to timestamp with time zone NOT NULL,
    CONSTRAINT access_tokens_source_check CHECK ((source = ANY (ARRAY['apikeys'::text, 'refresh'::text, 'apilogin'::text])))
);

CREATE TABLE account_links (
    account_id uuid NOT NULL,
    purpose text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT account_links_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text])))
);

CREATE TABLE accounts (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    roles text[] NOT NULL,
    organisation_id uuid,
    password_hash text,
    api_access boolean DEFAULT false NOT NULL,
    key_epoch integer DEFAULT 1 NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT accounts_email_check CHECK ((email = lower(email))),
    CONSTRAINT accounts_roles_check CHECK (((roles <@ ARRAY['operator'::text, 'referrer'::text, 'provider'::text]) AND (cardinality(roles) > 0)))
);

CREATE TABLE audit_entries (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    actor_role text,
    organisation text,
    action text NOT NULL,
    subject_type text,
    subject_id text,
    outcome text NOT NULL,
    address text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE audit_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME audit_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE audit_links (
    "position" bigint NOT NULL,
    entry_id bigint NOT NULL,
    hash bytea NOT NULL,
    sealed_at timestamp with time zone NOT NULL,
    CONSTRAINT audit_links_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_links_position_check CHECK (("position" > 0))
);

CREATE TABLE audit_unsealed (
    entry_id bigint NOT NULL
);

CREATE TABLE authenticators (
    account_id uuid NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    last_counter bigint DEFAULT 0 NOT NULL
);

CREATE TABLE captured_files (
    captured_id uuid NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    content bytea NOT NULL
);

CREATE TABLE captured_messages (
    id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    referral_id uuid NOT NULL,
    message_id uuid NOT NULL,
    channel text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    captured_at timestamp with time zone NOT NULL,
    address text,
    headers jsonb DEFAULT '{}'::jsonb NOT NULL,
    letter jsonb
);

CREATE TABLE deliveries (
    id uuid NOT NULL,
    referral_id uuid NOT NULL,
    referral_version integer NOT NULL,
    leg text NOT NULL,
    purpose text NOT NULL,
    recipient_name text,
    recipient_code text,
    channel text,
    status text NOT NULL,
    detail text,
    simulated boolean NOT NULL,
    message_id uuid,
    attempts_started integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    tracked_as text,
    chosen_channel text,
    attempts_set_aside integer DEFAULT 0 NOT NULL,
    look_again_at timestamp with time zone,
    sent_at timestamp with time zone,
    CONSTRAINT deliveries_check CHECK (((message_id IS NOT NULL) OR (status = 'suppressed'::text))),
    CONSTRAINT deliveries_leg_check CHECK ((leg = ANY (ARRAY['service'::text, 'gp_practice'::text]))),
    CONSTRAINT deliveries_purpose_check CHECK ((purpose = ANY (ARRAY['referral'::text, 'outcome'::text]))),
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'received'::text, 'acknowledged'::text, 'uncertain'::text, 'failed'::text, 'expired'::text, 'suppressed'::text])))
);

CREATE TABLE delivery_addresses (
    service_id text,
    practice_ods_code text,
    channel text NOT NULL,
    address text NOT NULL,
    secret bytea,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT delivery_addresses_check CHECK ((num_nonnulls(service_id, practice_ods_code) = 1))
);

CREATE TABLE delivery_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    channel text NOT NULL,
    outcome text NOT NULL,
    detail text NOT NULL,
    CONSTRAINT delivery_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['sent'::text, 'received'::text, 'acknowledged'::text, 'will-retry'::text, 'uncertain'::text, 'failed'::text, 'expired'::text, 'interrupted'::text])))
);

CREATE TABLE events (
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    version integer NOT NULL,
    resource_type text NOT NULL,
    resource_id text NOT NULL,
    path text NOT NULL,
    referral_id uuid,
    referrer_account_id uuid,
    referrer_organisation_id uuid,
    service_organization_id text,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE events ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME events_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE idempotency_keys (
    account_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    referral_id uuid NOT NULL,
    answer json NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE identities (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    linked_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE key_addresses (
    account_id uuid NOT NULL,
    network text NOT NULL,
    refused boolean NOT NULL,
    first_seen_at timestamp with time zone NOT NULL
);

CREATE TABLE key_calls (
    account_id uuid NOT NULL,
    last_called_at timestamp with time zone NOT NULL,
    last_called_address text NOT NULL
);

CREATE TABLE library_changes (
    number bigint NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    resource_type text NOT NULL,
    resource_id text NOT NULL,
    at timestamp with time zone NOT NULL,
    action text NOT NULL,
    field_name text NOT NULL,
    previous_value text NOT NULL,
    replacement_value text NOT NULL,
    updated_by text NOT NULL,
    account_id uuid,
    source_id uuid,
    CONSTRAINT library_changes_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text])))
);

ALTER TABLE library_changes ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME library_changes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE library_changing (
    transaction xid8 NOT NULL
);

CREATE TABLE library_import_chunks (
    import_id uuid NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL
);

CREATE TABLE library_imports (
    id uuid NOT NULL,
    name text NOT NULL,
    is_feed boolean NOT NULL,
    source_name text NOT NULL,
    is_complete boolean NOT NULL,
    dry_run boolean NOT NULL,
    state text NOT NULL,
    account_id uuid NOT NULL,
    started_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    counts jsonb,
    problems jsonb DEFAULT '[]'::jsonb NOT NULL,
    warning text,
    failure text,
    stopped_by text,
    CONSTRAINT library_imports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'discarded'::text])))
);

CREATE TABLE library_seen_entries (
    source_id uuid NOT NULL,
    service_id text NOT NULL
);

CREATE TABLE library_sources (
    id uuid NOT NULL,
    name text NOT NULL,
    changed_since timestamp with time zone,
    "position" jsonb,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE library_version (
    version bigint NOT NULL
);

CREATE TABLE loose_ends (
    id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    what text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    owner_id uuid,
    closed_at timestamp with time zone,
    closed_as text,
    closed_by uuid,
    closing_words text,
    CONSTRAINT loose_ends_closed_as_check CHECK ((closed_as = ANY (ARRAY['done'::text, 'retried'::text, 'resolved'::text]))),
    CONSTRAINT loose_ends_kind_check CHECK ((kind = ANY (ARRAY['unexplained-message'::text, 'given-up-job'::text])))
);

CREATE TABLE mails (
    id uuid NOT NULL,
    status text NOT NULL,
    sealed bytea,
    recipient_hash bytea NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    reason text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT mails_check CHECK (((sealed IS NOT NULL) = (status = ANY (ARRAY['queued'::text, 'captured'::text])))),
    CONSTRAINT mails_check1 CHECK (((reason IS NOT NULL) = (status = 'failed'::text))),
    CONSTRAINT mails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'captured'::text, 'sent'::text, 'failed'::text])))
);

CREATE TABLE mesh_messages (
    id text NOT NULL,
    type text NOT NULL,
    workflow text NOT NULL,
    headers jsonb NOT NULL,
    body bytea NOT NULL,
    received_at timestamp with time zone NOT NULL,
    taken_at timestamp with time zone,
    understood boolean,
    CONSTRAINT mesh_messages_type_check CHECK ((type = ANY (ARRAY['DATA'::text, 'REPORT'::text])))
);

CREATE TABLE new_events (
    number bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    resource_type text NOT NULL,
    resource_id text NOT NULL,
    path text NOT NULL,
    referral_id uuid,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE new_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME new_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE oidc_flows (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    account_id uuid,
    sealed bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE organisations (
    id uuid NOT NULL,
    name text NOT NULL,
    ods_code text,
    library_organization_id text,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE organizations (
    id text NOT NULL,
    name text NOT NULL,
    document text NOT NULL,
    sort_name text GENERATED ALWAYS AS (plain_text(name)) STORED NOT NULL COLLATE pg_catalog."C",
    summary text NOT NULL,
    search tsvector NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE passkey_challenges (
    challenge text NOT NULL,
    purpose text NOT NULL,
    account_id uuid,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'sign in'::text, 'second factor'::text])))
);

CREATE TABLE passkeys (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE postcodes (
    postcode text NOT NULL COLLATE pg_catalog."C",
    latitude double precision,
    longitude double precision,
    CONSTRAINT postcodes_check CHECK (((latitude IS NULL) = (longitude IS NULL)))
);

CREATE TABLE practice_words (
    word text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE practices (
    ods_code text NOT NULL,
    name text NOT NULL,
    address text,
    city text,
    postcode text,
    latitude double precision,
    longitude double precision,
    phone text,
    channels text[] DEFAULT '{document}'::text[] NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    sort_name text GENERATED ALWAYS AS (practice_text(name)) STORED NOT NULL COLLATE pg_catalog."C",
    search tsvector GENERATED ALWAYS AS ((setweight(to_tsvector('simple'::regconfig, practice_text(name)), 'A'::"char") || setweight(to_tsvector('simple'::regconfig, practice_text(((((((((COALESCE(address, ''::text) || ' '::text) || COALESCE(city, ''::text)) || ' '::text) || COALESCE(postcode, ''::text)) || ' '::text) || replace(COALESCE(postcode, ''::text), ' '::text, ''::text)) || ' '::text) || ods_code))), 'B'::"char"))) STORED NOT NULL
);

CREATE TABLE recovery_codes (
    account_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE referral_attachments (
    id uuid NOT NULL,
    referral_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    author_id uuid NOT NULL,
    author_name text NOT NULL,
    author_organisation text,
    name text NOT NULL,
    media_type text NOT NULL,
    size integer NOT NULL,
    content bytea NOT NULL,
    CONSTRAINT referral_attachments_media_type_check CHECK ((media_type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text])))
);
ALTER TABLE ONLY referral_attachments ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE referral_history (
    referral_id uuid NOT NULL,
    version integer NOT NULL,
    at timestamp with time zone NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    actor_organisation text,
    from_status text,
    to_status text NOT NULL,
    reason jsonb
);

CREATE TABLE referral_messages (
    id uuid NOT NULL,
    referral_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    side text NOT NULL,
    author_id uuid NOT NULL,
    author_name text NOT NULL,
    author_organisation text,
    text text NOT NULL,
    CONSTRAINT referral_messages_side_check CHECK ((side = ANY (ARRAY['provider'::text, 'referrer'::text])))
);

CREATE TABLE referral_openings (
    id uuid NOT NULL,
    referral_id uuid NOT NULL,
    account_id uuid NOT NULL,
    account_name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    reason text NOT NULL
);

CREATE TABLE referral_readings (
    referral_id uuid NOT NULL,
    account_id uuid NOT NULL,
    last_message_id uuid NOT NULL
);

CREATE TABLE referral_restrictions (
    id uuid NOT NULL,
    referral_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    account_id uuid NOT NULL,
    account_name text NOT NULL,
    reason text NOT NULL,
    lifted_at timestamp with time zone,
    lifted_by uuid,
    lifted_by_name text,
    lifted_reason text
);

CREATE TABLE referrals (
    id uuid NOT NULL,
    reference text NOT NULL,
    status text NOT NULL,
    status_reason jsonb,
    version integer NOT NULL,
    urgency text NOT NULL,
    simulated boolean NOT NULL,
    service_id text,
    service_name text,
    service_organization_id text,
    service_organization_name text,
    referrer_account_id uuid NOT NULL,
    referrer_organisation_id uuid,
    practice_ods_code text,
    practice_name text,
    patient_name_key bytea,
    patient_number_key bytea,
    content jsonb NOT NULL,
    outcome jsonb,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    requested_at timestamp with time zone,
    reminded_at timestamp with time zone,
    expected_date date,
    reroutes uuid,
    patient_family_key bytea,
    restricted_at timestamp with time zone,
    erased_at timestamp with time zone,
    seen_to_at timestamp with time zone,
    seen_to_by text
);

CREATE TABLE refresh_tokens (
    account_id uuid NOT NULL,
    hash bytea NOT NULL,
    sealed bytea NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    last_used_address text,
    networks text[] DEFAULT '{}'::text[] NOT NULL,
    idle_days integer,
    CONSTRAINT refresh_tokens_idle_days_check CHECK (((idle_days >= 7) AND (idle_days <= 365))),
    CONSTRAINT refresh_tokens_networks_check CHECK ((cardinality(networks) <= 20))
);

CREATE TABLE return_addresses (
    address text NOT NULL COLLATE pg_catalog."C",
    added_at timestamp with time zone NOT NULL,
    added_by text NOT NULL
);

CREATE TABLE search_synonyms (
    saying text NOT NULL COLLATE pg_catalog."C",
    meaning text NOT NULL COLLATE pg_catalog."C",
    stems text GENERATED ALWAYS AS (stems_of(saying)) STORED NOT NULL COLLATE pg_catalog."C",
    added_at timestamp with time zone,
    added_by text,
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL
);

CREATE TABLE search_words (
    word text NOT NULL COLLATE pg_catalog."C",
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL
);

CREATE TABLE service_area_extents (
    service_id text NOT NULL,
    extent polygon,
    holes polygon[] DEFAULT '{}'::polygon[] NOT NULL
);

CREATE TABLE service_at_locations (
    service_id text NOT NULL,
    number integer NOT NULL,
    id text NOT NULL
);

CREATE TABLE service_capacity (
    service_id text NOT NULL,
    status text NOT NULL,
    waiting_time text,
    said_at timestamp with time zone NOT NULL,
    said_by text,
    CONSTRAINT service_capacity_status_check CHECK ((status = ANY (ARRAY['capacity'::text, 'waitlist'::text, 'no-capacity'::text])))
);

CREATE TABLE service_documents (
    service_id text NOT NULL,
    document text NOT NULL,
    summary text NOT NULL,
    content_hash text NOT NULL
)
WITH (toast_tuple_target='8160');

CREATE TABLE service_hours (
    service_id text NOT NULL,
    number integer NOT NULL,
    during int4multirange NOT NULL,
    opens smallint,
    closes smallint,
    monthly boolean NOT NULL,
    weekday smallint,
    nth smallint,
    month_day smallint,
    every smallint NOT NULL,
    remainder smallint,
    valid_from date,
    valid_to date
);

CREATE TABLE service_list_entries (
    number bigint NOT NULL,
    list_id uuid NOT NULL,
    service_id text NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    saved_by uuid
);

ALTER TABLE service_list_entries ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME service_list_entries_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE service_lists (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE service_places (
    service_id text NOT NULL,
    number integer NOT NULL,
    point cube,
    week int4multirange NOT NULL,
    alone boolean NOT NULL
);

CREATE TABLE service_referral_settings (
    service_id text NOT NULL,
    accepts boolean DEFAULT true NOT NULL,
    channels text[] DEFAULT '{inbox}'::text[] NOT NULL,
    answered_by text,
    answer_email text,
    answer_telephone text,
    updated_at timestamp with time zone
);

CREATE TABLE service_responsiveness (
    service_id text NOT NULL,
    median_days double precision,
    share_accepted double precision,
    referrals_90_days integer,
    rejection_code text
);

CREATE TABLE service_taxonomy_terms (
    service_id text NOT NULL,
    term_id text NOT NULL
);

CREATE TABLE service_touches (
    service_id text NOT NULL,
    changed_in xid8 NOT NULL
);

CREATE TABLE services (
    id text NOT NULL,
    name text NOT NULL,
    sort_name text GENERATED ALWAYS AS (plain_text(name)) STORED NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    organization_id text,
    search tsvector NOT NULL,
    last_modified timestamp with time zone NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    minimum_age double precision,
    maximum_age double precision,
    week int4multirange DEFAULT '{}'::int4multirange NOT NULL,
    source_id uuid,
    source_hash text,
    assured_on date,
    edited_at timestamp with time zone,
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL
);

CREATE TABLE sessions (
    id_hash bytea NOT NULL,
    account_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    authenticated_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    address text,
    id uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE TABLE sign_in_steps (
    id_hash bytea NOT NULL,
    account_id uuid NOT NULL,
    tries_left smallint NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE simulated_referrals (
    referral_id uuid NOT NULL,
    story text NOT NULL,
    moved_ms bigint DEFAULT 0 NOT NULL
);

CREATE TABLE simulated_steps (
    number bigint NOT NULL,
    referral_id uuid NOT NULL,
    delivery_id uuid,
    act jsonb NOT NULL,
    due_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone,
    undone_because text
);

ALTER TABLE simulated_steps ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME simulated_steps_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE site_facts (
    name text NOT NULL,
    value bytea NOT NULL
);

CREATE TABLE taxonomies (
    id text NOT NULL,
    name text NOT NULL,
    document text NOT NULL,
    sort_name text GENERATED ALWAYS AS (plain_text(name)) STORED NOT NULL COLLATE pg_catalog."C",
    search tsvector NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL
);

CREATE TABLE taxonomy_terms (
    id text NOT NULL,
    name text NOT NULL,
    taxonomy_id text,
    document text NOT NULL,
    sort_name text GENERATED ALWAYS AS (plain_text(name)) STORED NOT NULL COLLATE pg_catalog."C",
    search tsvector NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    parent_id text,
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL
);

CREATE TABLE throttles (
    key bytea NOT NULL,
    since timestamp with time zone NOT NULL,
    attempts integer NOT NULL,
    open_at timestamp with time zone NOT NULL,
    vouched_until timestamp with time zone
);

CREATE TABLE webhook_attempts (
    number bigint NOT NULL,
    webhook_id uuid NOT NULL,
    message_number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    status integer,
    detail text NOT NULL,
    captured jsonb,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'captured'::text, 'will-retry'::text, 'failed'::text])))
);

ALTER TABLE webhook_attempts ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME webhook_attempts_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE webhook_messages (
    number bigint NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'delivered'::text, 'captured'::text, 'failed'::text])))
);

ALTER TABLE webhook_messages ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME webhook_messages_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE webhooks (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    event_types text[] NOT NULL,
    description text,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_until timestamp with time zone,
    off_reason text,
    off_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    resting_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT webhooks_check CHECK (((off_reason IS NULL) = (off_at IS NULL))),
    CONSTRAINT webhooks_off_reason_check CHECK ((off_reason = ANY (ARRAY['by-hand'::text, 'gone'::text, 'failing'::text])))
);

CREATE TABLE worklist (
    delivery_id uuid NOT NULL,
    kind text NOT NULL,
    escalated boolean DEFAULT false NOT NULL,
    reason text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    owner_id uuid,
    closed_at timestamp with time zone,
    closed_as text,
    closed_by uuid,
    closing_words text,
    CONSTRAINT worklist_check CHECK (((closed_at IS NULL) = (closed_as IS NULL))),
    CONSTRAINT worklist_closed_as_check CHECK ((closed_as = ANY (ARRAY['resolved'::text, 'retried'::text, 'another-way'::text, 'by-hand'::text]))),
    CONSTRAINT worklist_kind_check CHECK ((kind = ANY (ARRAY['failed'::text, 'uncertain'::text, 'expired'::text, 'unanswered'::text, 'no-practice'::text])))
);

ALTER TABLE ONLY access_tokens
    ADD CONSTRAINT access_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY account_links
    ADD CONSTRAINT account_links_pkey PRIMARY KEY (account_id, purpose);

ALTER TABLE ONLY account_links
    ADD CONSTRAINT account_links_secret_hash_key UNIQUE (secret_hash);

ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);

ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_links
    ADD CONSTRAINT audit_links_entry_id_key UNIQUE (entry_id);

ALTER TABLE ONLY audit_links
    ADD CONSTRAINT audit_links_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY audit_unsealed
    ADD CONSTRAINT audit_unsealed_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY authenticators
    ADD CONSTRAINT authenticators_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY captured_files
    ADD CONSTRAINT captured_files_pkey PRIMARY KEY (captured_id, name);

ALTER TABLE ONLY captured_messages
    ADD CONSTRAINT captured_messages_delivery_id_channel_key UNIQUE (delivery_id, channel);

ALTER TABLE ONLY captured_messages
    ADD CONSTRAINT captured_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY deliveries
    ADD CONSTRAINT deliveries_referral_id_leg_purpose_referral_version_key UNIQUE (referral_id, leg, purpose, referral_version);

ALTER TABLE ONLY delivery_addresses
    ADD CONSTRAINT delivery_addresses_service_id_practice_ods_code_channel_key UNIQUE NULLS NOT DISTINCT (service_id, practice_ods_code, channel);

ALTER TABLE ONLY delivery_attempts
    ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, number);

ALTER TABLE ONLY events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_account_id_issuer_key UNIQUE (account_id, issuer);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY key_addresses
    ADD CONSTRAINT key_addresses_pkey PRIMARY KEY (account_id, network, refused);

ALTER TABLE ONLY key_calls
    ADD CONSTRAINT key_calls_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY library_changing
    ADD CONSTRAINT library_changing_pkey PRIMARY KEY (transaction);

ALTER TABLE ONLY library_import_chunks
    ADD CONSTRAINT library_import_chunks_pkey PRIMARY KEY (import_id, number);

ALTER TABLE ONLY library_imports
    ADD CONSTRAINT library_imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY library_seen_entries
    ADD CONSTRAINT library_seen_entries_pkey PRIMARY KEY (source_id, service_id);

ALTER TABLE ONLY library_sources
    ADD CONSTRAINT library_sources_name_key UNIQUE (name);

ALTER TABLE ONLY library_sources
    ADD CONSTRAINT library_sources_pkey PRIMARY KEY (id);

ALTER TABLE ONLY loose_ends
    ADD CONSTRAINT loose_ends_kind_subject_key UNIQUE (kind, subject);

ALTER TABLE ONLY loose_ends
    ADD CONSTRAINT loose_ends_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mesh_messages
    ADD CONSTRAINT mesh_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY new_events
    ADD CONSTRAINT new_events_pkey PRIMARY KEY (number);

ALTER TABLE ONLY oidc_flows
    ADD CONSTRAINT oidc_flows_pkey PRIMARY KEY (state_hash);

ALTER TABLE ONLY organisations
    ADD CONSTRAINT organisations_library_organization_id_key UNIQUE (library_organization_id);

ALTER TABLE ONLY organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postcodes
    ADD CONSTRAINT postcodes_pkey PRIMARY KEY (postcode);

ALTER TABLE ONLY practice_words
    ADD CONSTRAINT practice_words_pkey PRIMARY KEY (word);

ALTER TABLE ONLY practices
    ADD CONSTRAINT practices_pkey PRIMARY KEY (ods_code);

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash);

ALTER TABLE ONLY referral_attachments
    ADD CONSTRAINT referral_attachments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY referral_history
    ADD CONSTRAINT referral_history_pkey PRIMARY KEY (referral_id, version);

ALTER TABLE ONLY referral_messages
    ADD CONSTRAINT referral_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY referral_openings
    ADD CONSTRAINT referral_openings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY referral_readings
    ADD CONSTRAINT referral_readings_pkey PRIMARY KEY (referral_id, account_id);

ALTER TABLE ONLY referral_restrictions
    ADD CONSTRAINT referral_restrictions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY referrals
    ADD CONSTRAINT referrals_pkey PRIMARY KEY (id);

ALTER TABLE ONLY referrals
    ADD CONSTRAINT referrals_reference_key UNIQUE (reference);

ALTER TABLE ONLY refresh_tokens
    ADD CONSTRAINT refresh_tokens_hash_key UNIQUE (hash);

ALTER TABLE ONLY refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY return_addresses
    ADD CONSTRAINT return_addresses_pkey PRIMARY KEY (address);

ALTER TABLE ONLY search_synonyms
    ADD CONSTRAINT search_synonyms_pkey PRIMARY KEY (saying, meaning);

ALTER TABLE ONLY search_words
    ADD CONSTRAINT search_words_pkey PRIMARY KEY (word);

ALTER TABLE ONLY service_at_locations
    ADD CONSTRAINT service_at_locations_pkey PRIMARY KEY (service_id, number);

ALTER TABLE ONLY service_capacity
    ADD CONSTRAINT service_capacity_pkey PRIMARY KEY (service_id);

ALTER TABLE ONLY service_documents
    ADD CONSTRAINT service_documents_pkey PRIMARY KEY (service_id);

ALTER TABLE ONLY service_list_entries
    ADD CONSTRAINT service_list_entries_pkey PRIMARY KEY (list_id, service_id);

ALTER TABLE ONLY service_lists
    ADD CONSTRAINT service_lists_pkey PRIMARY KEY (id);

ALTER TABLE ONLY service_places
    ADD CONSTRAINT service_places_pkey PRIMARY KEY (service_id, number);

ALTER TABLE ONLY service_referral_settings
    ADD CONSTRAINT service_referral_settings_pkey PRIMARY KEY (service_id);

ALTER TABLE ONLY service_responsiveness
    ADD CONSTRAINT service_responsiveness_pkey PRIMARY KEY (service_id);

ALTER TABLE ONLY service_taxonomy_terms
    ADD CONSTRAINT service_taxonomy_terms_pkey PRIMARY KEY (service_id, term_id);

ALTER TABLE ONLY service_touches
    ADD CONSTRAINT service_touches_pkey PRIMARY KEY (service_id);

ALTER TABLE ONLY services
    ADD CONSTRAINT services_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_id_key UNIQUE (id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id_hash);

ALTER TABLE ONLY sign_in_steps
    ADD CONSTRAINT sign_in_steps_pkey PRIMARY KEY (id_hash);

ALTER TABLE ONLY simulated_referrals
    ADD CONSTRAINT simulated_referrals_pkey PRIMARY KEY (referral_id);

ALTER TABLE ONLY simulated_steps
    ADD CONSTRAINT simulated_steps_pkey PRIMARY KEY (number);

ALTER TABLE ONLY site_facts
    ADD CONSTRAINT site_facts_pkey PRIMARY KEY (name);

ALTER TABLE ONLY taxonomies
    ADD CONSTRAINT taxonomies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY taxonomy_terms
    ADD CONSTRAINT taxonomy_terms_pkey PRIMARY KEY (id);

ALTER TABLE ONLY throttles
    ADD CONSTRAINT throttles_pkey PRIMARY KEY (key);

ALTER TABLE ONLY webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (number);

ALTER TABLE ONLY webhook_messages
    ADD CONSTRAINT webhook_messages_pkey PRIMARY KEY (number);

ALTER TABLE ONLY webhook_messages
    ADD CONSTRAINT webhook_messages_webhook_id_event_id_key UNIQUE (webhook_id, event_id);

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY worklist
    ADD CONSTRAINT worklist_pkey PRIMARY KEY (delivery_id);

CREATE INDEX access_tokens_valid_to ON access_tokens USING btree (valid_to);

CREATE INDEX audit_entries_action ON audit_entries USING btree (action, at, id);

CREATE INDEX audit_entries_actor ON audit_entries USING btree (actor_id, id);

CREATE INDEX audit_entries_actor_name ON audit_entries USING btree (actor_name, at, id);

CREATE INDEX audit_entries_at ON audit_entries USING btree (at, id);

CREATE INDEX audit_entries_subject ON audit_entries USING btree (subject_type, subject_id, id);

CREATE INDEX captured_messages_referral ON captured_messages USING btree (referral_id);

CREATE INDEX deliveries_message ON deliveries USING btree (message_id) WHERE (channel IS NOT NULL);

CREATE INDEX deliveries_to_look_at ON deliveries USING btree (look_again_at) WHERE (look_again_at IS NOT NULL);

CREATE INDEX deliveries_tracked ON deliveries USING btree (tracked_as) WHERE (tracked_as IS NOT NULL);

CREATE INDEX deliveries_unfinished ON deliveries USING btree (updated_at) WHERE (status = ANY (ARRAY['queued'::text, 'sending'::text]));

CREATE INDEX events_created_at ON events USING btree (created_at);

CREATE INDEX events_of_all ON events USING btree ("position") WHERE (referral_id IS NULL);

CREATE INDEX events_referral ON events USING btree (referral_id) WHERE (referral_id IS NOT NULL);

CREATE INDEX events_referrer_account ON events USING btree (referrer_account_id, "position") WHERE ((referrer_account_id IS NOT NULL) AND (referrer_organisation_id IS NULL));

CREATE INDEX events_referrer_organisation ON events USING btree (referrer_organisation_id, "position") WHERE (referrer_organisation_id IS NOT NULL);

CREATE INDEX events_service_organization ON events USING btree (service_organization_id, "position") WHERE (service_organization_id IS NOT NULL);

CREATE INDEX idempotency_keys_created_at ON idempotency_keys USING btree (created_at);

CREATE INDEX library_changes_of ON library_changes USING btree (resource_type, resource_id, number);

CREATE INDEX library_imports_latest ON library_imports USING btree (created_at DESC, id DESC);

CREATE INDEX loose_ends_open ON loose_ends USING btree (id) WHERE (closed_at IS NULL);

CREATE INDEX mails_captured ON mails USING btree (id) WHERE (status = 'captured'::text);

CREATE INDEX mails_captured_to ON mails USING btree (recipient_hash, id) WHERE (status = 'captured'::text);

CREATE INDEX mails_finished_at ON mails USING btree (finished_at);

CREATE INDEX oidc_flows_account ON oidc_flows USING btree (account_id);

CREATE INDEX oidc_flows_expires_at ON oidc_flows USING btree (expires_at);

CREATE UNIQUE INDEX organisations_name ON organisations USING btree (name) WHERE (library_organization_id IS NULL);

CREATE INDEX organizations_by_name ON organizations USING btree (sort_name, id);

CREATE INDEX organizations_search ON organizations USING gin (search);

CREATE INDEX passkey_challenges_expires_at ON passkey_challenges USING btree (expires_at);

CREATE INDEX passkeys_account ON passkeys USING btree (account_id);

CREATE INDEX practice_words_alike ON practice_words USING gin (word gin_trgm_ops) WITH (fastupdate=off);

CREATE INDEX practices_by_name ON practices USING btree (sort_name, ods_code);

CREATE INDEX practices_search ON practices USING gin (search) WITH (fastupdate=off);

CREATE INDEX referral_attachments_of ON referral_attachments USING btree (referral_id, id DESC);

CREATE INDEX referral_messages_of ON referral_messages USING btree (referral_id, id DESC);

CREATE INDEX referral_openings_of ON referral_openings USING btree (referral_id, id DESC);

CREATE UNIQUE INDEX referral_restrictions_now ON referral_restrictions USING btree (referral_id) WHERE (lifted_at IS NULL);

CREATE INDEX referral_restrictions_of ON referral_restrictions USING btree (referral_id, id);

CREATE INDEX referrals_made ON referrals USING btree (referrer_organisation_id, id DESC) INCLUDE (updated_at);

CREATE INDEX referrals_made_by_account ON referrals USING btree (referrer_account_id, id DESC) INCLUDE (updated_at) WHERE ((referrer_account_id IS NOT NULL) AND (referrer_organisation_id IS NULL));

CREATE INDEX referrals_made_by_account_service ON referrals USING btree (referrer_account_id, service_id, id DESC) WHERE ((referrer_account_id IS NOT NULL) AND (referrer_organisation_id IS NULL));

CREATE INDEX referrals_made_by_account_status ON referrals USING btree (referrer_account_id, status, id DESC) INCLUDE (due_at, requested_at) WHERE ((referrer_account_id IS NOT NULL) AND (referrer_organisation_id IS NULL));

CREATE INDEX referrals_made_by_account_updated ON referrals USING btree (referrer_account_id, updated_at, id) WHERE ((referrer_account_id IS NOT NULL) AND (referrer_organisation_id IS NULL));

CREATE INDEX referrals_made_service ON referrals USING btree (referrer_organisation_id, service_id, id DESC);

CREATE INDEX referrals_made_status ON referrals USING btree (referrer_organisation_id, status, id DESC) INCLUDE (due_at, requested_at);

CREATE INDEX referrals_made_updated ON referrals USING btree (referrer_organisation_id, updated_at, id);

CREATE INDEX referrals_received ON referrals USING btree (service_organization_id, id DESC) INCLUDE (updated_at);

CREATE INDEX referrals_received_service ON referrals USING btree (service_organization_id, service_id, id DESC);

CREATE INDEX referrals_received_status ON referrals USING btree (service_organization_id, status, id DESC) INCLUDE (due_at, requested_at);

CREATE INDEX referrals_received_updated ON referrals USING btree (service_organization_id, updated_at, id);

CREATE UNIQUE INDEX referrals_reroutes ON referrals USING btree (reroutes) WHERE ((reroutes IS NOT NULL) AND (requested_at IS NOT NULL) AND (status <> 'entered-in-error'::text));

CREATE INDEX referrals_same_family ON referrals USING btree (patient_family_key);

CREATE INDEX referrals_same_name ON referrals USING btree (patient_name_key, service_id);

CREATE INDEX referrals_same_number ON referrals USING btree (patient_number_key, service_id) WHERE (patient_number_key IS NOT NULL);

CREATE INDEX referrals_service ON referrals USING btree (service_id, id DESC);

CREATE INDEX referrals_status ON referrals USING btree (status, id DESC) INCLUDE (due_at, requested_at);

CREATE INDEX referrals_to_erase ON referrals USING btree (updated_at) WHERE ((erased_at IS NULL) AND (status = ANY (ARRAY['draft'::text, 'completed'::text, 'rejected'::text, 'failed'::text, 'cancelled'::text, 'entered-in-error'::text])));

CREATE INDEX referrals_updated ON referrals USING btree (updated_at, id);

CREATE INDEX referrals_waiting ON referrals USING btree (requested_at) WHERE (status = 'requested'::text);

CREATE INDEX search_synonyms_stems ON search_synonyms USING btree (stems);

CREATE INDEX search_words_changed_in ON search_words USING btree (changed_in);

CREATE INDEX service_area_extents_service ON service_area_extents USING btree (service_id);

CREATE INDEX service_at_locations_id ON service_at_locations USING btree (id);

CREATE INDEX service_hours_service ON service_hours USING btree (service_id);

CREATE INDEX service_list_entries_service ON service_list_entries USING btree (service_id);

CREATE UNIQUE INDEX service_lists_name ON service_lists USING btree (organisation_id, lower(name));

CREATE INDEX service_touches_changed_in ON service_touches USING btree (changed_in);

CREATE INDEX services_assured ON services USING btree (COALESCE(assured_on, '-infinity'::date), id);

CREATE INDEX services_changed_in ON services USING btree (changed_in);

CREATE INDEX services_organization ON services USING btree (organization_id);

CREATE INDEX services_search ON services USING gin (search);

CREATE INDEX services_source ON services USING btree (source_id) WHERE (source_id IS NOT NULL);

CREATE INDEX sessions_account ON sessions USING btree (account_id);

CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);

CREATE INDEX sign_in_steps_account ON sign_in_steps USING btree (account_id);

CREATE INDEX sign_in_steps_expires_at ON sign_in_steps USING btree (expires_at);

CREATE INDEX simulated_steps_of ON simulated_steps USING btree (referral_id, due_at);

CREATE INDEX taxonomies_by_name ON taxonomies USING btree (sort_name, id);

CREATE INDEX taxonomy_terms_by_name ON taxonomy_terms USING btree (sort_name, id);

CREATE INDEX taxonomy_terms_parent ON taxonomy_terms USING btree (parent_id);

CREATE INDEX taxonomy_terms_search ON taxonomy_terms USING gin (search);

CREATE INDEX taxonomy_terms_taxonomy ON taxonomy_terms USING btree (taxonomy_id);

CREATE INDEX throttles_since ON throttles USING btree (since);

CREATE INDEX webhook_attempts_message ON webhook_attempts USING btree (message_number);

CREATE INDEX webhook_attempts_webhook ON webhook_attempts USING btree (webhook_id, number DESC);

CREATE INDEX webhook_messages_queued ON webhook_messages USING btree (webhook_id, number) WHERE (status = 'queued'::text);

CREATE INDEX webhook_messages_queued_at ON webhook_messages USING btree (queued_at);

CREATE INDEX webhooks_account ON webhooks USING btree (account_id, id);

CREATE INDEX worklist_open ON worklist USING btree (opened_at, delivery_id) WHERE (closed_at IS NULL);

CREATE INDEX worklist_owner ON worklist USING btree (owner_id) WHERE (closed_at IS NULL);

CREATE TRIGGER accounts_end_links AFTER UPDATE ON accounts FOR EACH ROW WHEN (((old.email IS DISTINCT FROM new.email) OR (old.password_hash IS DISTINCT FROM new.password_hash) OR (old.disabled_at IS DISTINCT FROM new.disabled_at))) EXECUTE FUNCTION end_account_links();

CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_links_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER delete_parts AFTER DELETE ON services REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION delete_parts();

CREATE TRIGGER delivery_attempts_append_only BEFORE UPDATE OR TRUNCATE ON delivery_attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE CONSTRAINT TRIGGER library_changed AFTER INSERT ON library_changing DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION library_changed();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON organizations FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON search_synonyms FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON service_capacity FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON service_referral_settings FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON service_responsiveness FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON service_taxonomy_terms FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON services FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON taxonomies FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER library_changes AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON taxonomy_terms FOR EACH STATEMENT EXECUTE FUNCTION library_changes();

CREATE TRIGGER note_change BEFORE UPDATE ON search_synonyms FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE TRIGGER note_change BEFORE UPDATE ON search_words FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE TRIGGER note_change BEFORE UPDATE ON services FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE TRIGGER note_change BEFORE UPDATE ON taxonomies FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE TRIGGER note_change BEFORE UPDATE ON taxonomy_terms FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE TRIGGER referral_history_append_only BEFORE UPDATE OR TRUNCATE ON referral_history FOR EACH STATEMENT WHEN ((current_setting('onward.erasing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER referral_messages_append_only BEFORE UPDATE OR TRUNCATE ON referral_messages FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER referral_openings_append_only BEFORE UPDATE OR TRUNCATE ON referral_openings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER touch_on_delete AFTER DELETE ON service_capacity REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_delete AFTER DELETE ON service_referral_settings REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_delete AFTER DELETE ON service_responsiveness REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_delete AFTER DELETE ON services REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_deleted_services();

CREATE TRIGGER touch_on_insert AFTER INSERT ON service_capacity REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_insert AFTER INSERT ON service_referral_settings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_insert AFTER INSERT ON service_responsiveness REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_update AFTER UPDATE ON service_capacity REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_update AFTER UPDATE ON service_referral_settings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

CREATE TRIGGER touch_on_update AFTER UPDATE ON service_responsiveness REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_services();

ALTER TABLE ONLY access_tokens
    ADD CONSTRAINT access_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY account_links
    ADD CONSTRAINT account_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id);

ALTER TABLE ONLY audit_links
    ADD CONSTRAINT audit_links_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entries(id);

ALTER TABLE ONLY authenticators
    ADD CONSTRAINT authenticators_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY captured_files
    ADD CONSTRAINT captured_files_captured_id_fkey FOREIGN KEY (captured_id) REFERENCES captured_messages(id) ON DELETE CASCADE;

ALTER TABLE ONLY captured_messages
    ADD CONSTRAINT captured_messages_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY captured_messages
    ADD CONSTRAINT captured_messages_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY deliveries
    ADD CONSTRAINT deliveries_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY delivery_addresses
    ADD CONSTRAINT delivery_addresses_practice_ods_code_fkey FOREIGN KEY (practice_ods_code) REFERENCES practices(ods_code) ON DELETE CASCADE;

ALTER TABLE ONLY delivery_addresses
    ADD CONSTRAINT delivery_addresses_service_id_fkey FOREIGN KEY (service_id) REFERENCES services(id) ON DELETE CASCADE;

ALTER TABLE ONLY delivery_attempts
    ADD CONSTRAINT delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY events
    ADD CONSTRAINT events_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY key_addresses
    ADD CONSTRAINT key_addresses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY key_calls
    ADD CONSTRAINT key_calls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY library_import_chunks
    ADD CONSTRAINT library_import_chunks_import_id_fkey FOREIGN KEY (import_id) REFERENCES library_imports(id) ON DELETE CASCADE;

ALTER TABLE ONLY library_seen_entries
    ADD CONSTRAINT library_seen_entries_source_id_fkey FOREIGN KEY (source_id) REFERENCES library_sources(id) ON DELETE CASCADE;

ALTER TABLE ONLY loose_ends
    ADD CONSTRAINT loose_ends_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES accounts(id);

ALTER TABLE ONLY loose_ends
    ADD CONSTRAINT loose_ends_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES accounts(id);

ALTER TABLE ONLY oidc_flows
    ADD CONSTRAINT oidc_flows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY passkey_challenges
    ADD CONSTRAINT passkey_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY referral_attachments
    ADD CONSTRAINT referral_attachments_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY referral_history
    ADD CONSTRAINT referral_history_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY referral_messages
    ADD CONSTRAINT referral_messages_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY referral_openings
    ADD CONSTRAINT referral_openings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

ALTER TABLE ONLY referral_openings
    ADD CONSTRAINT referral_openings_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY referral_readings
    ADD CONSTRAINT referral_readings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY referral_readings
    ADD CONSTRAINT referral_readings_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY referral_restrictions
    ADD CONSTRAINT referral_restrictions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

ALTER TABLE ONLY referral_restrictions
    ADD CONSTRAINT referral_restrictions_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES accounts(id);

ALTER TABLE ONLY referral_restrictions
    ADD CONSTRAINT referral_restrictions_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY referrals
    ADD CONSTRAINT referrals_referrer_account_id_fkey FOREIGN KEY (referrer_account_id) REFERENCES accounts(id);

ALTER TABLE ONLY referrals
    ADD CONSTRAINT referrals_referrer_organisation_id_fkey FOREIGN KEY (referrer_organisation_id) REFERENCES organisations(id);

ALTER TABLE ONLY referrals
    ADD CONSTRAINT referrals_reroutes_fkey FOREIGN KEY (reroutes) REFERENCES referrals(id) ON DELETE SET NULL;

ALTER TABLE ONLY referrals
    ADD CONSTRAINT referrals_service_kept FOREIGN KEY (service_id) REFERENCES services(id);

ALTER TABLE ONLY refresh_tokens
    ADD CONSTRAINT refresh_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY service_capacity
    ADD CONSTRAINT service_capacity_service_id_fkey FOREIGN KEY (service_id) REFERENCES services(id) ON DELETE CASCADE;

ALTER TABLE ONLY service_list_entries
    ADD CONSTRAINT service_list_entries_list_id_fkey FOREIGN KEY (list_id) REFERENCES service_lists(id) ON DELETE CASCADE;

ALTER TABLE ONLY service_list_entries
    ADD CONSTRAINT service_list_entries_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES accounts(id) ON DELETE SET NULL;

ALTER TABLE ONLY service_list_entries
    ADD CONSTRAINT service_list_entries_service_id_fkey FOREIGN KEY (service_id) REFERENCES services(id) ON DELETE CASCADE;

ALTER TABLE ONLY service_lists
    ADD CONSTRAINT service_lists_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY service_referral_settings
    ADD CONSTRAINT service_referral_settings_service_id_fkey FOREIGN KEY (service_id) REFERENCES services(id) ON DELETE CASCADE;

ALTER TABLE ONLY service_responsiveness
    ADD CONSTRAINT service_responsiveness_service_id_fkey FOREIGN KEY (service_id) REFERENCES services(id) ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY sign_in_steps
    ADD CONSTRAINT sign_in_steps_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY simulated_referrals
    ADD CONSTRAINT simulated_referrals_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES referrals(id) ON DELETE CASCADE;

ALTER TABLE ONLY simulated_steps
    ADD CONSTRAINT simulated_steps_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY simulated_steps
    ADD CONSTRAINT simulated_steps_referral_id_fkey FOREIGN KEY (referral_id) REFERENCES simulated_referrals(referral_id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook_attempts
    ADD CONSTRAINT webhook_attempts_message_number_fkey FOREIGN KEY (message_number) REFERENCES webhook_messages(number) ON DELETE CASCADE;

ALTER TABLE ONLY webhook_attempts
    ADD CONSTRAINT webhook_attempts_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook_messages
    ADD CONSTRAINT webhook_messages_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE;

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY worklist
    ADD CONSTRAINT worklist_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES accounts(id) ON DELETE SET NULL;

ALTER TABLE ONLY worklist
    ADD CONSTRAINT worklist_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY worklist
    ADD CONSTRAINT worklist_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES accounts(id) ON DELETE SET NULL;

