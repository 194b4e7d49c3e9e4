import type { Request } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import { isSecret } from '../platform/secrets/index.ts';
import { type Caller, callerOf } from './caller.ts';
import { hostCookie } from './host-cookie.ts';
import { findSession, type Session, touchSession } from './sessions-store.ts';

const minute = 60_000;
export const sessionLength = { idleMs: 30 * minute, mostMs: 12 * 60 * minute } as const;

const sessionCookie = hostCookie('onward-session');
export const setSessionCookie = sessionCookie.set;
export const clearSessionCookie = sessionCookie.clear;
export const sessionIdOf = sessionCookie.of;

/** The live session that the request's cookie names, if any; being used keeps it from idling out. */
async function findLiveSession(deps: Platform, request: Request): Promise<Session | undefined> {
  const id = sessionIdOf(request, deps.settings);
  if (id === undefined || !isSecret(id)) return undefined;
  const now = deps.clock.now();
  const idHash = deps.secrets.hash('session', id);
  const session = await findSession(deps.db, idHash, now, new Date(now.getTime() - sessionLength.idleMs));
  if (session && now.getTime() - session.lastSeenAt.getTime() > minute)
    await touchSession(deps.db, idHash, now);
  return session;
}

/** The person whose session the request belongs to. */
export async function sessionCaller(deps: Platform, request: Request): Promise<Caller | undefined> {
  const session = await findLiveSession(deps, request);
  return session && { ...callerOf(session.account, 'session'), signedInAt: session.authenticatedAt };
}
