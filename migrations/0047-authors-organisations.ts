import { type Kysely, sql } from 'kysely';

/**
 * Which organisation the author of a line, message, file or change belonged to. What staff of a restricted service wrote is hidden by
 * it: a name may be shared, and changes. Also one definition of a practice's letters, and indexes for reads that went through whole
 * tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Names stay as they were written, so an old row gets its organisation only if the name still says which it is.
  const authored = [
    { table: 'referral_history', by: 'actor', trigger: 'referral_history_append_only' },
    { table: 'referral_messages', by: 'author', trigger: 'referral_messages_append_only' },
    { table: 'referral_attachments', by: 'author' },
    { table: 'referral_changes', by: 'author' },
  ];
  for (const { table, by, trigger } of authored) {
    const [name, id, account] = [`${by}_organisation`, `${by}_organisation_id`, `${by}_id`].map((each) =>
      sql.ref(each),
    );
    await sql`alter table ${sql.table(table)} add column ${id} uuid`.execute(db);
    if (trigger) await sql`alter table ${sql.table(table)} disable trigger ${sql.ref(trigger)}`.execute(db);
    await sql`
      update ${sql.table(table)} t set ${id} = named.id
      from (
        select account_id, name, coalesce(
          (select o.id from accounts a join organisations o on o.id = a.organisation_id
            where a.id = account_id and o.name = author.name),
          (select min(o.id::text)::uuid from organisations o where o.name = author.name having count(*) = 1)) as id
        from (select distinct ${account} as account_id, ${name} as name from ${sql.table(table)}) as author) as named
      where named.account_id = t.${account} and named.name = t.${name}`.execute(db);
    if (trigger) await sql`alter table ${sql.table(table)} enable trigger ${sql.ref(trigger)}`.execute(db);
  }
  // The letters to GP practices that went out, or still may: also one that was stopped after an attempt that may have arrived.
  await sql`
    create view practice_letters as
    select id, referral_id, referral_version, purpose, recipient_code, status, created_at from deliveries
    where leg = 'gp_practice' and message_id is not null and (status <> 'suppressed' or exists (
      select from delivery_attempts t
      where t.delivery_id = deliveries.id and t.outcome not in ('failed', 'will-retry')))`.execute(db);
  // Who looked for a person, by the NHS number or the last name that was typed.
  await sql`create index looks_number on looks (number_key) where number_key is not null`.execute(db);
  await sql`create index looks_surname on looks (surname_key) where surname_key is not null`.execute(db);
  // None for `looks_in_lists.referral_ids`: each view of a list would write all its ids to the index again. There is one row for each
  // account and day, so a search for one person, which is rare, reads the table.
  // For the erasure of a referral, and of a delivery.
  await sql`create index idempotency_keys_referral on idempotency_keys (referral_id)`.execute(db);
  await sql`create index simulated_steps_delivery on simulated_steps (delivery_id) where delivery_id is not null`.execute(
    db,
  );
}
