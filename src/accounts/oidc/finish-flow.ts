import { type Actor, withRefusalAudit } from '../../audit/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { flowLifetimeMs, type Goal, type ReturnedFlow, requireRecentSignIn } from './flow.ts';
import { asProviderProblem, signInNotFinished } from './problems.ts';
import type { OidcProvider, Person } from './provider.ts';

/** The return of a browser from the provider. */
export type ProviderReturn = {
  /** The query of the callback's address. */
  query: string;
  /** The flow that it belongs to; undefined if there is none, or no longer. */
  flow: ReturnedFlow | undefined;
  actor: Actor;
};

/** Finds who came back and what for. @throws Problem if the sign-in failed; the audit keeps that too. */
export async function finishFlow(
  deps: Platform,
  provider: OidcProvider,
  { query, flow, actor }: ProviderReturn,
): Promise<{ goal: Goal; person: Person }> {
  // Anybody can send any number of unknown states, so these are not audited.
  if (!flow) throw unfinishedSignInProblem();
  const { goal, secrets } = flow;
  const action = goal.purpose === 'sign-in' ? 'session.started' : 'identity.linked';
  return auditedWithProvider(deps, action, actor, async () => {
    if (!flow.sameBrowser) throw unfinishedSignInProblem();
    const person = await provider.redeem(query, secrets).catch((error) => {
      throw asProviderProblem(deps, error);
    });
    requireRecentSignIn(goal, person, provider.name);
    return { goal, person };
  });
}

function unfinishedSignInProblem(): Problem {
  return new Problem(
    signInNotFinished,
    `It was begun in another browser, is finished already, or took longer than ${flowLifetimeMs / minuteMs} minutes. Start again.`,
  );
}

/** Does something for somebody whom the provider sent back; the audit and the metrics keep a refusal. */
export function auditedWithProvider<T>(
  deps: Platform,
  action: 'session.started' | 'identity.linked',
  actor: Actor,
  work: () => Promise<T>,
): Promise<T> {
  return withRefusalAudit(deps, { action, actor, details: { method: 'openid-connect' } }, async () => {
    try {
      return await work();
    } catch (error) {
      if (action === 'session.started') deps.metrics.signInRefusals.inc({ method: 'openid_connect' });
      throw error;
    }
  });
}
