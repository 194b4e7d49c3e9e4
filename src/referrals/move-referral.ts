import { type Actor, recordAudit } from '../audit/index.ts';
import type { Trx } from '../platform/database/index.ts';
import type { ReferralDeps } from './deps.ts';
import type { HistoryActor } from './history-actor.ts';
import type { ChangedBy } from './listener.ts';
import type { Draft, Referral } from './referral.ts';
import { type Step, updateStatus } from './store.ts';

/** Who takes the step: the side it is taken for, and the names by which its history and the audit know them. */
export type Mover = { by: ChangedBy; history: HistoryActor; audit: Actor };

/** Takes a locked referral one step on, with all that belongs to it. Nobody is told of a draft that is thrown away. */
export async function moveReferral(
  deps: Pick<ReferralDeps, 'referralListener'>,
  trx: Trx,
  referral: Referral | Draft,
  step: Step,
  who: Mover,
): Promise<Referral | Draft> {
  const changed = await updateStatus(trx, referral, step, who.history);
  if (changed.requested_at !== null)
    await deps.referralListener.onChange(trx, [
      { referral: changed, from: referral.status, by: who.by, at: step.at },
    ]);
  await recordAudit(trx, {
    at: step.at,
    actor: who.audit,
    action: `referral.${step.to}`,
    subject: { type: 'referral', id: referral.id },
  });
  return changed;
}
