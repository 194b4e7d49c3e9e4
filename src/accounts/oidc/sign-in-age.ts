import { Problem } from '../../platform/problem/index.ts';
import { sessionLength } from '../session.ts';
import { flowMs, type Goal } from './flow.ts';
import type { Person } from './person.ts';
import { notSignedInAnew } from './problems.ts';

/** As long as our own sessions at most: a sign-in at the provider that is older is not taken for one of today. */
export function oldestSignInMs({ again }: Pick<Goal, 'again'>): number {
  return again ? 0 : sessionLength.mostMs;
}

/**
 * A provider may ignore how old a sign-in there may be, and send somebody with an older one. The flow's time is on top:
 * they may have been asked something there meanwhile. Where it does not say when they signed in, they did so long ago,
 * which is enough for a way in and for no more.
 * @throws Problem `not-signed-in-anew`.
 */
export function requireRecentSignIn(goal: Goal, { signedInMsAgo }: Person, name: string): void {
  if (signedInMsAgo === undefined ? !goal.again : signedInMsAgo <= oldestSignInMs(goal) + flowMs) return;
  const fault = goal.again
    ? `This needs somebody who signed in just now, and ${name} does not say that you did.`
    : `You signed in with ${name} more than 12 hours ago.`;
  throw new Problem(notSignedInAnew, `${fault} Sign in another way, or sign out there first.`);
}
