import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { maySee, maySeeContent, sidesOf } from './access.ts';
import type { ReferralDeps } from './deps.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import type { Side } from './state-machine.ts';
import { findReferral, type HistoryLine, listHistory } from './store.ts';

export type ReadReferral = { referral: PresentedReferral; history: HistoryLine[]; sides: Side[] };

/**
 * Reads one referral, with its history. That somebody read it is written down.
 * @throws Problem `not-found`, also for one that exists but is not the caller's to see.
 */
export async function readReferral(
  deps: ReferralDeps,
  caller: Caller,
  id: string,
  address: string,
): Promise<ReadReferral> {
  return inTransaction(deps.db, async (trx) => {
    const referral = isUuid(id) ? await findReferral(trx, id) : undefined;
    if (!referral || !maySee(caller, referral)) throw new Problem(notFound);
    const told = await deps.referralListener.summaries(trx, [referral.id]);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'referral.read',
      subject: { type: 'referral', id: referral.id },
    });
    const history = await listHistory(trx, referral.id);
    return {
      referral: presentReferral(caller, referral, told.get(referral.id) ?? []),
      history: maySeeContent(caller, referral) ? history : history.map((line) => ({ ...line, reason: null })),
      sides: sidesOf(caller, referral),
    };
  });
}
