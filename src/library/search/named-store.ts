import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Window } from '../catalogue/window-of.ts';
import { startOf } from './deep-pages-store.ts';
import { libraryVersion, type Part, totalOf } from './remembered-store.ts';
import type { Found, Listing } from './search-listing.ts';
import type { TextQuery } from './text-query.ts';
import { matches, rankOf } from './text-store.ts';

/** Rows of a table that are listed by their names: which, and what is answered of each. A row is called `s`. */
export type NamedRows = {
  table: 'organizations' | 'taxonomies' | 'taxonomy_terms';
  where: readonly RawBuilder<unknown>[];
  content: RawBuilder<string>;
};

/** Whoever looks for a name wants that one. */
const enough = 1;

/** @param key the same for the same rows and content alone. */
export function namedListing(db: Db, key: string, rows: NamedRows): Listing {
  return {
    key: () => key,
    isCommon: true,
    enough,
    look: async (text) => ({
      total: text ? await countNamedUpTo(db, rows, text, enough) : enough,
      page: (window) => findNamed(db, rows, text, window),
      lines: () => namedLines(db, rows, text),
    }),
  };
}

async function findNamed(
  db: Db,
  rows: NamedRows,
  text: TextQuery | undefined,
  window: Window,
): Promise<Found> {
  const from = sql`${sql.table(rows.table)} as s`;
  const where = conditions(rows, text);
  const fitting = sql`from ${from} where ${where}`;
  const start = text
    ? { after: sql`true`, offset: window.offset }
    : await startOf(db, window.offset, fitting, ['s.sort_name', 's.id']);
  const { rows: found } = await sql<Omit<Part, 'contents'> & { contents: string }>`
    with page as materialized (
      select s.id, s.sort_name, ${text ? rankOf(text) : sql`0`} as rank ${fitting} and ${start.after}
      order by rank desc, s.sort_name, s.id limit ${window.limit} offset ${start.offset})
    select ${libraryVersion} as version, count(*) as size,
      coalesce(string_agg(${rows.content}, ',' order by page.rank desc, page.sort_name, page.id), '') as contents
    from page join ${from} on s.id = page.id`.execute(db);
  const page = { ...found[0]!, contents: [found[0]!.contents] };
  return { ...page, total: await totalOf(db, page, window, fitting) };
}

async function countNamedUpTo(db: Db, rows: NamedRows, text: TextQuery, most: number): Promise<number> {
  const { rows: found } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${sql.table(rows.table)} as s where ${conditions(rows, text)} limit ${most}) as fitting`.execute(
    db,
  );
  return found[0]!.count;
}

const linesAtOnce = 500;

async function* namedLines(db: Db, rows: NamedRows, text: TextQuery | undefined): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const { rows: found } = await sql<{ id: string; content: string }>`
      select s.id, ${rows.content} as content from ${sql.table(rows.table)} as s
      where ${conditions(rows, text)} and s.id > ${after} order by s.id limit ${linesAtOnce}`.execute(db);
    if (found.length > 0) yield found.map(({ content }) => `${content}\n`).join('');
    if (found.length < linesAtOnce) return;
    after = found.at(-1)!.id;
  }
}

function conditions({ where }: NamedRows, text: TextQuery | undefined): RawBuilder<unknown> {
  return sql.join(text ? [matches(text), ...where] : [sql`true`, ...where], sql` and `);
}
