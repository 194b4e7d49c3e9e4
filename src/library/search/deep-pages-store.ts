import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { readLibraryVersion, remembered } from './remembered-store.ts';

/** Where a page is read from: a condition on its rows, and how many of them are passed over. */
export type Start = { after: RawBuilder<unknown>; offset: number };

const rowsBetweenMarks = 2000;

/**
 * Where to begin with a page of a list that is sorted by these columns, so that a page far down takes no longer than the
 * first: every so many rows one is remembered, and read on from.
 * @param rows `from … where …`
 */
export async function startOf(
  db: Db,
  offset: number,
  rows: RawBuilder<unknown>,
  columns: readonly string[],
): Promise<Start> {
  const mark = Math.floor(offset / rowsBetweenMarks);
  if (mark === 0) return { after: sql`true`, offset };
  const keys = sql.join(columns.map((column) => sql.ref(column)));
  const named = sql.join(columns.map((column, index) => sql`${sql.ref(column)} as ${sql.id(`key${index}`)}`));
  const marks = await remembered(
    db,
    await readLibraryVersion(db),
    sql<Record<string, string | number>>`
      select * from (select ${named}, row_number() over (order by ${keys}) as place ${rows}) as numbered
      where place % ${rowsBetweenMarks}::int = 0 order by place`,
  );
  const last = marks[mark - 1];
  if (!last) return { after: sql`false`, offset };
  const values = sql.join(columns.map((_, index) => sql`${last[`key${index}`]}`));
  return { after: sql`(${keys}) > (${values})`, offset: offset % rowsBetweenMarks };
}
