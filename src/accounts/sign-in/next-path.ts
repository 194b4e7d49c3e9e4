import { Type } from 'typebox';
import { withNext } from '../../platform/http/index.ts';

/** The path to go to after the sign-in. Encoded, a return address of 2,000 characters is three times as long. */
export const nextSchema = Type.Optional(Type.String({ maxLength: 8000 }));

/** The path of a page that leads to `next` afterwards, if that is a path on this site. */
export function withOwnNext(next: string | undefined, page: string): string {
  const nextPath = pathOfThisSite(next);
  return nextPath === undefined ? page : withNext(page, nextPath);
}

/** @returns the path if it is on this site; otherwise undefined, so that nobody is led to another site. */
export function pathOfThisSite(next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return undefined;
  return next;
}
