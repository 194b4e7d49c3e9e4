import { recordRefusal } from '../audit/index.ts';
import type { Admitted, Request } from '../platform/http/index.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { actorOf, type Caller } from './caller.ts';

/** Writes down that somebody tried what their roles do not allow: which page or call, by its pattern. */
export function noteForbidden(deps: Platform) {
  return (request: Request, caller: Admitted): void => {
    const route = `${request.method} ${request.routeOptions.url}`;
    recordRefusal(deps, {
      actor: actorOf(caller as Caller, request.ip),
      action: 'route.called',
      subject: { type: 'route', id: route },
    }).catch((error) => deps.log.warn({ error: describeError(error) }, 'a refusal was not written down'));
  };
}
