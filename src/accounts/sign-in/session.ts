import { hourMs, minuteMs } from '../../platform/durations.ts';
import type { CallerIdentity, Request } from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isSecret } from '../../platform/secrets/index.ts';
import { type Caller, callerOf } from '../model/caller.ts';
import { whenFactorIsDue } from '../model/second-factor-rules.ts';
import { findSession, findSessionEmail, type Session, touchSession } from '../model/sessions-store.ts';
import { hostCookie } from './host-cookie.ts';

export const sessionLength = { idleMs: 30 * minuteMs, maxMs: 12 * hourMs } as const;

/** The message for people whose session ended by itself. */
export const signedOutWords = `You have been signed out. This happens after ${sessionLength.idleMs / minuteMs} minutes without use, and ${
  sessionLength.maxMs / hourMs
} hours after you signed in.`;

const sessionCookie = hostCookie('onward-session');
export const setSessionCookie = sessionCookie.set;
export const clearSessionCookie = sessionCookie.clear;
export const sessionSecretOf = sessionCookie.read;

type LiveSession = { session: Session; secretHash: Buffer; now: Date };

/** Finds the live session of the request's cookie. */
async function findLiveSession(deps: Platform, request: Request): Promise<LiveSession | undefined> {
  const secret = sessionSecretOf(request, deps.settings);
  if (secret === undefined || !isSecret(secret)) return undefined;
  const now = deps.clock.now();
  const secretHash = deps.secrets.hash('session', secret);
  const session = await findSession(deps.db, secretHash, now, new Date(now.getTime() - sessionLength.idleMs));
  return session && { session, secretHash, now };
}

/**
 * The email address for the sign-in form of somebody whose session ended while they were away. Undefined after signing out, because the cookie is
 * gone then.
 */
export async function emailOfLastSession(deps: Platform, request: Request): Promise<string | undefined> {
  const secret = sessionSecretOf(request, deps.settings);
  if (secret === undefined || !isSecret(secret)) return undefined;
  return findSessionEmail(deps.db, deps.secrets.hash('session', secret));
}

/** The caller of a request with a session, which counts as used. */
export async function findCaller(deps: Platform, request: Request): Promise<Caller | undefined> {
  const live = await findLiveSession(deps, request);
  // At most one write a minute.
  if (live && live.now.getTime() - live.session.lastSeenAt.getTime() > minuteMs)
    await touchSession(deps.db, live.secretHash, live.now);
  return callerOfSession(deps, live?.session);
}

/** The caller of a background request (autosave, live counts): the session does not count as used, and ends as if nobody asked. */
export async function findCallerInBackground(deps: Platform, request: Request): Promise<Caller | undefined> {
  return callerOfSession(deps, (await findLiveSession(deps, request))?.session);
}

function callerOfSession(deps: Platform, session: Session | undefined): Caller | undefined {
  if (!session) return undefined;
  const { account, authenticatedAt, signedInWithOpenId, hasSecondFactor, factorsRequiredSince } = session;
  const caller = { ...callerOf(account, 'session'), signedInAt: authenticatedAt };
  const needsFactorHere = !signedInWithOpenId && !hasSecondFactor;
  const dueAt = needsFactorHere ? whenFactorIsDue(deps.settings, account, factorsRequiredSince) : undefined;
  if (dueAt === undefined) return caller;
  return dueAt <= deps.clock.now()
    ? { ...caller, mustAddFactorNow: true }
    : { ...caller, mustAddFactorBy: dueAt };
}

/** Sensitive actions ask people to sign in again after this time, since they may have left their computer. */
export const recentSignInMinutes = 15;

/** Whether somebody signed in recently enough for a sensitive action. */
export function hasSignedInRecently(
  { clock }: Pick<Platform, 'clock'>,
  { signedInAt }: CallerIdentity,
  withinMinutes = recentSignInMinutes,
): boolean {
  return signedInAt !== undefined && clock.now().getTime() - signedInAt.getTime() <= withinMinutes * minuteMs;
}
