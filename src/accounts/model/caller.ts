import type { Actor } from '../../audit/index.ts';
import { type CallerIdentity, type Request, requestCaller } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type Account, fullName, type Organisation, type Role } from './account.ts';
import { needsPerson } from './problems.ts';

/** Who makes a request. Only the checks of a session or a token make one, and actions demand it. */
export type Caller = CallerIdentity & {
  readonly email: string;
  readonly formerNames: readonly string[];
  readonly formerEmails: readonly string[];
  readonly jobTitle: string | null;
  readonly telephone: string | null;
  readonly roles: readonly Role[];
  readonly organisation: Organisation | null;
  readonly hasApiAccess: boolean;
  /** A system and not a person: nothing counts as seen or confirmed because of it. */
  readonly isSystem: boolean;
  readonly via: 'session' | 'token';
  /** The name of the key that the call was made with, unless it is the account's first pair. */
  readonly keyName?: string;
};

/** The caller of a route that requires one. @throws Error (a bug) if the route does not. */
export function requireCaller(request: Request): Caller {
  const caller = requestCaller(request);
  if (!caller) throw new Error('this route has no caller: declare its access as signedIn() or withToken()');
  return caller as Caller;
}

/** Somebody who does something to one thing: who they are, the thing’s id, and their IP address for the audit. */
export type ActionOn = { caller: Caller; id: string; ipAddress: string };

export function actionOn(request: Request, id: string): ActionOn {
  return { caller: requireCaller(request), id, ipAddress: request.ip };
}

/** The caller, on a route that people may also use without signing in. */
export function optionalCaller(request: Request): Caller | undefined {
  return requestCaller(request) as Caller | undefined;
}

/** An account as a caller; `via` says how it was identified. */
export function callerOf(account: Account, via: Caller['via']): Caller {
  const { id, ...known } = account;
  const { email, formerNames, formerEmails, jobTitle, telephone, roles, organisation, hasApiAccess } = known;
  return {
    accountId: id,
    name: fullName(account),
    email,
    formerNames,
    formerEmails,
    jobTitle,
    telephone,
    roles,
    organisation,
    hasApiAccess,
    isSystem: account.isSystem,
    via,
  };
}

/** For actions that no system may take, for safety, such as confirming a death. @throws Problem `needs-person`. */
export function requireCallerIsPerson({ isSystem }: Pick<Caller, 'isSystem'>): void {
  if (isSystem)
    throw new Problem(
      needsPerson,
      'Somebody in the organisation does it here, signed in or with keys of their own.',
    );
}

/** The caller as the audit names it, with the IP address of the request. */
export function actorOf(caller: Caller, ipAddress?: string): Actor {
  return {
    id: caller.accountId,
    name: caller.name,
    role: caller.roles.join(','),
    organisation: caller.organisation?.name,
    ipAddress,
    key: caller.keyName,
  };
}

/** The actor of the command line: anybody who may run it on the site's machine. */
export const commandLineActor: Actor = { name: 'command line', role: 'operator' };
