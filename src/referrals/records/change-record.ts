import { actorOf, type Caller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../deps.ts';
import type { RecordChange } from '../listener.ts';
import { type PresentedReferral, presentReferral } from '../present.ts';
import type { Draft, Referral } from '../referral.ts';
import { findReferralOrDraft, lockReferral } from '../store.ts';
import { requireNameless } from './require-nameless.ts';
import { requireUsable } from './usable.ts';

/** What an operator wants of one referral, and why. */
export type RecordWish = { referralId: string; reason: string; address: string };

/**
 * What an operator does to a referral because of the rights of the person in it; drafts are about a person, too. The
 * change, its audit entry with the reason and the news of it are one transaction.
 * @throws Problem `not-found`, `unprocessable` for a reason that names the person, and whatever `work` throws.
 */
export async function changeRecord(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, reason, address }: RecordWish,
  is: RecordChange['is'],
  work: (trx: Trx, referral: Referral | Draft, at: Date) => Promise<void>,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const referral = isUuid(referralId) ? await lockReferral(trx, referralId) : undefined;
    if (!referral) throw new Problem(notFound);
    if (referral.erasedAt !== null) requireUsable(referral);
    requireNameless(reason, referral);
    await work(trx, referral, at);
    await noteRecordChange(deps, trx, { referral, is, at }, actorOf(caller, address), { reason });
    const changed = (await findReferralOrDraft(trx, referral.id))!;
    const told = await deps.referralListener.summaries(trx, [referral.id]);
    return presentReferral(caller, changed, { now: at, told: told.get(referral.id) });
  });
}

/** Tells of the change whoever must know, and the audit. */
export async function noteRecordChange(
  { referralListener }: Pick<ReferralDeps, 'referralListener'>,
  trx: Trx,
  change: RecordChange,
  actor: Actor,
  details: Record<string, unknown>,
): Promise<void> {
  const { referral, is, at } = change;
  await referralListener.onRecord(trx, change);
  const subject = { type: 'referral', id: referral.id };
  await recordAudit(trx, { at, actor, action: `referral.${is}`, subject, details });
}
