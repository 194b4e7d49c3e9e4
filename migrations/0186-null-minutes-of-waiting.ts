import { type Kysely, sql } from 'kysely';

const waits = {
  answer_minutes: {
    until: 'coalesce(answered_at, ended_at) - sent_at',
    comment: 'Minutes from sending to the first answer, or else to the end. Null while neither has come.',
  },
  contact_minutes: {
    until: 'coalesce(first_contact_at, ended_at) - sent_at',
    comment: 'Minutes from sending to the first contact, or else to the end. Null while neither has come.',
  },
  start_minutes: {
    until: 'coalesce(started_at, ended_at) - accepted_at',
    comment: 'Minutes from acceptance to the start, or else to the end. Null while neither has come.',
  },
};

/**
 * Those who still waited had 0 minutes, because `greatest` leaves nulls out. So they counted twice, and medians were too long, or missing, where
 * answers came within the hour.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, { until, comment }] of Object.entries(waits)) {
    const minutes = `greatest(0, floor(extract(epoch from ${until}) / 60))::integer`;
    await sql`alter table report_facts drop column ${sql.ref(name)}`.execute(db);
    await sql`
      alter table report_facts add column ${sql.ref(name)} integer
        generated always as (case when ${sql.raw(until)} is not null then ${sql.raw(minutes)} end) stored`.execute(
      db,
    );
    await sql`comment on column report_facts.${sql.ref(name)} is ${sql.lit(comment)}`.execute(db);
  }
  // Every day is counted again. Months that are published stay as they are.
  await sql`update report_days set counts = null`.execute(db);
  await sql`update report_month_counts set counts = null`.execute(db);
}
