import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import type { ReferralDeps } from './deps.ts';
import { type Look, lookAt } from './look-at.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { isUsable } from './records/usable.ts';
import { type HistoryLine, listHistory } from './store.ts';

export type ReadReferral = Look & { presented: PresentedReferral; history: HistoryLine[] };

/**
 * Reads one referral, with its history. That somebody read it is written down.
 * @throws Problem `not-found`, also for one that exists but is not the caller's to see.
 */
export function readReferral(
  deps: ReferralDeps,
  caller: Caller,
  id: string,
  address: string,
): Promise<ReadReferral> {
  return inTransaction(deps.db, (trx) => readWithin(deps, trx, caller, id, address));
}

export async function readWithin(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  id: string,
  address: string,
): Promise<ReadReferral> {
  const now = deps.clock.now();
  const look = await lookAt(trx, caller, id, now);
  const { referral, sides, opened } = look;
  const summaries = await deps.referralListener.summaries(trx, [referral.id]);
  await recordAudit(trx, {
    at: now,
    actor: actorOf(caller, address),
    action: 'referral.read',
    subject: { type: 'referral', id: referral.id },
    // A look at what is clinical is not the same as one at how far it came.
    ...(opened && { details: { opened: true } }),
  });
  const history = await listHistory(trx, referral.id);
  const mayReadReasons = isUsable(referral) && (sides.length > 0 || opened);
  return {
    ...look,
    presented: presentReferral(caller, referral, { now, told: summaries.get(referral.id), opened }),
    history: mayReadReasons ? history : history.map((line) => ({ ...line, reason: null })),
  };
}
