import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit, withRefusalAudit } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import { requireReason } from '../../../platform/reason.ts';
import { requireAnonymousReason } from '../../model/access/operator-reason.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import type { PresentedReferral } from '../../model/presentation/present.ts';
import { wrongState } from '../../model/problems.ts';
import { lockReferral } from '../../model/referrals-store.ts';
import { changeRecord, type RecordChangeRequest } from '../change-record.ts';
import { findDueRecord, type RetentionRule, saveDecision } from './retention-store.ts';

/** How records are erased: automatically after the period that the site has set, else when somebody approves it. */
export function retentionRule({ settings, clock }: Pick<ReferralDeps, 'settings' | 'clock'>): RetentionRule {
  return { automaticYears: settings.retentionYears, now: clock.now() };
}

/**
 * A named person approves the erasure of due records, which the next night’s job then erases.
 * @returns how many; records that are no longer due are left out.
 * @throws Problem `unprocessable` for a reason that is too short or names one of the people.
 */
export function approveErasure(
  deps: ReferralDeps,
  caller: Caller,
  { ids, reason: typed, ipAddress }: { ids: readonly string[]; reason: string; ipAddress: string },
): Promise<number> {
  const rule = retentionRule(deps);
  const actor = actorOf(caller, ipAddress);
  return withRefusalAudit(deps, { actor, action: 'referral.erasure_approved' }, () =>
    inTransaction(deps.db, async (trx) => {
      const reason = requireReason(typed);
      let approved = 0;
      for (const id of [...new Set(ids)].filter(isUuid).sort()) {
        const referral = await lockReferral(trx, id);
        const due = referral && (await findDueRecord(trx, rule, id));
        if (!due || due.open.length > 0) continue;
        requireAnonymousReason(reason, referral.content);
        await saveDecision(trx, id, { decision: 'erase', keepUntil: null, reason, at: rule.now }, caller);
        const subject = { type: 'referral', id };
        const details = { reason, kind: due.kind, after_years: due.years };
        await recordAudit(trx, {
          at: rule.now,
          actor,
          action: 'referral.erasure_approved',
          subject,
          details,
        });
        approved += 1;
      }
      return approved;
    }),
  );
}

/**
 * Keeps a due record for another year. It also takes back an approval.
 * @throws Problem `not-found`, `wrong-state` if it is not due, `referral-erased`, `unprocessable`.
 */
export function putOffErasure(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordChangeRequest,
): Promise<PresentedReferral> {
  return changeRecord(
    deps,
    caller,
    request,
    'referral.erasure_put_off',
    async (trx, { referral, by, attempt }) => {
      const { reason, at } = by;
      if (!(await findDueRecord(trx, retentionRule(deps), referral.id)))
        throw new Problem(wrongState, 'It is not due for erasure.');
      const keepUntil = new Date(at);
      keepUntil.setUTCFullYear(at.getUTCFullYear() + 1);
      await saveDecision(trx, referral.id, { decision: 'keep', keepUntil, reason, at }, caller);
      const subject = { type: 'referral', id: referral.id };
      const details = { reason, keep_until: keepUntil.toISOString() };
      await recordAudit(trx, { at, ...attempt, subject, details });
    },
  );
}
