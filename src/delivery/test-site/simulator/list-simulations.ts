import type { Caller } from '../../../accounts/index.ts';
import { pageOfRows, readIdCursor } from '../../../platform/http/index.ts';
import {
  findOverdueDates,
  findReferral,
  listEscalationMoments,
  type Referral,
  type ReferralDeps,
  type ReferralStatus,
} from '../../../referrals/index.ts';
import { actInWords } from '../stories.ts';
import {
  findMovedMs,
  type ListedStep,
  listAwaited,
  listSimulated,
  listSteps,
  type SimulatedReferral,
} from './simulations-store.ts';

export type PresentedSimulation = {
  referral_id: string;
  reference: string;
  status: ReferralStatus;
  story: string;
  simulated: true;
  moved_on_seconds: number;
  next: { at: string; what: string }[];
  done: { at: string; what: string; undone_because: string | null }[];
};

/** @throws Problem `bad-request` for a cursor that is not one of ours. */
export async function listSimulations(
  deps: ReferralDeps,
  caller: Caller,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ items: PresentedSimulation[]; next_cursor: string | null }> {
  const beforeId = readIdCursor(cursor);
  const page = pageOfRows(await listSimulated(deps.db, caller, { beforeId, limit: limit + 1 }), limit);
  const items: PresentedSimulation[] = [];
  for (const each of page.items) items.push(await present(deps, each));
  return { items, next_cursor: page.next_cursor };
}

export async function findSimulated(
  deps: ReferralDeps,
  caller: Caller,
  referralId: string,
): Promise<PresentedSimulation | undefined> {
  const [found] = await listSimulated(deps.db, caller, { referralId, limit: 1 });
  return found && present(deps, found);
}

async function present(deps: ReferralDeps, simulated: SimulatedReferral): Promise<PresentedSimulation> {
  const { id, reference, story, movedMs } = simulated;
  const referral = (await findReferral(deps.db, id))!;
  const steps = await listSteps(deps.db, id);
  const next = await listNextMoments(deps, referral, steps);
  const done = steps.filter(({ doneAt }) => doneAt !== null);
  return {
    referral_id: id,
    reference,
    status: referral.status,
    story,
    simulated: true,
    moved_on_seconds: Math.round(movedMs / 1000),
    next: next.map(inJson),
    done: done.map(({ act, doneAt, notDoneBecause }) => ({
      ...inJson({ at: doneAt!, what: actInWords(act) }),
      undone_because: notDoneBecause,
    })),
  };
}

function inJson({ at, what }: Moment) {
  return { at: at.toISOString(), what };
}

type Moment = { at: Date; what: string };

/** What will still happen to a referral with a story, as far as known, soonest first. */
async function listNextMoments(
  deps: Pick<ReferralDeps, 'db' | 'settings'>,
  referral: Referral,
  steps: readonly ListedStep[],
): Promise<Moment[]> {
  const { db } = deps;
  const movedMs = (await findMovedMs(db, referral.id)) ?? 0;
  const { remindAt, warnAt, rejectAt } = await findOverdueDates(deps, referral, movedMs);
  const ofStory = steps
    .filter(({ doneAt }) => doneAt === null)
    .map(({ act, dueAt }) => ({ at: dueAt, what: actInWords(act) }));
  const ofMessages = (await listAwaited(db, referral.id)).map(({ at, leg }) => ({
    at,
    // A colleague reads this too, who may not know which service it is.
    what: `The operator is warned that the ${leg === 'service' ? 'service' : 'GP practice'} has not answered`,
  }));
  return [
    ...ofStory,
    ...ofMessages,
    ...(await listEscalationMoments(db, referral.id)),
    ...(remindAt ? [{ at: remindAt, what: 'The service is reminded by email' }] : []),
    ...(warnAt
      ? [{ at: warnAt, what: 'The service is warned by email that the site will decline the referral' }]
      : []),
    ...(rejectAt ? [{ at: rejectAt, what: 'The site declines the referral, because nobody answered' }] : []),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** When something happens next by itself. A step that is due already waits for its message to be sent. */
export async function findNextMoment(deps: ReferralDeps, referralId: string): Promise<Date | undefined> {
  const referral = await findReferral(deps.db, referralId);
  if (!referral) return undefined;
  const moments = await listNextMoments(deps, referral, await listSteps(deps.db, referralId));
  const now = deps.clock.now();
  return moments.find(({ at }) => at > now)?.at;
}
