import { actorOf, type Caller } from '../../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../../audit/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Db, inTransaction, type Trx } from '../../../platform/database/index.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import { forbidden, notFound, Problem, versionStale } from '../../../platform/problem/index.ts';
import type { SiteSecrets } from '../../../platform/secrets/index.ts';
import { wrongState } from '../problems.ts';
import { type Draft, isSent, type Referral, versionTag } from '../referral.ts';
import { findReferralOrDraft, lockReferral } from '../referrals-store.ts';
import type { Side } from '../status/state-machine.ts';
import { requireNotErased, requireUsable } from '../status/usable.ts';
import { requireKnownService } from './hide-sensitive-services.ts';
import { recordAccess } from './looks.ts';
import { mayStillRead } from './openings-store.ts';
import { canSee, sidesOf } from './sides.ts';

// ARCHITECTURE.md, “Who may see what”, says which of these to call.

export type AuthorisedReferral = {
  referral: Referral | Draft;
  sides: Side[];
  /** The caller is an operator who gave a reason to see what is personal and clinical. */
  gaveReason: boolean;
};

/**
 * Loads a referral for somebody who may see it.
 * @throws Problem `not-found`, even if it exists and the caller may not see it.
 */
export function authorise(trx: Trx, caller: Caller, id: string, now: Date): Promise<AuthorisedReferral> {
  return authoriseWith(findReferralOrDraft, trx, caller, id, now);
}

async function authoriseWith(
  find: typeof lockReferral,
  trx: Trx,
  caller: Caller,
  id: string,
  now: Date,
): Promise<AuthorisedReferral> {
  const referral = await findVisible(find, trx, caller, id);
  const sides = sidesOf(caller, referral);
  const gaveReason = sides.length === 0 && (await mayStillRead(trx, referral.id, caller.accountId, now));
  return { referral, sides, gaveReason };
}

/** @throws Problem `not-found` */
async function findVisible(
  find: typeof lockReferral,
  trx: Trx,
  caller: Caller,
  id: string,
): Promise<Referral | Draft> {
  const referral = isUuid(id) ? await find(trx, id) : undefined;
  if (!referral || !canSee(caller, referral)) throw new Problem(notFound);
  return referral;
}

/**
 * Loads a referral for somebody who may read what it says, and notes who looked.
 * @throws Problem `not-found`, `forbidden` for an operator who has not opened it, `referral-restricted`, `referral-erased`.
 */
async function authoriseContent(
  trx: Trx,
  deps: { readonly secrets: SiteSecrets },
  caller: Caller,
  id: string,
  now: Date,
): Promise<AuthorisedReferral> {
  const authorised = await authorise(trx, caller, id, now);
  if (authorised.sides.length > 0 || authorised.gaveReason) {
    requireUsable(authorised.referral);
    await recordAccess(trx, deps, caller, authorised, now);
    return authorised;
  }
  throw new Problem(
    forbidden,
    'This is for the two sides of the referral. An operator gives a reason first.',
  );
}

/**
 * Reads something that a referral holds, for the two sides and for operators who gave a reason, and writes the audit entry in the same
 * transaction. Nothing else gives access to the content, so no reader can forget the entry.
 * @param details what the entry says beside, from what was read
 * @throws Problem `not-found`, `forbidden` for an operator who has not opened the referral, `referral-restricted`, `referral-erased`.
 */
export async function readAudited<T>(
  deps: { readonly db: Db; readonly clock: Clock; readonly secrets: SiteSecrets },
  caller: Caller,
  { referralId, ipAddress, action, details }: ReadRequest<T>,
  read: (trx: Trx, authorised: AuthorisedReferral, at: Date) => Promise<T>,
): Promise<T> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const authorised = await authoriseContent(trx, deps, caller, referralId, at);
    const result = await read(trx, authorised, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action,
      subject: { type: 'referral', id: authorised.referral.id },
      ...(details && { details: details(result) }),
    });
    return result;
  });
}

type ReadRequest<T> = {
  referralId: string;
  ipAddress: string;
  action: AuditAction;
  details?: (authorised: T) => Record<string, unknown>;
};

