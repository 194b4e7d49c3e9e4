import type { Caller } from '../../../accounts/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { addWorkingTime, type WorkingDays } from '../due/working-time.ts';
import type { Draft, Referral } from '../referral.ts';
import type { Side } from '../state-machine.ts';
import { endWatchesOfReferral, setSeen, startWatches, type Watch } from './watches-store.ts';

/**
 * When somebody is emailed of what nobody has seen; the same time passes before each further step. What changes in an
 * urgent referral waits no longer than the referral itself.
 */
export function whenToTell(
  workingDays: WorkingDays,
  kind: Watch['kind'],
  urgency: Referral['urgency'],
  at: Date,
): Date {
  if (kind === 'ended') return addWorkingTime(workingDays, at, { days: 5 });
  const isUrgent = kind === 'referral' || (kind !== 'message' && urgency === 'urgent');
  return addWorkingTime(workingDays, at, isUrgent ? { hours: 4 } : { days: 1 });
}

/** Urgent referrals that were sent are watched until somebody of the service has seen them. */
export async function watchUrgent(
  trx: Trx,
  settings: WorkingDays,
  referrals: readonly Referral[],
  at: Date,
): Promise<void> {
  const unseen = referrals.filter(
    ({ status, urgency, seenAt }) => status === 'requested' && urgency === 'urgent' && seenAt === null,
  );
  await startWatches(
    trx,
    unseen.map(({ id, referrerAccountId }) => watchOf(settings, id, referrerAccountId, at)),
  );
}

/** A referral that has become urgent is watched again, whatever its status, even if somebody saw it as routine. */
export async function watchRaisedUrgency(
  trx: Trx,
  settings: WorkingDays,
  referralId: string,
  authorId: string,
  at: Date,
): Promise<void> {
  await startWatches(trx, [watchOf(settings, referralId, authorId, at)]);
}

function watchOf(settings: WorkingDays, id: string, authorId: string, at: Date) {
  const dueAt = whenToTell(settings, 'referral', 'urgent', at);
  return { id, kind: 'referral', referralId: id, side: 'provider', authorId, at, dueAt } as const;
}

/** Until somebody of either side says whether the person has died, nothing is sent about the referral, so both are asked. */
export async function watchDeath(
  trx: Trx,
  settings: WorkingDays,
  { id: referralId, urgency }: Pick<Referral, 'id' | 'urgency'>,
  authorId: string,
  at: Date,
): Promise<void> {
  const dueAt = whenToTell(settings, 'death', urgency, at);
  const watch = { kind: 'death', referralId, authorId, at, dueAt } as const;
  const sides = ['provider', 'referrer'] as const;
  await startWatches(
    trx,
    sides.map((side) => ({ ...watch, id: newId(at.getTime()), side })),
  );
}

/** A person whom the service could not help is watched until the referrer's side has acted. */
export async function watchEnded(
  trx: Trx,
  settings: WorkingDays,
  { id: referralId, urgency, referrerAccountId: authorId }: Referral,
  at: Date,
): Promise<void> {
  const dueAt = whenToTell(settings, 'ended', urgency, at);
  const id = newId(at.getTime());
  await startWatches(trx, [{ id, kind: 'ended', referralId, side: 'referrer', authorId, at, dueAt }]);
}

/** What one side told the other is watched until somebody of the other side has seen it. */
export async function watchUntilSeen(
  trx: Trx,
  settings: WorkingDays,
  referral: Pick<Referral, 'id' | 'urgency'>,
  { id, kind, toldBy, authorId, at }: WatchedItem,
): Promise<void> {
  const otherSide = toldBy === 'provider' ? 'referrer' : 'provider';
  const dueAt = whenToTell(settings, kind, referral.urgency, at);
  await startWatches(trx, [{ id, kind, referralId: referral.id, side: otherSide, authorId, at, dueAt }]);
}

type WatchedItem = {
  id: string;
  kind: 'message' | 'change' | 'correction';
  toldBy: Side;
  authorId: string;
  at: Date;
};

/**
 * Notes that a person of the service sees a referral as it is now, or acts on it: that ends the watch of it and of its corrections, and
 * the first one is named. The person who made it, or corrected it, does not count, even if they work for the service too:
 * nobody else has seen it. A system does not count either.
 * @returns the referral with who has seen it
 */
export async function noteSeen<T extends Referral | Draft>(
  trx: Trx,
  caller: Caller,
  { referral, sides }: { referral: T; sides: readonly Side[] },
  at: Date,
): Promise<T> {
  if (referral.requested_at === null || caller.isSystem || !sides.includes('provider')) return referral;
  await endWatchesOfReferral(trx, referral.id, { sides: ['provider'], accountId: caller.accountId });
  if (referral.seenAt !== null || referral.referrerAccountId === caller.accountId) return referral;
  const isFirst = await setSeen(trx, referral.id, { name: caller.name, at, byLink: false });
  return isFirst ? { ...referral, seenAt: at, seenByName: caller.name } : referral;
}
