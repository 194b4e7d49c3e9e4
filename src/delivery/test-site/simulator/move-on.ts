import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { dayMs, hourMs } from '../../../platform/durations.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../../referrals/index.ts';
import { findNextMoment, findSimulated, type PresentedSimulation } from './list-simulations.ts';
import { type SimulatorDeps, simulate } from './simulate.ts';
import { moveForward } from './store.ts';

export const spans = ['hour', 'day', 'next'] as const;
export type Span = (typeof spans)[number];

const lengths: Readonly<Record<Exclude<Span, 'next'>, number>> = { hour: hourMs, day: dayMs };

/**
 * Moves time on for one referral with a story, by a span or until the next thing happens. Everything in that time happens
 * in order.
 * @throws Problem `not-found`
 */
export async function moveOn(
  deps: SimulatorDeps,
  caller: Caller,
  { id, by, address }: { id: string; by: Span; address: string },
): Promise<PresentedSimulation> {
  if (!isUuid(id) || !(await findSimulated(deps, caller, id))) throw new Problem(notFound);
  let remainingMs = by === 'next' ? await untilNext(deps, id) : lengths[by];
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'simulator.moved_on',
      subject: { type: 'referral', id },
      details: { hours: remainingMs / hourMs },
    }),
  );
  do {
    const stepMs = Math.min(remainingMs, await untilNext(deps, id, remainingMs));
    await inTransaction(deps.db, (trx) => moveForward(trx, id, stepMs));
    await simulate(deps, { referral_id: id });
    remainingMs -= stepMs;
  } while (remainingMs > 0);
  return (await findSimulated(deps, caller, id))!;
}

async function untilNext(deps: ReferralDeps, id: string, defaultMs = 0): Promise<number> {
  const next = await findNextMoment(deps, id);
  return next ? next.getTime() - deps.clock.now().getTime() : defaultMs;
}
