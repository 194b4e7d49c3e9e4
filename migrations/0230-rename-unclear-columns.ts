import { type Kysely, sql } from 'kysely';

/** Renames columns, and a step of the escalation, whose names had to be looked up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    ['delivery_address_history', 'what', 'kind'],
    ['offline_copies', 'passphrase', 'sealed_password'],
    ['report_facts', 'left_low', 'left_low_band'],
    ['self_referrals', 'told_late_at', 'told_overdue_at'],
  ] as const;
  for (const [table, from, to] of columns) {
    await sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
  }
  await sql`alter table unseen_news drop constraint unseen_news_next_step_check`.execute(db);
  await sql`update unseen_news set next_step = 'colleagues' where next_step = 'deputy'`.execute(db);
  await sql`
    alter table unseen_news add constraint unseen_news_next_step_check
      check (next_step in ('owner', 'colleagues', 'operators'))`.execute(db);
  await sql`comment on column unseen_news.next_step is
    'Who is told next: the owner, the others of that side, or the operators.'`.execute(db);
}
