import type { Trx } from '../platform/database/index.ts';
import { Problem } from '../platform/problem/index.ts';
import type { ReferralDeps } from './deps.ts';
import { findKeptAnswer, keepAnswer, lockIdempotencyKey } from './idempotency-store.ts';
import { idempotencyKeyReused, stillInProgress } from './problems.ts';

export type Idempotency = { accountId: string; key: string | undefined; request: unknown; at: Date };

export type Work<T> = {
  /** What is done once. */
  first(): Promise<T>;
  /** What is due each time the kept answer is given again; throws where it must not be. */
  again(answer: T): Promise<void>;
  /** The referral that the answer is about, and is erased with. */
  referralIdOf(answer: T): string;
};

/**
 * Does the work once for an idempotency key, and gives the same answer for every repetition. The answer is kept in the
 * transaction of the work itself: a request that was cut off leaves nothing behind, and may simply be sent again.
 * @throws Problem `still-in-progress` while another request with the key is at work, `idempotency-key-reused` when the
 * key came with another body.
 */
export async function answerOnce<T>(
  deps: ReferralDeps,
  trx: Trx,
  { accountId, key, request, at }: Idempotency,
  { first, again, referralIdOf }: Work<T>,
): Promise<T> {
  if (key === undefined) return first();
  if (!(await lockIdempotencyKey(trx, accountId, key))) {
    throw new Problem(stillInProgress, 'Wait for its answer, or send it again in a moment.', {
      headers: { 'retry-after': '1' },
    });
  }
  const requestHash = deps.secrets.hash('idempotent request', canonicalJson(request));
  const kept = await findKeptAnswer(trx, accountId, key);
  if (kept && !kept.requestHash.equals(requestHash)) {
    throw new Problem(
      idempotencyKeyReused,
      'Make a new key for every request; repeat one only with the very same request.',
    );
  }
  if (kept) {
    const answer = kept.answer as T;
    await again(answer);
    return answer;
  }
  const answer = await first();
  await keepAnswer(trx, {
    accountId,
    key,
    requestHash,
    referralId: referralIdOf(answer),
    answer: JSON.stringify(answer),
    at,
  });
  return answer;
}

/** JSON with its keys in order, so that two bodies that say the same are the same. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
