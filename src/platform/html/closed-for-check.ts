import { hourMs, secondMs } from '../durations.ts';
import type { Reply, Request } from '../http/index.ts';
import { unavailable } from '../problem/index.ts';
import { contactOf, type Settings } from '../settings/index.ts';
import type { Pages } from './pages.ts';

/**
 * Answers a link while a restored site is being checked: the link may have been ended, or have gone to an address that was replaced, since the
 * backup was made. Every link gets the same answer, even a guessed one.
 */
export function sendClosedForCheck(
  { pages, settings }: { pages: Pages; settings: Settings },
  request: Request,
  reply: Reply,
  template: string,
): Reply {
  reply.code(unavailable.status).header('retry-after', hourMs / secondMs);
  return pages.send(request, reply, template, { operatorContact: contactOf(settings) });
}
