import type { Actor } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type Goal, takeFlow } from './flow.ts';
import type { Person } from './person.ts';
import { signInNotFinished } from './problems.ts';
import type { OidcProvider } from './provider.ts';
import { asProviderProblem } from './provider-failure.ts';
import { orRecordProviderRefusal } from './record-refusal.ts';
import { requireRecentSignIn } from './sign-in-age.ts';

/** A browser that the provider sent back. */
export type Return = {
  /** The query of the address that it was sent back to. */
  query: string;
  /** The browser's secret, from its cookie. */
  browser: string | undefined;
  actor: Actor;
};

/** Who came back, and what for. @throws Problem saying why nobody did; the audit has it too. */
export async function finishFlow(
  deps: Platform,
  provider: OidcProvider,
  { query, browser, actor }: Return,
): Promise<{ goal: Goal; person: Person }> {
  const flow = await takeFlow(deps, query, browser);
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
