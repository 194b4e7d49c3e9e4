import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { forbidden, notFound, Problem, versionStale } from '../platform/problem/index.ts';
import { maySee, sidesOf } from './access.ts';
import type { ReferralDeps } from './deps.ts';
import { historyActorOf } from './history-actor.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { wrongState } from './problems.ts';
import type { Outcome, StatusReason } from './referral.ts';
import { type Action, rules } from './state-machine.ts';
import { lockReferral, updateStatus } from './store.ts';

export type StatusChange = {
  referralId: string;
  /** The version that the caller has seen; a change made since then must be seen first. */
  version: number;
  address: string;
  reason?: StatusReason | undefined;
  outcome?: Outcome | undefined;
};

/**
 * Moves a referral to its next state: the change, its history, its audit entry and whatever must be delivered are one
 * transaction.
 * @throws Problem `not-found`, `forbidden` (the other side's action), `version-stale`, `wrong-state`.
 */
export async function changeStatus(
  deps: ReferralDeps,
  caller: Caller,
  action: Action,
  change: StatusChange,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  const { to, from, by } = rules[action];
  return inTransaction(deps.db, async (trx) => {
    const referral = isUuid(change.referralId) ? await lockReferral(trx, change.referralId) : undefined;
    if (!referral || !maySee(caller, referral)) throw new Problem(notFound);
    if (!sidesOf(caller, referral).some((side) => by.includes(side))) {
      throw new Problem(forbidden, `Only ${by.map((side) => sideInWords[side]).join(' or ')} can do that.`);
    }
    if (change.version !== referral.version) {
      throw new Problem(versionStale, 'Read the referral again, then decide again.', {
        headers: { etag: `"${referral.version}"` },
      });
    }
    if (!from.includes(referral.status)) {
      throw new Problem(
        wrongState,
        `It is ${referral.status}; that is possible only when it is ${from.join(' or ')}.`,
      );
    }
    const step = { to, reason: change.reason ?? null, outcome: change.outcome ?? null, at };
    const changed = await updateStatus(trx, referral, step, historyActorOf(caller));
    await deps.referralListener.onChange(trx, { referral: changed, from: referral.status, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, change.address),
      action: `referral.${to}`,
      subject: { type: 'referral', id: referral.id },
    });
    const told = await deps.referralListener.summaries(trx, [referral.id]);
    return presentReferral(caller, changed, told.get(referral.id) ?? []);
  });
}

const sideInWords = { provider: 'staff of the service', referrer: 'the referrer’s organisation' } as const;
