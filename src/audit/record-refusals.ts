import { inTransaction } from '../platform/database/index.ts';
import { networkOf } from '../platform/ip-addresses/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { type Actor, type AuditEntry, recordAudit } from './entries-store.ts';
import { auditOf } from './open-audit.ts';

// `withRefusalAudit` runs an action and records its refusal: each refusal of an account, and one a minute of strangers. Routes that refuse
// strangers themselves call `recordRefusalOncePerMinute`. For things that belong to others there is `recordRefusedObject`.

type Attempt = Omit<AuditEntry, 'at' | 'outcome'>;

/**
 * Does some work. If a Problem refuses it, the audit gets the refusal and its reason, although the transaction of the work is undone. The
 * audit does not get what was sent: somebody may have typed a secret into the wrong field.
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
    // A caller without an account can repeat this without limit.
    if (attempt.actor.id === undefined) await recordRefusalOncePerMinute(deps, refusal);
    else await recordRefusal(deps, refusal);
    throw error;
  }
}

/**
 * Records a refusal that strangers can repeat without limit: once a minute for each action and account, or network if there is no
 * account; and at most sixty a minute for each action, because somebody with IPv6 has endless networks.
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
 * Records that somebody asked for something that belongs to others. The first ten things of a kind in a minute get an entry each. The
 * next entry after that minute says how many refusals got none.
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