/**
 * Loads and locks a referral for somebody who adds something to it. Without the lock, something added while the referral is
 * being erased would be left.
 * @throws Problem `not-found`, `referral-restricted`, `referral-erased`.
 */
export async function lockForAnyReader(
  trx: Trx,
  caller: Caller,
  id: string,
  now: Date,
): Promise<AuthorisedReferral> {
  const authorised = await authoriseWith(lockReferral, trx, caller, id, now);
  requireUsable(authorised.referral);
  return authorised;
}

/**
 * The same for the two sides alone. It refuses a colleague from whom the service is hidden.
 * @throws Problem `not-found`, `forbidden`, `referral-restricted`, `referral-erased`.
 */
export async function lockForSides(
  trx: Trx,
  caller: Caller,
  id: string,
  now: Date,
): Promise<AuthorisedReferral> {
  const authorised = await lockForSidesInAnyCase(trx, caller, id, now);
  requireUsable(authorised.referral);
  await requireKnownService(trx, { caller, referral: authorised.referral });
  return authorised;
}

/**
 * The same as `lockForSides`, also while the referral is restricted, and for a colleague from whom the service is hidden: that the person
 * agrees to less counts at once. The action’s answer then shows nothing of it, or hides which service it is.
 * @throws Problem `not-found`, `forbidden`, `referral-erased`.
 */
export async function lockForSidesInAnyCase(
  trx: Trx,
  caller: Caller,
  id: string,
  now: Date,
): Promise<AuthorisedReferral> {
  const authorised = await authoriseWith(lockReferral, trx, caller, id, now);
  if (authorised.sides.length === 0)
    throw new Problem(forbidden, 'This is for the two sides of the referral.');
  requireNotErased(authorised.referral);
  return authorised;
}

/** Loads a referral for the referrer's side or an operator. @throws Problem `not-found`, `forbidden`. */
export async function authoriseReferrerOrOperator(
  trx: Trx,
  caller: Caller,
  id: string,
  now: Date,
): Promise<AuthorisedReferral> {
  const authorised = await authorise(trx, caller, id, now);
  if (authorised.sides.length === 0 || authorised.sides.includes('referrer')) return authorised;
  throw new Problem(forbidden, 'This is for the referrer’s organisation.');
}

export type ExpectedVersion = {
  referralId: string;
  /** The version that the caller has read. After a later change, they must read it again first. */
  version: number;
};

export const sideInWords = {
  provider: 'staff of the service',
  referrer: 'the referrer’s organisation',
} as const;

/**
 * Loads and locks a referral for a change that only these sides may make.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `referral-restricted`, `referral-erased`.
 */
export async function lockVersionForSides(
  trx: Trx,
  caller: Caller,
  { referralId, version }: ExpectedVersion,
  allowed: readonly Side[],
  lock: typeof lockReferral = lockReferral,
): Promise<Referral | Draft> {
  const referral = await findVisible(lock, trx, caller, referralId);
  if (!sidesOf(caller, referral).some((side) => allowed.includes(side))) {
    throw new Problem(
      forbidden,
      `Only ${allowed.map((side) => sideInWords[side]).join(' or ')} can do that.`,
    );
  }
  requireUsable(referral);
  await requireKnownService(trx, { caller, referral });
  requireVersion(referral, version);
  return referral;
}

/** As `lockVersionForSides`, for actions that a draft never reaches. @throws Problem also `wrong-state` for a draft */
export async function lockSentVersionForSides(
  trx: Trx,
  caller: Caller,
  expected: ExpectedVersion,
  allowed: readonly Side[],
): Promise<Referral> {
  const referral = await lockVersionForSides(trx, caller, expected, allowed);
  if (isSent(referral)) return referral;
  throw new Problem(wrongState, 'It is a draft, which was not sent.');
}

/** @throws Problem `version-stale` */
export function requireVersion({ version: current }: Referral | Draft, expected: number): void {
  if (expected === current) return;
  throw new Problem(versionStale, 'Read the referral again, then decide again.', {
    headers: { etag: versionTag(current) },
  });
}
