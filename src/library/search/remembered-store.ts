import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Db, type Notices, type UntilNews, untilNews } from '../../platform/database/index.ts';
import { oncePerTurn } from '../../platform/once-per-turn.ts';
import { oneForEach } from '../../platform/one-for-each.ts';

/** The version of the library that a statement sees: it grows with each transaction that changes the library. */
export const libraryVersion = sql<number>`(select version from library_version)`;

/** The topic of the news that the library changed, which the database sends by itself. */
export const libraryChanged = 'library';

const heeded = new WeakMap<Db, UntilNews<number>>();
const questionOf = oneForEach((db: Db) => oncePerTurn(() => askVersion(db)));

/** From now on the version is asked for only when there is news of the library. For processes that hear news. */
export function heedLibraryNews(db: Db, notices: Notices): void {
  heeded.set(
    db,
    untilNews(notices, libraryChanged, () => askVersion(db)),
  );
}

/**
 * The same, known or asked for by itself: for every page that is read. All that ask in one turn of the event loop share
 * one question, which goes out after them. Either way, whoever has just changed the library sees the change.
 */
export function readLibraryVersion(db: Db): number | Promise<number> {
  if (db.isTransaction) return askVersion(db);
  const version = heeded.get(db);
  if (version) return version.get();
  return questionOf(db)();
}

async function askVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    /* prepared as library-version */ select version from library_version`.execute(db);
  return rows[0]!.version;
}

const mostRemembered = 2000;
/** In all of them, some 40 MB: what almost every service has, anybody may ask for in ever other words. */
const mostRows = 400_000;

type Remembered = { version: number; rows: readonly unknown[] };

const memoryOf = oneForEach(
  (_: Db) =>
    new LRUCache<string, Remembered>({
      max: mostRemembered,
      maxSize: mostRows,
      sizeCalculation: ({ rows }) => rows.length + 1,
    }),
);

/**
 * The answer of a query, which is asked again only when the library is no longer what it was: counting all that fits
 * takes longer the larger the library is, and reading a page does not.
 * @param version that the caller saw before.
 */
export async function remembered<T>(db: Db, version: number, query: RawBuilder<T>): Promise<readonly T[]> {
  // What a transaction sees of its own is nobody else's yet.
  if (db.isTransaction) return (await query.execute(db)).rows;
  const memory = memoryOf(db);
  const compiled = query.compile(db);
  const key = JSON.stringify([compiled.sql, compiled.parameters]);
  const known = memory.get(key);
  if (known?.version === version) return known.rows as T[];
  const { rows } = await db.executeQuery<T>(compiled);
  // They may be of a later version already, which does no harm: whoever sees that one asks again.
  memory.set(key, { version, rows });
  return rows;
}

/** Letters of pages and of their keys that are kept: some forty of fifty services in full, or five hundred of twenty in short. */
export const mostLetters = 8_000_000;

const pageMemoryOf = oneForEach(
  (_: Db) =>
    new LRUCache<string, { version: number; page: Part }>({
      maxSize: mostLetters,
      sizeCalculation: ({ page }, key) => 1000 + key.length + lettersOf(page),
    }),
);

/**
 * A page that was read under the same version of the library, or else what `read` gives: what one person looks for
 * others have looked for, above all while they type.
 */
export async function rememberedPage<Page extends Part>(
  db: Db,
  key: string,
  read: (version: number) => Promise<Page>,
): Promise<Page> {
  const version = await readLibraryVersion(db);
  if (db.isTransaction) return read(version);
  const memory = pageMemoryOf(db);
  const known = memory.get(key);
  if (known?.version === version) return known.page as Page;
  const page = await read(version);
  // One that was read of a later version is right for that one alone.
  memory.set(key, { version: page.version, page });
  return page;
}

/** A page that was read under the version which is known to be the library's, without a question to the database. */
export function recallPage<Page extends Part>(db: Db, key: string): Page | undefined {
  const known = pageMemoryOf(db).get(key);
  return known && known.version === heeded.get(db)?.known() ? (known.page as Page) : undefined;
}

/** A page as it is read, before it is known how many there are in all. A text of `contents` may be several, with commas. */
export type Part = { version: number; size: number; contents: readonly string[] };

/** How long a page is, nearly: counted without making one text of those that share a part. */
export function lettersOf({ contents }: Part): number {
  return contents.reduce((sum, { length }) => sum + length, 0);
}

/** How many rows a list has in all. @param rows `from … where …` */
export async function totalOf(
  db: Db,
  { version, size }: Part,
  { limit, offset }: { limit: number; offset: number },
  rows: RawBuilder<unknown>,
): Promise<number> {
  const isEnd = size > 0 ? size < limit : offset === 0;
  if (isEnd) return offset + size;
  const [counted] = await remembered(db, version, sql<{ total: number }>`select count(*) as total ${rows}`);
  return counted!.total;
}
