import { isUuid } from '../platform/ids/index.ts';
import { badRequest, Problem } from '../platform/problem/index.ts';

/** A page of a list, newest first: at most so many, and where it goes on. Ids do not change, so neither do pages. */
export type PageRequest = { cursor?: string | undefined; limit: number };
export type Page<T> = { items: T[]; next_cursor: string | null };

/** The page of what was found when one more was asked for than is wanted. */
export function pageOf<T extends { id: string }>(found: readonly T[], limit: number): Page<T> {
  const items = found.slice(0, limit);
  return { items, next_cursor: found.length > limit ? cursorAfter(items.at(-1)!.id) : null };
}

/** The page of a list that is short enough to be at hand whole. @throws Problem `bad-request` as below. */
export function pageWithin<T extends { id: string }>(whole: readonly T[], page: PageRequest): Page<T> {
  const after = readCursor(page.cursor);
  const place = whole.findIndex(({ id }) => id === after);
  if (after !== undefined && place < 0) return { items: [], next_cursor: null };
  return pageOf(whole.slice(place + 1), page.limit);
}

function cursorAfter(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** @throws Problem `bad-request` for a cursor that is not one of ours. */
export function readCursor(cursor: string | undefined, pointer = '/query/cursor'): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (isUuid(id)) return id;
  const errors = [{ pointer, message: 'must be the next_cursor of an earlier answer' }];
  throw new Problem(badRequest, 'Start from the beginning by leaving the cursor out.', { errors });
}
