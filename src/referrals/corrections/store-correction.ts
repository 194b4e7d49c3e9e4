import { type Actor, recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { keepReferrersDetails } from '../model/access/referrers-details.ts';
import type { ReferralDeps } from '../model/deps.ts';
import type { Goal } from '../model/person/needs.ts';
import type { Referral } from '../model/referral.ts';
import type { ContentUpdate } from '../model/referrals-store.ts';
import type { Side } from '../model/status/state-machine.ts';
import { type ContentEdit, changeContent } from './change-content.ts';
import { changesBetween, correctedContent } from './correction.ts';

/** Who corrects a locked referral, when, and why, if they say so. The audit names them otherwise than the history. */
type CorrectionBy = Pick<ContentEdit, 'actor' | 'at' | 'endFollows'> & {
  by: Side;
  auditActor: Actor;
  reason?: string | null | undefined;
};

/**
 * Stores a correction of a locked referral, with its history and its audit entry.
 * @returns the referral as it is now; the same one if nothing differs.
 */
export async function storeCorrection(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove' | 'settings'>,
  referral: Referral,
  corrected: ContentUpdate,
  { auditActor, reason = null, ...edit }: CorrectionBy,
): Promise<Referral> {
  const corrections = changesBetween(referral, corrected);
  if (corrections.length === 0) return referral;
  const changes = [...corrections, ...(reason ? [{ field: 'reason', from: null, to: reason }] : [])];
  const content = keepReferrersDetails(corrected.content, corrections, edit.by);
  const changed = await changeContent(
    trx,
    deps,
    referral,
    { ...corrected, content },
    { kind: 'correction', changes, ...edit },
  );
  await recordAudit(trx, {
    at: edit.at,
    actor: auditActor,
    action: 'referral.corrected',
    subject: { type: 'referral', id: referral.id },
    // Only which fields, and never what they say.
    details: { fields: corrections.map(({ field }) => field) },
  });
  return changed;
}

/** What a referral has with these goals. */
export function withGoals(referral: Referral, goals: readonly Goal[]): ContentUpdate {
  const { urgency, gp_practice, due_at, next_date } = referral;
  const content = correctedContent(referral.content, { goals: [...goals] });
  return { content, urgency, gp_practice, due_at, next_date };
}
