import { type Kysely, sql } from 'kysely';

/** The codes that open a referral to people who answer by a link, and how an ending by link is checked by the referrer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table answer_links
      -- The code that was sent last, as a keyed hash, until it is used or was guessed at too often.
      add column code_hash bytea,
      add column code_until timestamptz,
      add column code_tries smallint not null default 0,
      -- How many codes were sent since.
      add column codes_sent smallint not null default 0,
      add column codes_since timestamptz,
      -- After too many wrong codes; each pause in a row is longer.
      add column paused_until timestamptz,
      add column pauses smallint not null default 0,
      -- What the referral was before somebody ended it by the link, to open it again.
      add column before_end jsonb,
      -- When the referrer said that the ending is right.
      add column checked_at timestamptz`.execute(db);
  await sql`
    create table answer_link_visits (
      -- A keyed hash of the cookie of the browser that entered a code. One browser may have opened several links.
      token_hash bytea not null,
      link_id uuid not null references answer_links on delete cascade,
      -- The mailbox that got the code: another one closes what it opened.
      code_address text not null,
      -- Who entered it, in their own words.
      by_name text not null,
      by_role text not null,
      ends_at timestamptz not null,
      primary key (token_hash, link_id)
    )`.execute(db);
  await sql`create index answer_link_visits_by_link on answer_link_visits (link_id)`.execute(db);
}
