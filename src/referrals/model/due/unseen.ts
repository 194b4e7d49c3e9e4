import type { Caller } from '../../../accounts/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import type { Draft, Referral } from '../referral.ts';
import type { Side } from '../state-machine.ts';
import { insertUnseen, setSeen, type UnseenNews } from './unseen-store.ts';
import { addWorkingTime } from './working-time.ts';

/** When somebody has to be told of news that nobody has seen; the same time passes before each further step. */
export function tellAfter(kind: UnseenNews['kind'], at: Date): Date {
  return addWorkingTime(at, kind === 'referral' ? { hours: 4 } : { days: 1 });
}

/** Urgent referrals that were sent, or became urgent, are watched until somebody of the service has seen them. */
export async function watchUrgent(trx: Trx, referrals: readonly Referral[], at: Date): Promise<void> {
  const unseen = referrals.filter(
    ({ status, urgency, seenAt }) => status === 'requested' && urgency === 'urgent' && seenAt === null,
  );
  const news = unseen.map(({ id, referrerAccountId }) => ({
    id,
    kind: 'referral' as const,
    referralId: id,
    side: 'provider' as const,
    authorId: referrerAccountId,
    dueAt: tellAfter('referral', at),
  }));
  await insertUnseen(trx, news);
}

/** What one side told the other is watched until somebody of the other side has seen it. */
export async function watchNews(
  trx: Trx,
  referralId: string,
  { id, kind, side, authorId, at }: NewsItem,
): Promise<void> {
  const otherSide = side === 'provider' ? 'referrer' : 'provider';
  await insertUnseen(trx, [{ id, kind, referralId, side: otherSide, authorId, dueAt: tellAfter(kind, at) }]);
}

/** `side` is the one that told it. */
type NewsItem = { id: string; kind: 'message' | 'change'; side: Side; authorId: string; at: Date };

/**
 * Notes the first person of the service who reads a referral or acts on it. The person who made it does not count, even
 * if they work for the service too: nobody else has seen it. A system does not count either.
 * @returns the referral with who has seen it
 */
export async function noteSeen<T extends Referral | Draft>(
  trx: Trx,
  caller: Caller,
  { referral, sides }: { referral: T; sides: readonly Side[] },
  at: Date,
): Promise<T> {
  const isNew = referral.requested_at !== null && referral.seenAt === null && !caller.isSystem;
  if (!isNew || !sides.includes('provider') || referral.referrerAccountId === caller.accountId)
    return referral;
  const isFirst = await setSeen(trx, referral.id, { name: caller.name, at });
  return isFirst ? { ...referral, seenAt: at, seenByName: caller.name } : referral;
}
