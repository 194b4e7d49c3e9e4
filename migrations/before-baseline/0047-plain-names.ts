import { type Kysely, sql } from 'kysely';

/** Names that had to be explained. From here the tables are those of the baseline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    ['deliveries', 'tracked_as', 'external_id'],
    ['deliveries', 'attempts_set_aside', 'attempts_before_restart'],
    ['deliveries', 'look_again_at', 'follow_up_at'],
    ['referrals', 'seen_to_at', 'resolved_at'],
    ['referrals', 'seen_to_by', 'resolved_by'],
    ['throttles', 'open_at', 'blocked_until'],
    ['throttles', 'vouched_until', 'trusted_until'],
    ['service_capacity', 'said_at', 'set_at'],
    ['service_capacity', 'said_by', 'set_by'],
  ] as const;
  for (const [table, from, to] of columns) {
    await sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
  }
  await sql`alter index deliveries_to_look_at rename to deliveries_follow_up_at`.execute(db);
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
  await renameJobs(db);
  await sql`alter index loose_ends_open rename to unmatched_items_open`.execute(db);
}

/** Scheduled jobs: what the old names still have waiting is dropped, since the schedule adds it again under the new ones. */
async function renameJobs(db: Kysely<unknown>): Promise<void> {
  const names = {
    'greet-mesh': 'handshake-with-exchange',
    'tell-of-troubles': 'report-troubles',
    'tell-operators': 'remind-operators',
    'tend-deliveries': 'restore-delivery-jobs',
    'tend-loose-ends': 'collect-unmatched',
    'tend-responsiveness': 'update-responsiveness',
    'tend-waiting': 'remind-overdue',
  };
  for (const [from, to] of Object.entries(names)) {
    await sql`update job_turns set job = ${to} where job = ${from}`.execute(db);
    await sql`
      select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs where task_identifier = ${from} and locked_at is null))`.execute(
      db,
    );
  }
}
