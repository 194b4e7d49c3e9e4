import { badRequest, Problem } from '../platform/problem/index.ts';

/** The key of a practice. */
export const odsCodeShape = /^[A-Z0-9]{3,12}$/;

/** Where the next page of a list begins: after the entry with this key. */
export function cursorAfter(key: string): string {
  return Buffer.from(key).toString('base64url');
}

/** The key in a cursor. @throws Problem `bad-request` for one whose key is not of the list's `shape`. */
export function readCursor(cursor: string | undefined, shape: Pick<RegExp, 'test'>): string | undefined {
  if (cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (shape.test(key)) return key;
  const errors = [{ pointer: '/query/cursor', message: 'must be the next_cursor of an earlier answer' }];
  throw new Problem(badRequest, 'Start from the beginning by leaving the cursor out.', { errors });
}
