import type { Actor } from '../../audit/index.ts';
import { type Admitted, admitted, type Request } from '../../platform/http/index.ts';
import type { Account, Organisation, Role } from './account.ts';

/** Who is calling, as every action demands it. Made only by the checks of a session or a token. */
export type Caller = Admitted & {
  readonly email: string;
  readonly roles: readonly Role[];
  readonly organisation: Organisation | null;
  readonly apiAccess: boolean;
  readonly via: 'session' | 'token';
};

/** The caller of a route that lets nobody in without one. @throws Error (a bug) where the route lets anyone in. */
export function requireCaller(request: Request): Caller {
  const caller = admitted(request);
  if (!caller) throw new Error('this route has no caller: declare its access as signedIn() or withToken()');
  return caller as Caller;
}

/** An account as the caller of an action; `via` says what showed that it is they. */
export function callerOf(account: Account, via: Caller['via']): Caller {
  const { id, name, email, roles, organisation, apiAccess } = account;
  return { accountId: id, name, email, roles, organisation, apiAccess, via };
}

/** The caller as the audit names it, and where from. */
export function actorOf(caller: Caller, address?: string): Actor {
  return {
    id: caller.accountId,
    name: caller.name,
    role: caller.roles.join(','),
    organisation: caller.organisation?.name,
    address,
  };
}

/** What the command line does, it does as whoever may run it on the site's machine. */
export const commandLine: Actor = { name: 'command line', role: 'operator' };

/** What the site does by itself. */
export const theSite: Actor = { name: 'the site' };
