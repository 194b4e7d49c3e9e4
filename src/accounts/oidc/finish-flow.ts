import { type Actor, audited } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type Goal, type ReturnedFlow, requireRecentSignIn } from './flow.ts';
import { asProviderProblem, signInNotFinished } from './problems.ts';
import type { OidcProvider, Person } from './provider.ts';

/** A browser that the provider sent back. */
export type Return = {
  /** The query of the address that it was sent back to. */
  query: string;
  /** What it was sent away for; undefined where there is no such flow, or none any more. */
  flow: ReturnedFlow | undefined;
  actor: Actor;
};

/** Who came back, and what for. @throws Problem saying why nobody did; the audit has it too. */
export async function finishFlow(
  deps: Platform,
  provider: OidcProvider,
  { query, flow, actor }: Return,
): Promise<{ goal: Goal; person: Person }> {
  // Anybody can send any number of states that never were, so these leave no trace in the audit.
  if (!flow) throw unfinished();
  const { goal, secrets } = flow;
  const action = goal.purpose === 'sign-in' ? 'session.started' : 'identity.linked';
  return orRecordProviderRefusal(deps, action, actor, async () => {
    if (!flow.sameBrowser) throw unfinished();
    const person = await provider.redeem(query, secrets).catch((error) => {
      throw asProviderProblem(deps, error);
    });
    requireRecentSignIn(goal, person, provider.name);
    return { goal, person };
  });
}

function unfinished(): Problem {
  return new Problem(
    signInNotFinished,
    'It was begun in another browser, is finished already, or took longer than 10 minutes. Begin again.',
  );
}

/** Does something with somebody whom the provider sent back; the audit keeps a refusal. */
export function orRecordProviderRefusal<T>(
  deps: Platform,
  action: 'session.started' | 'identity.linked',
  actor: Actor,
  work: () => Promise<T>,
): Promise<T> {
  return audited(deps, { action, actor, details: { method: 'openid-connect' } }, async () => {
    try {
      return await work();
    } catch (error) {
      if (action === 'session.started') deps.metrics.signInRefusals.inc({ method: 'openid_connect' });
      throw error;
    }
  });
}
