import { isUuid } from '../ids/index.ts';
import { badRequest, Problem } from '../problem/index.ts';

/** Lists are paged by the id of the last item, in the order of the list, so that new items shift no page. */
export type PagedListQuery = { cursor?: string | undefined; limit: number };
export type PagedList<T> = { items: T[]; next_cursor: string | null };

/** A page of `limit` items. `rows` has one more item if there is a next page. */
export function pageOfRows<T extends { id: string }>(rows: readonly T[], limit: number): PagedList<T> {
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? idCursor(items.at(-1)!.id) : null };
}

/** A page of a list that is short enough to be read whole. @throws Problem `bad-request`, as `readIdCursor` does. */
export function pageOfWholeList<T extends { id: string }>(
  whole: readonly T[],
  page: PagedListQuery,
): PagedList<T> {
  const after = readIdCursor(page.cursor);
  const index = whole.findIndex(({ id }) => id === after);
  if (after !== undefined && index < 0) return { items: [], next_cursor: null };
  return pageOfRows(whole.slice(index + 1), page.limit);
}

function idCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** @throws Problem `bad-request` for a cursor that is not one of ours. */
export function readIdCursor(cursor: string | undefined, pointer = '/query/cursor'): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (isUuid(id)) return id;
  throw cursorProblem(pointer);
}

/** A cursor for a list that is not ordered by ids: the key of the last item on the page. */
export function keyCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

/** The key in a cursor. @throws Problem `bad-request` unless the key has the list's `shape`. */
export function readKeyCursor(cursor: string | undefined, shape: Pick<RegExp, 'test'>): string | undefined {
  if (cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (shape.test(key)) return key;
  throw cursorProblem('/query/cursor');
}

function cursorProblem(pointer: string): Problem {
  const errors = [{ pointer, message: 'must be the next_cursor of an earlier answer' }];
  return new Problem(badRequest, 'Start from the beginning by leaving the cursor out.', { errors });
}
