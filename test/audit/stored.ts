import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Trx } from '../../src/platform/database/index.ts';
import type { AuditEntries } from '../../src/platform/database/tables.ts';

// What the database holds of the audit, for tests that look behind the pages and the API; and what somebody could do
// to it who owns the database.

type EntryFilter = {
  action?: string;
  actorId?: string;
  actorName?: string;
  subjectId?: string;
  outcome?: 'done' | 'refused';
};
type StoredEntry = Selectable<AuditEntries> & { details: any };

/** The entries of the audit that match, the oldest first. */
export async function storedEntries(db: Db, filter: EntryFilter): Promise<StoredEntry[]> {
  let entries = db.selectFrom('audit_entries').selectAll().orderBy('id');
  if (filter.action !== undefined) entries = entries.where('action', '=', filter.action);
  if (filter.actorId !== undefined) entries = entries.where('actor_id', '=', filter.actorId);
  if (filter.actorName !== undefined) entries = entries.where('actor_name', '=', filter.actorName);
  if (filter.subjectId !== undefined) entries = entries.where('subject_id', '=', filter.subjectId);
  if (filter.outcome !== undefined) entries = entries.where('outcome', '=', filter.outcome);
  return entries.execute();
}

/** Changes what an entry says. */
export async function changeStoredEntry(db: Db, id: number, change: Updateable<AuditEntries>): Promise<void> {
  await db.updateTable('audit_entries').set(change).where('id', '=', id).execute();
}

type SealedColumn = Exclude<keyof AuditEntries, 'id' | 'writer' | 'number' | 'code'>;

const smallChanges: Readonly<Record<SealedColumn, RawBuilder<unknown>>> = {
  at: sql`at + interval '1 microsecond'`,
  actor_id: sql`gen_random_uuid()`,
  actor_name: sql`'Somebody Else'`,
  actor_role: sql`null`,
  organisation: sql`''`,
  action: sql`'account.disabled'`,
  subject_type: sql`'referral'`,
  subject_id: sql`'x'`,
  outcome: sql`'refused'`,
  address: sql`null`,
  details: sql`'{"number": 30}'`,
};

/** The columns that a seal covers, besides the id. */
export const sealedColumns = Object.keys(smallChanges) as readonly SealedColumn[];

/** Changes one column of an entry, the time by no more than a microsecond. */
export async function changeColumn(trx: Trx, id: number, column: SealedColumn): Promise<void> {
  await sql`update audit_entries set ${sql.id(column)} = ${smallChanges[column]} where id = ${id}`.execute(
    trx,
  );
}

/** Two entries exchange what they say of the action and its details. */
export async function swapEntries(trx: Trx, id: number, otherId: number): Promise<void> {
  await sql`
    update audit_entries a set action = b.action, details = b.details from audit_entries b
    where (a.id, b.id) in ((${id}, ${otherId}), (${otherId}, ${id}))`.execute(trx);
}

/** The links at two positions exchange their entries. */
export async function swapLinks(trx: Trx, position: number, otherPosition: number): Promise<void> {
  const entryAt = async (at: number) =>
    (
      await trx
        .selectFrom('audit_links')
        .select('entry_id')
        .where('position', '=', at)
        .executeTakeFirstOrThrow()
    ).entry_id;
  const setEntry = (at: number, entryId: number) =>
    trx.updateTable('audit_links').set({ entry_id: entryId }).where('position', '=', at).execute();
  const [first, second] = [await entryAt(position), await entryAt(otherPosition)];
  // An entry has one link, so the first gives up its own before the second takes it.
  await setEntry(position, -1);
  await setEntry(otherPosition, first);
  await setEntry(position, second);
}

/** Deletes the entries at these positions of the chain. Their links stay. */
export async function deleteEntriesAt(trx: Trx, from: number, to = from): Promise<void> {
  const links = trx.selectFrom('audit_links').select('entry_id').where('position', '>=', from);
  await trx
    .deleteFrom('audit_entries')
    .where('id', 'in', links.where('position', '<=', to))
    .execute();
}

