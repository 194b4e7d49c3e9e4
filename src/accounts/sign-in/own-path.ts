import { Type } from 'typebox';

/** Where to go on to after signing in. A return address of 2,000 characters is three times as long in here. */
export const nextSchema = Type.Optional(Type.String({ maxLength: 8000 }));

/** A page of ours that afterwards leads on to `next`, if that is a path on this site. */
export function onTheWayTo(next: string | undefined, page: string): string {
  const goOn = ownPath(next);
  if (goOn === undefined) return page;
  return `${page}${page.includes('?') ? '&' : '?'}next=${encodeURIComponent(goOn)}`;
}

/** A path on this site, to go back to after signing in; anything else is dropped, so that nobody is led away. */
export function ownPath(next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return undefined;
  return next;
}
