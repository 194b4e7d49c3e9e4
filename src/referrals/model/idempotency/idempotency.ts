import type { Trx } from '../../../platform/database/index.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { Problem } from '../../../platform/problem/index.ts';
import { idempotencyKeyReused, stillInProgress } from '../problems.ts';
import {
  findKeptAnswers,
  type IdempotencyKey,
  idempotencyLockName,
  keepAnswers,
  keyForErased,
  lockIdempotencyKeys,
} from './idempotency-store.ts';

type Deps = Pick<Platform, 'secrets'>;

/** A request with an idempotency key. The hash of what it asks for tells it from another request with the same key. */
export type KeyedRequest = IdempotencyKey & { readonly requestHash: Buffer };

/** @returns undefined for a request without a key. */
export function keyedRequest(
  { secrets }: Deps,
  accountId: string,
  key: string | undefined,
  request: unknown,
): KeyedRequest | undefined {
  if (key === undefined) return undefined;
  return { accountId, key, requestHash: secrets.hash('idempotent request', canonicalJson(request)) };
}

/**
 * The key of a form that was sent. A second press of its button sends the same token and content; somebody who goes back and changes something makes
 * another entry. @param token what the form had when it was shown
 */
export function keyedForm(
  { secrets }: Deps,
  accountId: string,
  token: string | undefined,
  content: unknown,
): KeyedRequest | undefined {
  if (token === undefined || !isUuid(token)) return undefined;
  const key = `form ${token} ${secrets.hash('sent form', canonicalJson(content)).toString('base64url')}`;
  return keyedRequest({ secrets }, accountId, key, content);
}

/** What a request was answered when it came first. When the referral was erased, only its id is left of the answer. */
export type EarlierAnswer = { answer: unknown; isErased: boolean };

/**
 * What these requests, each with a key of its own, were answered before. A request that is not in the map is new. Its key is
 * locked until the transaction ends: keep its answer in the same transaction, so that a request that was cut off leaves
 * nothing behind.
 * @returns instead of an answer a Problem: `still-in-progress` while another transaction works on the request,
 * `idempotency-key-reused` when the key was used for another request.
 */
export async function findEarlierAnswers(
  trx: Trx,
  { secrets }: Deps,
  requests: readonly KeyedRequest[],
): Promise<ReadonlyMap<KeyedRequest, EarlierAnswer | Problem>> {
  if (requests.length === 0) return new Map();
  const locked = await lockIdempotencyKeys(trx, requests);
  const erasedKeys = new Map(requests.map((request) => [request, keyForErased(secrets, request)]));
  const keptAnswers = await findKeptAnswers(trx, [...requests, ...erasedKeys.values()]);
  const earlier = new Map<KeyedRequest, EarlierAnswer | Problem>();
  for (const request of requests) {
    const keptAnswer = keptAnswers.get(idempotencyLockName(request));
    const answerOfErased = keptAnswers.get(idempotencyLockName(erasedKeys.get(request)!));
    if (!locked.has(idempotencyLockName(request))) earlier.set(request, inProgressProblem());
    else if (keptAnswer && !keptAnswer.requestHash.equals(request.requestHash))
      earlier.set(request, keyReusedProblem());
    else if (keptAnswer) earlier.set(request, { answer: keptAnswer.answer, isErased: false });
    else if (answerOfErased) earlier.set(request, { answer: answerOfErased.answer, isErased: true });
  }
  return earlier;
}

/**
 * The answer that one request about a referral got before, for a caller who may work with the referral; undefined if the request is new.
 * It throws the problems that `findEarlierAnswers` returns.
 * @throws Problem `still-in-progress`, `idempotency-key-reused`
 */
export async function replayOrRefuse<Answer>(
  trx: Trx,
  deps: Deps,
  request: KeyedRequest | undefined,
): Promise<Answer | undefined> {
  if (!request) return undefined;
  const earlier = (await findEarlierAnswers(trx, deps, [request])).get(request);
  if (!earlier) return undefined;
  if (earlier instanceof Problem) throw earlier;
  // The referral of this request is not erased, so the key was used for another one.
  if (earlier.isErased) throw keyReusedProblem();
  return earlier.answer as Answer;
}

/** An answer, and whether it was first given to an earlier request with the same key. */
export type KeyedAnswer<Answer> = { answer: Answer; isReplayed: boolean };

/** Keeps the answer to a new request, for the case that it is sent again. It is erased with the referral. */
export async function keepAnswer(
  trx: Trx,
  request: KeyedRequest | undefined,
  { at, ...about }: { referralId: string; answer: unknown; at: Date },
): Promise<void> {
  if (request) await keepAnswers(trx, [{ ...request, ...about }], at);
}

function inProgressProblem(): Problem {
  return new Problem(stillInProgress, undefined, { headers: { 'retry-after': '1' } });
}

function keyReusedProblem(): Problem {
  return new Problem(
    idempotencyKeyReused,
    'Make a new key for every request; repeat one only with the very same request.',
  );
}

/** JSON with sorted keys, so that two bodies with the same content have the same hash. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
