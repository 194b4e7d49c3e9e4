import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { hourMs } from '../../../platform/durations.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import { defineProblem, Problem } from '../../../platform/problem/index.ts';
import { authorise, bringWatchesNearer, findReferral, type ReferralDeps } from '../../../referrals/index.ts';
import { findNextMoment, findSimulated, type PresentedSimulation } from './list-simulations.ts';
import { type SimulatorDeps, simulate } from './simulate.ts';
import { bringNearer } from './simulations-store.ts';
import { spanLengthsMs, type TimeSpan } from './time-spans.ts';

const noStory = defineProblem({
  type: 'no-story',
  status: 409,
  title: 'The referral has no story',
  detail: 'The last name of the patient picks it: GET /api/simulator/stories lists the names.',
});

/**
 * Moves time on for one referral with a story, by a span or until the next thing happens. Everything in that time happens
 * in order.
 * @throws Problem `not-found`, `no-story`
 */
export async function moveOn(
  deps: SimulatorDeps,
  caller: Caller,
  { id, by, ipAddress }: { id: string; by: TimeSpan; ipAddress: string },
): Promise<PresentedSimulation> {
  const before = await requireStory(deps, caller, id);
  let remainingMs = by === 'next' ? await msUntilNext(deps, id) : spanLengthsMs[by];
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'simulator.moved_on',
      subject: { type: 'referral', id },
      details: { hours: remainingMs / hourMs },
    }),
  );
  do {
    const stepMs = Math.min(remainingMs, await msUntilNext(deps, id, remainingMs));
    await inTransaction(deps.db, async (trx) => {
      await bringNearer(trx, id, stepMs);
      await bringWatchesNearer(trx, id, stepMs);
    });
    await simulate(deps, { referral_id: id });
    remainingMs -= stepMs;
  } while (remainingMs > 0);
  // A story in which the referral is erased ends with it.
  return (await findSimulated(deps, caller, id)) ?? endedStory(deps, before);
}

async function endedStory(deps: ReferralDeps, before: PresentedSimulation): Promise<PresentedSimulation> {
  const referral = await findReferral(deps.db, before.referral_id);
  return { ...before, status: referral?.status ?? before.status, next: [] };
}

/** @throws Problem `not-found`, or `no-story` for a referral that the caller may see. */
async function requireStory(deps: ReferralDeps, caller: Caller, id: string): Promise<PresentedSimulation> {
  const simulated = isUuid(id) ? await findSimulated(deps, caller, id) : undefined;
  if (simulated) return simulated;
  await inTransaction(deps.db, (trx) => authorise(trx, caller, id, deps.clock.now()));
  throw new Problem(noStory);
}

async function msUntilNext(deps: ReferralDeps, id: string, defaultMs = 0): Promise<number> {
  const next = await findNextMoment(deps, id);
  return next ? next.getTime() - deps.clock.now().getTime() : defaultMs;
}
