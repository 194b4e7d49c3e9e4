import type { Reply, Request } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/index.ts';
import { type Caller, callerOf } from './caller.ts';
import { findSession, type Session, touchSession } from './sessions-store.ts';

const minute = 60_000;
export const sessionLength = { idleMs: 30 * minute, mostMs: 12 * 60 * minute } as const;

/** The name tells browsers to bind the cookie to this very host and to https; plain http is for trying at home. */
function cookieName(settings: Settings): string {
  return settings.baseUrl.startsWith('https://') ? '__Host-onward-session' : 'onward-session';
}

/** The same for setting and for clearing: a browser refuses to clear a `__Host-` cookie by any others. */
function cookieRules(settings: Settings) {
  const secure = settings.baseUrl.startsWith('https://');
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

export function setSessionCookie(reply: Reply, settings: Settings, id: string): void {
  reply.setCookie(cookieName(settings), id, cookieRules(settings));
}

export function clearSessionCookie(reply: Reply, settings: Settings): void {
  reply.clearCookie(cookieName(settings), cookieRules(settings));
}

export function sessionIdOf(request: Request, settings: Settings): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : request.server.parseCookie(cookie)[cookieName(settings)];
}

/** The live session that the request's cookie names, if any; being used keeps it from idling out. */
export async function findLiveSession(deps: Platform, request: Request): Promise<Session | undefined> {
  const id = sessionIdOf(request, deps.settings);
  if (id === undefined || id.length !== 43) return undefined;
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
  return session && callerOf(session.account, 'session');
}
