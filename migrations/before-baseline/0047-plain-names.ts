import { type Kysely, sql } from 'kysely';

/** Names that had to be explained. From here the tables are those of the baseline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    ['deliveries', 'tracked_as', 'external_id'],
    ['deliveries', 'attempts_set_aside', 'attempts_before_restart'],
    ['deliveries', 'look_again_at', 'follow_up_at'],
    ['referrals', 'seen_to_at', 'resolved_at'],
    ['referrals', 'seen_to_by', 'resolved_by'],
    ['throttles', 'vouched_until', 'trusted_until'],
    ['service_capacity', 'said_at', 'set_at'],
    ['service_capacity', 'said_by', 'set_by'],
  ] as const;
  for (const [table, from, to] of columns) {
    await sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
  }
  await sql`alter index deliveries_tracked rename to deliveries_external_id`.execute(db);
  await sql`alter table loose_ends rename to unmatched_items`.execute(db);
  for (const end of [
    'closed_as_check',
    'closed_by_fkey',
    'kind_check',
    'kind_subject_key',
    'owner_id_fkey',
    'pkey',
  ]) {
    await sql`
      alter table unmatched_items rename constraint ${sql.ref(`loose_ends_${end}`)} to ${sql.ref(`unmatched_items_${end}`)}`.execute(
      db,
    );
  }
  await sql`alter index loose_ends_open rename to unmatched_items_open`.execute(db);
}
