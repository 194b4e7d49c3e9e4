import { type Kysely, sql } from 'kysely';

/** For docs/schema.md: columns whose name does not tell what they hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(meanings))
    for (const [column, words] of Object.entries(columns))
      await sql`comment on column ${sql.ref(`${table}.${column}`)} is ${sql.lit(words)}`.execute(db);
}

const ipAddress = 'The IP address.';

const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sessions: { address: 'The IP address that signed in.' },
  audit_entries: { address: 'The IP address from which it was done; null if it was no request.' },
  key_calls: { last_called_address: ipAddress },
  refresh_tokens: { last_used_address: ipAddress, scopes: 'What a named key may do.' },
  deliveries: {
    leg: 'Whether it goes to the service or to the GP practice.',
    channel: 'How it was sent last; null before the first attempt.',
    simulated: 'Whether the referral is simulated, so that nothing leaves the site.',
  },
  delivery_attempts: {
    outcome: 'What came of the attempt, or what a later report said.',
    channel: 'How it was sent.',
  },
  organisations: { name: 'Unique among organisations outside the library.' },
  practices: { channels: 'How letters reach it, in the order in which they are tried.' },
  library_changes: { field_name: 'The field that changed, as HSDS calls it.' },
  library_changing: { transaction: 'The id that PostgreSQL gave the transaction.' },
  looks: {
    side: 'The side on which the reader of an opened referral was; null for a search.',
    key_name: 'The name of the key that a client system used, if it has one.',
  },
  looks_in_lists: { referral_ids: 'Those that were seen that day.' },
  worklist: { escalated: 'Whether it is here for the second time, after five days without an answer.' },
  simulated_steps: { act: 'What the service does, or what a report says about the delivery.' },
  referral_deaths: { date: 'The date of death, if it was told.' },
  referral_history: { actor_name: 'As it was then.' },
  retention_decisions: { decision: 'Whether the record is erased or kept.' },
  report_figures: {
    numerator: 'How many of n the figure is about; null for a figure that is no share.',
    value: 'The figure itself.',
    low: 'The lower end of the 95 % interval.',
    high: 'The upper end of the 95 % interval.',
  },
  record_requests: { words: 'What the person wrote.' },
  record_copy_marks: { place_in_words: 'The part, as pages call it.' },
  end_measures_due: { reminded: 'Who was reminded: the person or staff.' },
  service_hours: {
    monthly: 'Whether it repeats by the month; otherwise by the week.',
    remainder: 'See every.',
  },
  service_capacity: { set_at: 'When it was last said. An older report changes nothing.' },
  number_attempts: { at: 'When these details were last sent with the number.' },
};
