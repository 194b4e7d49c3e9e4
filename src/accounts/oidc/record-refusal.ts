import { type Actor, orRecordRefusal } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { signInRefusals } from '../refuse-sign-in.ts';

/** Does something with somebody whom the provider sent back; the audit keeps a refusal. */
export function orRecordProviderRefusal<T>(
  deps: Platform,
  action: 'session.started' | 'identity.linked',
  actor: Actor,
  work: () => Promise<T>,
): Promise<T> {
  return orRecordRefusal(deps, { action, actor, details: { method: 'openid-connect' } }, async () => {
    try {
      return await work();
    } catch (error) {
      if (action === 'session.started') signInRefusals.openid_connect += 1;
      throw error;
    }
  });
}
