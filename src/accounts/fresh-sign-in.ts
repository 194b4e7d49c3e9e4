import type { Request } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import { findLiveSession } from './session.ts';

/** Keys and rights are given away only by somebody who signed in a short while ago: a computer left alone does not. */
const freshForMs = 15 * 60_000;

/** Whether the person of this request signed in a short while ago. */
export async function isFresh(deps: Platform, request: Request): Promise<boolean> {
  const session = await findLiveSession(deps, request);
  return (
    session !== undefined && deps.clock.now().getTime() - session.authenticatedAt.getTime() <= freshForMs
  );
}

/** Where to sign in once more, and come back from; `back` is a path of this site, the request's own where it is a page. */
export function freshSignInPath(request: Request, back: string = request.url): string {
  return `/signin?next=${encodeURIComponent(back)}`;
}
