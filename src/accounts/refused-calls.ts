import { type RefusedObject, recordRefusalOncePerMinute, recordRefusedObject } from '../audit/index.ts';
import { type CallerIdentity, hasRole, type Request } from '../platform/http/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { actorOf, type Caller } from './model/caller.ts';

/** Audits that somebody tried a page or a call that their roles do not allow, by the pattern of its address. */
export function auditWrongRole(deps: Platform) {
  return (request: Request, caller: CallerIdentity): void => {
    const route = `${request.method} ${request.routeOptions.url}`;
    recordRefusalOncePerMinute(deps, {
      actor: actorOf(caller as Caller, request.ip),
      action: 'route.called',
      subject: { type: 'route', id: route },
    }).catch((error) => deps.log.warn({ error: describeError(error) }, 'a refusal was not written down'));
  };
}

/** The things that belong to an organisation or an account, by the first part of their address. */
const kinds: Readonly<Record<string, RefusedObject['subject']['type']>> = {
  referrals: 'referral',
  deliveries: 'delivery',
  webhooks: 'webhook',
  lists: 'list',
};

/**
 * Audits that somebody asked for a thing that is not theirs or does not exist: both have the same answer and the same
 * entry. Calls that their roles do not allow have an entry of their own.
 */
export function auditRefusedObject(deps: Platform) {
  return (request: Request, caller: CallerIdentity): void => {
    const { url = '' } = request.routeOptions;
    const [, noun = ''] = /^\/(?:api\/|operator\/)?(\w+)\/:/.exec(url) ?? [];
    const type = kinds[noun];
    const { id = '' } = (request.params ?? {}) as { id?: string };
    if (type === undefined || !isUuid(id) || !hasRole(request, caller)) return;
    recordRefusedObject(deps, {
      actor: actorOf(caller as Caller, request.ip),
      subject: { type, id },
      route: `${request.method} ${url}`,
    }).catch((error) => deps.log.warn({ error: describeError(error) }, 'a refusal was not written down'));
  };
}
