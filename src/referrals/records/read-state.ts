import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../deps.ts';
import { type PresentedReferral, presentReferral } from '../present.ts';
import { openStatuses } from '../referral.ts';
import { findReferralOrDraft } from '../store.ts';
import { listRestrictions, type Restriction } from './records-store.ts';

export type RecordState = { referral: PresentedReferral; restrictions: Restriction[]; isOpen: boolean };

/** How a referral stands, without what it says, with its restrictions; for an operator. @throws Problem `not-found`. */
export async function readRecordState(
  deps: ReferralDeps,
  caller: Caller,
  { id, address }: { id: string; address: string },
): Promise<RecordState> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const referral = isUuid(id) ? await findReferralOrDraft(trx, id) : undefined;
    if (!referral) throw new Problem(notFound);
    const subject = { type: 'referral', id: referral.id };
    await recordAudit(trx, { at: now, actor: actorOf(caller, address), action: 'referral.read', subject });
    return {
      referral: presentReferral(caller, referral, { now }),
      restrictions: await listRestrictions(trx, referral.id),
      isOpen: openStatuses.includes(referral.status),
    };
  });
}
