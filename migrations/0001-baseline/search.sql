create text search dictionary library_stem (template = snowball, language = english);

-- Sayings are compared by their stems, small words included: "can't cope" is more than "cope".
create function word_stem(word text) returns text language sql immutable parallel safe strict
return coalesce((ts_lexize('library_stem'::regdictionary, plain_text(word)))[1], plain_text(word));

create function stems_of(given text) returns text language sql immutable parallel safe strict
return (select string_agg(word_stem(each.word), ' ' order by each.place) as string_agg from string_to_table(practice_text(stems_of.given), ' ') with ordinality each(word, place));

-- Words that the library uses. A misspelt or unfinished word is compared with them.
create table search_words (
  word text collate "C" primary key,
  changed_in xid8 not null default pg_current_xact_id()
);
create index search_words_changed_in on search_words (changed_in);
create trigger note_change before update on search_words for each row execute function note_change();

-- What people say, and what services call it. A site may edit these.
create table search_synonyms (
  saying text collate "C" not null,
  meaning text collate "C" not null,
  stems text collate "C" not null generated always as (stems_of(saying)) stored,
  added_at timestamptz,
  added_by text,
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (saying, meaning)
);
create index search_synonyms_stems on search_synonyms (stems);
create trigger library_changes after insert or delete or update or truncate on search_synonyms
  for each statement execute function library_changes();
create trigger note_change before update on search_synonyms for each row execute function note_change();
