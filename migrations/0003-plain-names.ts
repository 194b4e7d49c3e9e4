import { type Kysely, sql } from 'kysely';

/** Renames what had a misleading name, and drops two columns that nothing read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    // The hash of the secret that the cookie holds, beside the row's own id.
    ['sessions', 'id_hash', 'secret_hash'],
    ['sign_in_steps', 'id_hash', 'secret_hash'],
    ['mesh_messages', 'taken_at', 'handled_at'],
    ['mesh_messages', 'understood', 'matched'],
    ['webhooks', 'resting_until', 'paused_until'],
  ] as const;
  for (const [table, from, to] of columns) {
    await sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
  }
  await renameTable(db, 'key_addresses', 'key_networks');
  await renameTable(db, 'library_seen_entries', 'library_handled_records');
  await sql`alter table services drop column imported_at`.execute(db);
  await sql`alter table practices drop column imported_at`.execute(db);
  await renameTriggers(db, 'library_changes', 'mark_library_changing');
  await renameTriggers(db, 'library_changed', 'publish_library_version');
  await renameTriggers(db, 'note_change', 'set_changed_in');
}

async function renameTable(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = ${to}::regclass and starts_with(conname, ${`${from}_`})`.execute(db);
  for (const { name } of rows) {
    await sql`
      alter table ${sql.table(to)} rename constraint ${sql.ref(name)} to ${sql.ref(name.replace(from, to))}`.execute(
      db,
    );
  }
}

/** Renames a trigger function and the triggers with the same name. */
async function renameTriggers(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  await sql`alter function ${sql.ref(from)}() rename to ${sql.ref(to)}`.execute(db);
  const { rows } = await sql<{ table: string }>`
    select tgrelid::regclass::text as table from pg_trigger where tgname = ${from} and not tgisinternal`.execute(
    db,
  );
  for (const { table } of rows) {
    await sql`alter trigger ${sql.ref(from)} on ${sql.table(table)} rename to ${sql.ref(to)}`.execute(db);
  }
}
