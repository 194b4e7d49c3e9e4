import { actorOf, type Caller } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { historyActorOf } from './actors/authors.ts';
import type { BeforeEnd, ReferralDeps } from './deps.ts';
import { lettersWithAnswer } from './gp-actions.ts';
import type { Referral, ReferralContent } from './referral.ts';
import { removeEnding, updateStatus } from './referrals-store.ts';
import type { Side } from './status/state-machine.ts';

/**
 * Opens a locked referral again, because its ending was a mistake. What the end added is removed; the history and the audit say so, and
 * everybody who was told of the end is told of this.
 * @param before the status, reason and dates that it has again
 */
export async function reopenReferral(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove'>,
  caller: Caller,
  ended: Referral,
  {
    before,
    by,
    action,
    ipAddress,
    at,
  }: {
    before: BeforeEnd;
    by: Side;
    action: AuditAction;
    ipAddress: string;
    at: Date;
  },
): Promise<Referral> {
  const actor = historyActorOf(caller);
  await removeEnding(trx, ended.id, contentBeforeEnd(ended.content));
  const { status, ...known } = before;
  const reopened = await updateStatus(trx, ended, { to: status, ...known, outcome: null, at }, actor);
  await deps.roomsAbove.onStatusChange(trx, [
    { referral: reopened, from: ended.status, by, actorId: actor.id, at },
  ]);
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    action,
    subject: { type: 'referral', id: reopened.id },
  });
  return reopened;
}

/** What the service asked of the practice at the end goes with the end. */
function contentBeforeEnd(content: ReferralContent): ReferralContent {
  const {
    gp_actions: actions,
    gp_actions_answered: _answered,
    declines_social_prescribing: _declines,
    ...rest
  } = content;
  const { suggested_service: _suggested, ...before } = rest;
  if (!actions) return before;
  const answered = lettersWithAnswer(content).filter((letter) => letter !== 'outcome');
  const askedBefore = actions.filter(({ asked_with }) => asked_with !== 'outcome');
  // Without other actions and answers, the fields are left out.
  return askedBefore.length + answered.length === 0
    ? before
    : { ...before, gp_actions: askedBefore, gp_actions_answered: answered };
}
