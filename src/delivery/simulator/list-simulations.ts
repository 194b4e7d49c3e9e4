import type { Caller } from '../../accounts/index.ts';
import {
  findReferral,
  pageOf,
  type ReferralDeps,
  type ReferralStatus,
  readCursor,
} from '../../referrals/index.ts';
import { actInWords } from './act.ts';
import { listSimulated, listSteps, type SimulatedReferral } from './store.ts';
import { listWhatIsNext, type Moment } from './what-is-next.ts';

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
  const beforeId = readCursor(cursor);
  const page = pageOf(await listSimulated(deps.db, caller, { beforeId, limit: limit + 1 }), limit);
  const items: PresentedSimulation[] = [];
  for (const each of page.items) items.push(await present(deps, each));
  return { items, next_cursor: page.next_cursor };
}

export async function findSimulated(
  deps: ReferralDeps,
  caller: Caller,
  only: string,
): Promise<PresentedSimulation | undefined> {
  const [found] = await listSimulated(deps.db, caller, { only, limit: 1 });
  return found && present(deps, found);
}

async function present(deps: ReferralDeps, simulated: SimulatedReferral): Promise<PresentedSimulation> {
  const { id, reference, story, movedMs } = simulated;
  const referral = (await findReferral(deps.db, id))!;
  const steps = await listSteps(deps.db, id);
  const next = await listWhatIsNext(deps, referral, steps);
  const done = steps.filter(({ doneAt }) => doneAt !== null);
  return {
    referral_id: id,
    reference,
    status: referral.status,
    story,
    simulated: true,
    moved_on_seconds: Math.round(movedMs / 1000),
    next: next.map(inJson),
    done: done.map(({ act, doneAt, undoneBecause }) => ({
      ...inJson({ at: doneAt!, what: actInWords(act) }),
      undone_because: undoneBecause,
    })),
  };
}

function inJson({ at, what }: Moment) {
  return { at: at.toISOString(), what };
}
