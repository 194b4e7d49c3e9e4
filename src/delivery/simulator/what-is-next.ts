import { findReferral, patienceWith, type Referral, type ReferralDeps } from '../../referrals/index.ts';
import { actInWords } from './act.ts';
import { findMovedMs, type ListedStep, listAwaited, listSteps } from './store.ts';

export type Moment = { at: Date; what: string };

/** What is still to come for a referral with a story, as far as it is known by now, the nearest first. */
export async function listWhatIsNext(
  deps: Pick<ReferralDeps, 'db' | 'settings'>,
  referral: Referral,
  steps: readonly ListedStep[],
): Promise<Moment[]> {
  const { db, settings } = deps;
  const movedMs = (await findMovedMs(db, referral.id)) ?? 0;
  const { remindAt, rejectAt } = patienceWith(settings, referral, movedMs);
  const ofStory = steps
    .filter(({ doneAt }) => doneAt === null)
    .map(({ act, dueAt }) => ({ at: dueAt, what: actInWords(act) }));
  const ofMessages = (await listAwaited(db, referral.id)).map(({ at, recipientName }) => ({
    at,
    what: `The operator is warned that ${recipientName} has not answered`,
  }));
  return [
    ...ofStory,
    ...ofMessages,
    ...(remindAt ? [{ at: remindAt, what: 'The service is reminded by email' }] : []),
    ...(rejectAt ? [{ at: rejectAt, what: 'The site rejects the referral, because nobody answered' }] : []),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** When the next thing happens by itself. What is overdue waits for something else: a message to be sent. */
export async function findNextMoment(deps: ReferralDeps, referralId: string): Promise<Date | undefined> {
  const referral = await findReferral(deps.db, referralId);
  if (!referral) return undefined;
  const moments = await listWhatIsNext(deps, referral, await listSteps(deps.db, referralId));
  const now = deps.clock.now();
  return moments.find(({ at }) => at > now)?.at;
}
