import { actorOf, type Caller } from '../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { lockVersionForSides } from '../model/access/access.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { actorByLink, historyActorByLink, type LinkHolder } from '../model/actors/link-holder.ts';
import type { ReferralDeps } from '../model/deps.ts';
import type { Goal } from '../model/person/needs.ts';
import type { Draft, Referral } from '../model/referral.ts';
import { actionRules, sidesAllowed } from '../model/status/state-machine.ts';
import { type ActionRequest, applyActionOfCaller, requireValidActionBody } from '../progress/apply-action.ts';
import { storeCorrection, withGoals } from './store-correction.ts';

/** What came of each goal, in the order of the goals; undefined leaves a goal as it is. */
export type GoalResults = readonly (Goal['result'] | undefined)[];

/**
 * Says what came of the goals, and completes the referral, in one transaction. The letter at the end has both, so the goals make no letter
 * and no email of their own.
 * @throws Problem as `takeAction`.
 */
export async function completeWithGoals(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, body, results, ...expected }: ActionRequest & { results: GoalResults },
): Promise<void> {
  const at = deps.clock.now();
  requireValidActionBody(body, at);
  await inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockVersionForSides(trx, caller, expected, sidesAllowed('complete'));
    const referral = await noteResults(trx, deps, caller, locked, { results, ipAddress, at });
    await applyActionOfCaller(trx, deps, caller, referral, { action: 'complete', body, ipAddress, at });
  });
}

async function noteResults(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  locked: Referral | Draft,
  { results, ipAddress, at }: { results: GoalResults; ipAddress: string; at: Date },
): Promise<Referral | Draft> {
  // In any other status the action itself is refused.
  if (actionRules.complete.from[locked.status] === undefined) return locked;
  const referral = locked as Referral;
  return storeCorrection(trx, deps, referral, withResults(referral, results), {
    actor: historyActorOf(caller),
    auditActor: actorOf(caller, ipAddress),
    by: 'provider',
    endFollows: true,
    at,
  });
}

/** Says what came of the goals of a locked referral that the holder of a link completes next. @returns the referral as it is now */
export function noteResultsByLink(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { results, at }: { results: GoalResults; at: Date },
  holder: LinkHolder,
): Promise<Referral> {
  return storeCorrection(trx, deps, referral, withResults(referral, results), {
    actor: historyActorByLink(holder, referral),
    auditActor: actorByLink(holder),
    by: 'provider',
    endFollows: true,
    at,
  });
}

function withResults(referral: Referral, results: GoalResults): ReturnType<typeof withGoals> {
  const goals = (referral.content.goals ?? []).map((goal, index) => {
    const result = results[index];
    return result ? { ...goal, result } : goal;
  });
  return withGoals(referral, goals);
}
