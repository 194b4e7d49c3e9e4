import { badRequest, Problem } from '../../platform/problem/index.ts';

const shape = /^[A-Z0-9]{3,12}$/;

/** Where the next page begins: after the practice with this code. */
export function cursorAfter(odsCode: string): string {
  return Buffer.from(odsCode).toString('base64url');
}

/** @throws Problem `bad-request` for a cursor that is not one of ours. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const code = Buffer.from(cursor, 'base64url').toString('latin1');
  if (shape.test(code)) return code;
  const errors = [{ pointer: '/query/cursor', message: 'must be the next_cursor of an earlier answer' }];
  throw new Problem(badRequest, 'Start from the beginning by leaving the cursor out.', { errors });
}
