import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type SessionStart, startSession } from '../start-session.ts';
import { dateSessionBack } from './identities-store.ts';
import type { Person } from './person.ts';

/** What counts where a provider does not say when somebody signed in there: longer ago than any page accepts. */
const longAgoMs = 12 * 60 * 60_000;

/**
 * Starts a session for somebody whom the provider vouches for, second factor and all; ours is not asked for
 * (docs/decisions/0016). It is as fresh as their sign-in there. @returns its id, for the cookie.
 */
export async function startProviderSession(
  trx: Trx,
  deps: Platform,
  person: Person,
  start: Omit<SessionStart, 'method'>,
): Promise<string> {
  const id = await startSession(trx, deps, { ...start, method: 'openid-connect' });
  const signedInAt = new Date(deps.clock.now().getTime() - (person.signedInMsAgo ?? longAgoMs));
  await dateSessionBack(trx, deps.secrets.hash('session', id), signedInAt);
  return id;
}
