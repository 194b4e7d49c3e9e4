import { inTransaction } from '../platform/database/index.ts';
import { networkOf } from '../platform/ip-addresses/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { type Actor, type AuditEntry, recordAudit } from './entries-store.ts';
import { auditOf } from './open-audit.ts';

// `withRefusalAudit` runs an action and records its refusal: each one of an account, and one a minute of strangers. Routes that refuse
// strangers by themselves call `recordRefusalOncePerMinute`. `recordRefusedObject` is for things that belong to others.

type Attempt = Omit<AuditEntry, 'at' | 'outcome'>;

/**
 * Does something. If it is refused, the audit keeps the refusal and its reason, although the transaction it was refused
 * in is undone. What was sent is not kept: somebody may have typed a secret into the wrong field.
 */
export async function withRefusalAudit<T>(
  deps: Platform,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = error.errors?.[0]?.message ?? error.kind.type;
    const refusal = { ...attempt, details: { ...attempt.details, reason } };
    // A caller without an account may come back as often as they like.
    if (attempt.actor.id === undefined) await recordRefusalOncePerMinute(deps, refusal);
    else await recordRefusal(deps, refusal);
    throw error;
  }
}

/**
 * Records a refusal that strangers can cause as often as they like: only the first in a minute of each action and account,
 * or network if there is no account. There are at most sixty of one action a minute, because somebody with IPv6 has
 * endless networks.
 */
export async function recordRefusalOncePerMinute(deps: Platform, attempt: Attempt): Promise<void> {
  const { action, actor } = attempt;
  const who = actor.id ?? networkOf(actor.ipAddress ?? '');
  const { refusals } = auditOf(deps.db);
  if (!refusals.countRefusal(action, who, deps.clock.now().getTime())) return;
  await recordRefusal(deps, attempt);
}

async function recordRefusal({ db, clock }: Platform, attempt: Attempt): Promise<void> {
  await inTransaction(db, (trx) => recordAudit(trx, { ...attempt, at: clock.now(), outcome: 'refused' }));
}

export type RefusedObject = {
  actor: Actor;
  subject: { type: 'referral' | 'delivery' | 'webhook' | 'list'; id: string };
  route: string;
};

/**
 * Records that somebody was refused something that belongs to others. The first ten things of a kind in a minute get an
 * entry each. The next entry after that minute says how many were left out.
 */
export async function recordRefusedObject(
  deps: Platform,
  { actor, subject, route }: RefusedObject,
): Promise<void> {
  const { refusals } = auditOf(deps.db);
  const nowMs = deps.clock.now().getTime();
  const { needsEntry, unrecorded } = refusals.countObject(String(actor.id), subject, nowMs);
  if (!needsEntry) return;
  // The field keeps the name that earlier entries have.
  const details = { route, ...(unrecorded > 0 && { further_tries_before: unrecorded }) };
  await recordRefusal(deps, { actor, action: `${subject.type}.refused`, subject, details });
}
