import { type Kysely, sql } from 'kysely';

/** For docs/schema.md: columns of three tables, some of them explained before, whose name does not tell what they hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(meanings))
    for (const [column, words] of Object.entries(columns))
      await sql`comment on column ${sql.ref(`${table}.${column}`)} is ${sql.lit(words)}`.execute(db);
}

const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  library_imports: {
    is_feed: 'Whether it is read from the address of a feed, and not from a file.',
    source_name: 'The name under which the library keeps what came from this source.',
    is_complete: 'Whether it holds all services of its source: those that are missing become inactive.',
    state: 'How far it is. “discarded” ended before it ran, or is a preview that is not needed any more.',
    account_id: 'The operator who started it; for a scheduled one, who set up the schedule.',
    started_by: 'The name of that operator as it was then; for a scheduled one, words that name them.',
    started_at: 'When the worker began, or began again after a restart; null while it waits.',
    counts: 'How many records it read, and what became of them; kept up to date while it runs.',
    warning: 'What the operator should know of an import that ended, a line each.',
    failure: 'Why it failed; null unless its state is “failed”.',
    total: 'How many records its preview read, to show how far it is; null if it had none.',
    undone_by: 'The name of the operator who undid it, as it was then.',
    undo_counts: 'How many services the undoing restored, made inactive and left as they were.',
  },
  mesh_messages: {
    id: 'The exchange’s id of the message.',
    type: 'DATA: a message. REPORT: the exchange tells that it could not deliver one of ours.',
    headers: 'Its headers, each up to 300 characters. Without mex-to, which may name a patient.',
    body: 'What is kept of it, unpacked if possible. Emptied once it is matched.',
    handled_at:
      'When the site had looked for what it answers. Null if it stopped before that: it is handled again.',
    matched:
      'Whether it answers something that this site sent, or an operator has resolved it. Null until it is handled.',
  },
  report_facts: {
    sent_at: 'When the referral was sent. The minutes to the answer and to the contact count from here.',
    due_at: 'When the service should have answered.',
    next_date: 'By when the service acts next, once it has accepted.',
    accepted_at:
      'When it was first accepted; null if it never was. The minutes to the start count from here.',
    started_at:
      'When the service first began, or completed it without saying that it began; null if it never did.',
    ended_at: 'When it last ended. Null while it is open, also if it was opened again.',
    end_reason: 'The code of the reason for its present status.',
    practice_ods_code: 'The person’s GP practice; null if none was given.',
    age_band: 'The age on the day of sending, in bands of the Census; null if the birth date is unknown.',
    gender: 'As the referral gives it; null if nobody said.',
    interpreter: 'Whether the person needs an interpreter; null once the referral is erased.',
    erased: 'Whether the referral was erased, so that nothing more can be read of it.',
    first_contact_at: 'When the service first reached the person; null if it has not.',
    goals: 'How many goals the person set.',
    goals_achieved: 'How many of the goals were achieved.',
    goals_partly: 'How many of the goals were partly achieved.',
    needs: 'The codes of the needs for which the person was referred.',
    ethnic_group: 'The group of the Census: white, mixed, asian, black or other. Null if nobody said.',
    imd_year: 'The year of the index of deprivation that imd_decile is of.',
  },
};
