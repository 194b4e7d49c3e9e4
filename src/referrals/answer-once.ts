import type { Trx } from '../platform/database/index.ts';
import { done, type Settled } from '../platform/in-batches.ts';
import { Problem } from '../platform/problem/index.ts';
import type { ReferralDeps } from './deps.ts';
import { eachSettled } from './each-settled.ts';
import {
  erasedKey,
  findKeptAnswers,
  type IdempotencyKey,
  keepAnswers,
  lockIdempotencyKeys,
  nameOfKey,
} from './idempotency-store.ts';
import { idempotencyKeyReused, stillInProgress } from './problems.ts';

type Repeatable = { accountId: string; key: string | undefined; request: unknown };

export type Idempotency = Repeatable & { at: Date };

export type Work<T> = {
  /** What is done once. */
  first(): Promise<T>;
  /**
   * What is due each time the kept answer is given again; throws where it must not be. Of what was erased nothing is left
   * but the referral's id, so that it has to throw.
   */
  again(answer: T, isErased: boolean): Promise<void>;
  /** The referral that the answer is about, and is erased with. */
  referralIdOf(answer: T): string;
};

/**
 * Does the work once for an idempotency key, and gives the same answer for every repetition. The answer is kept in the
 * transaction of the work itself: a request that was cut off leaves nothing behind, and may simply be sent again.
 * @throws Problem `still-in-progress` while another request with the key is at work, `idempotency-key-reused` when the
 * key came with another request.
 */
export async function answerOnce<T>(
  deps: ReferralDeps,
  trx: Trx,
  asked: Idempotency,
  { first, again, referralIdOf }: Work<T>,
): Promise<T> {
  const [result] = await answerEachOnce(deps, trx, [asked], asked.at, {
    first: async () => [done(await first())],
    again: (_, answer: T, isErased) => again(answer, isErased),
    referralIdOf,
  });
  if (result!.status === 'rejected') throw result!.reason;
  return result!.value;
}

type WorkTogether<Asked, T> = Pick<Work<T>, 'referralIdOf'> & {
  first(asked: readonly Asked[]): Promise<Settled<T>[]>;
  again(asked: Asked, answer: T, isErased: boolean): Promise<void>;
};

/** The same for several, of which no two have the same key. */
export async function answerEachOnce<Asked extends Repeatable, T>(
  deps: ReferralDeps,
  trx: Trx,
  asked: readonly Asked[],
  at: Date,
  { first, again, referralIdOf }: WorkTogether<Asked, T>,
): Promise<Settled<T>[]> {
  const keyed = asked.flatMap(keyOf);
  if (keyed.length === 0) return first(asked);
  const locked = await lockIdempotencyKeys(trx, keyed);
  const erased = (key: IdempotencyKey) => erasedKey(deps.secrets, key);
  const kept = await findKeptAnswers(trx, [...keyed, ...keyed.map(erased)]);
  const hashOf = ({ request }: Asked) => deps.secrets.hash('idempotent request', canonicalJson(request));

  const repetitions = await eachSettled(asked, async (each): Promise<T | undefined> => {
    const [key] = keyOf(each);
    if (!key) return undefined;
    if (!locked.has(nameOfKey(key)))
      throw new Problem(stillInProgress, 'Wait for its answer, or send it again in a moment.', {
        headers: { 'retry-after': '1' },
      });
    const known = kept.get(nameOfKey(key)) ?? kept.get(nameOfKey(erased(key)));
    if (!known) return undefined;
    // Of what was erased nothing is left to compare with; `again` then says that it was.
    const isErased = known.requestHash.length === 0;
    if (!isErased && !known.requestHash.equals(hashOf(each))) throw keyReused();
    await again(each, known.answer as T, isErased);
    return known.answer as T;
  });

  const isNew = (result: Settled<T | undefined>) =>
    result.status === 'fulfilled' && result.value === undefined;
  const fresh = asked.filter((_, place) => isNew(repetitions[place]!));
  const answers = fresh.length > 0 ? await first(fresh) : [];
  await keepAnswers(
    trx,
    fresh.flatMap((each, place) => {
      const [key] = keyOf(each);
      const answer = answers[place]!;
      if (!key || answer.status === 'rejected') return [];
      const { value } = answer;
      return [{ ...key, requestHash: hashOf(each), referralId: referralIdOf(value), answer: value }];
    }),
    at,
  );
  let next = 0;
  return repetitions.map((result) =>
    result.status === 'rejected' ? result : isNew(result) ? answers[next++]! : done(result.value as T),
  );
}

export function keyReused(): Problem {
  return new Problem(
    idempotencyKeyReused,
    'Make a new key for every request; repeat one only with the very same request.',
  );
}

function keyOf({ accountId, key }: Repeatable) {
  return key === undefined ? [] : [{ accountId, key }];
}

/** JSON with its keys in order, so that two bodies that say the same are the same. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
