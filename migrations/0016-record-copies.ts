import { type Kysely, sql } from 'kysely';

/** Copies of a person's record, which are handed out only after a named person has reviewed them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table record_copies (
      id uuid primary key,
      reference text not null unique,
      packed_at timestamptz not null,
      packed_by uuid not null references accounts,
      packed_by_name text not null,
      reason text not null,
      purpose text not null check (purpose in ('person', 'required_by_law', 'beyond_care')),
      -- What was decided about the national data opt-out, and why.
      opt_out text check (opt_out in ('not_opted_out', 'does_not_apply')),
      opt_out_because text,
      -- Whom it is about, as keyed hashes: they find what came after it was packed.
      patient_name_key bytea,
      patient_number_key bytea,
      -- The operators who have looked at it: each reader is reported to the referrers once.
      readers uuid[] not null,
      reviewed_at timestamptz,
      reviewed_by uuid references accounts,
      reviewed_by_name text,
      review_note text,
      handed_out_at timestamptz,
      handed_out_by_name text,
      -- When what was packed was deleted. Who decided what, and why, is kept for longer.
      emptied_at timestamptz,
      constraint record_copies_opt_out check (
        (purpose = 'beyond_care') = (opt_out is not null) and (opt_out is null) = (opt_out_because is null)),
      constraint record_copies_review check (
        num_nulls(reviewed_at, reviewed_by, reviewed_by_name, review_note) in (0, 4)),
      -- The last guard: nothing leaves that nobody has reviewed.
      constraint record_copies_handed_out check (handed_out_at is null or reviewed_at is not null)
    )`.execute(db);
  await sql`create index record_copies_by_age on record_copies (packed_at)`.execute(db);
  await sql`
    create table record_copy_referrals (
      copy_id uuid not null references record_copies on delete cascade,
      referral_id uuid not null references referrals on delete cascade,
      position integer not null,
      -- As it was when it was packed.
      record json not null,
      primary key (copy_id, referral_id)
    )`.execute(db);
  await sql`create index record_copy_referrals_of on record_copy_referrals (referral_id)`.execute(db);
  await sql`
    create table record_copy_marks (
      id uuid primary key,
      copy_id uuid not null references record_copies on delete cascade,
      kind text not null check (kind in ('hold_back', 'black_out')),
      place text,
      place_in_words text not null,
      -- What is blacked out; deleted with what was packed.
      words text,
      ground text not null check (ground in ('third_party', 'serious_harm', 'other')),
      reason text not null,
      at timestamptz not null,
      by_name text not null,
      constraint record_copy_marks_place check (kind = 'black_out' or place is not null)
    )`.execute(db);
  await sql`create index record_copy_marks_of on record_copy_marks (copy_id, id)`.execute(db);
}