/** Deletes the links at these positions of the chain. Their entries stay. */
export async function deleteLinksAt(trx: Trx, from: number, to = from): Promise<void> {
  await trx.deleteFrom('audit_links').where('position', '>=', from).where('position', '<=', to).execute();
}

/** Moves the links after a position up by one. */
export async function moveLinksUp(trx: Trx, after: number): Promise<void> {
  await sql`update audit_links set position = position - 1 where position > ${after}`.execute(trx);
}

/** Deletes an entry that waits for its link. */
export async function deleteUnsealedEntry(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('audit_entries').where('id', '=', id).execute();
  await trx.deleteFrom('audit_unsealed').where('entry_id', '=', id).execute();
}

export type KeptPosition = { position: number; entryId: number; hash: Buffer; entry: string };

/** What the chain has at a position, so that it can be put back later. */
export async function keepPosition(db: Db, position: number): Promise<KeptPosition> {
  const { rows } = await sql<KeptPosition>`
    select l.position, l.entry_id as "entryId", l.hash, row_to_json(e)::text as entry
    from audit_links l join audit_entries e on e.id = l.entry_id where l.position = ${position}`.execute(db);
  return rows[0]!;
}

/** Puts the entry and the link of a position back as they were. */
export async function restorePosition(
  trx: Trx,
  { position, entryId, hash, entry }: KeptPosition,
): Promise<void> {
  await sql`
    insert into audit_entries overriding system value
    select * from json_populate_record(null::audit_entries, ${entry}::json)`.execute(trx);
  await trx
    .insertInto('audit_links')
    .values({ position, entry_id: entryId, hash, sealed_at: new Date() })
    .execute();
}

/** Stores an entry without a signature, which does not even wait for its link. @returns its id. */
export async function storeUnsignedEntry(db: Db, at: Date = new Date()): Promise<number> {
  const entry = { at, actor_name: 'Asha Patel', action: 'account.created', outcome: 'done' };
  const stored = db.insertInto('audit_entries').values(entry).returning('id');
  return (await stored.executeTakeFirstOrThrow()).id;
}

/** Has an entry wait for its link. */
export async function queueForSealing(db: Db, entryId: number): Promise<void> {
  await db.insertInto('audit_unsealed').values({ entry_id: entryId }).execute();
}

/** Stores a copy of the newest entry with its signature, changed as given. @returns its id. */
export async function copyNewestEntry(
  db: Db,
  change: (newest: StoredEntry) => Updateable<AuditEntries> = () => ({}),
): Promise<number> {
  const newest = (await storedEntries(db, {})).at(-1)!;
  const { id: _, ...columns } = newest;
  const copy = db
    .insertInto('audit_entries')
    .values({ ...columns, ...change(newest) } as never)
    .returning('id');
  return (await copy.executeTakeFirstOrThrow()).id;
}

/** Gives an entry a link whose hash is a guess. */
export async function forgeLink(db: Db, position: number, entryId: number): Promise<void> {
  const hash = sql<Buffer>`sha256('a guess')`;
  await db
    .insertInto('audit_links')
    .values({ position, entry_id: entryId, hash, sealed_at: new Date() })
    .execute();
}

/** Does the work while a trigger drops every entry of an actor before it is stored. */
export async function whileDroppingEntriesOf(
  db: Db,
  actorName: string,
  work: () => Promise<unknown>,
): Promise<void> {
  await sql`
    create function drop_entry() returns trigger language plpgsql as
    $$ begin if new.actor_name = tg_argv[0] then return null; end if; return new; end $$`.execute(db);
  await sql`
    create trigger drop_entry before insert on audit_entries
    for each row execute function drop_entry(${sql.lit(actorName)})`.execute(db);
  try {
    await work();
  } finally {
    await sql`drop function drop_entry cascade`.execute(db);
  }
}

/** Stores one unsigned entry for each set of details. */
export async function storeEntries(
  db: Db,
  action: string,
  entries: readonly { at: Date; details: object }[],
): Promise<void> {
  const rows = entries.map(({ at, details }) => ({ at, action, actor_name: 'x', outcome: 'done', details }));
  await db
    .insertInto('audit_entries')
    .values(rows as never)
    .execute();
}
