import type { Caller } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { forbidden, notFound, Problem, versionStale } from '../platform/problem/index.ts';
import { maySee, sidesOf } from './access.ts';
import { etagOf } from './present.ts';
import { requireUsable } from './records/usable.ts';
import type { Draft, Referral } from './referral.ts';
import type { Side } from './state-machine.ts';
import { lockReferral } from './store.ts';

export type SeenVersion = {
  referralId: string;
  /** The version that the caller has seen; a change made since then must be seen first. */
  version: number;
};

const sideInWords = { provider: 'staff of the service', referrer: 'the referrer’s organisation' } as const;

/**
 * Locks a referral for a change by somebody on one of these sides.
 * @throws Problem `not-found`, `forbidden` (it is the other side's to do), `version-stale`, `referral-restricted`,
 * `referral-erased`.
 */
export async function lockSeen(
  trx: Trx,
  caller: Caller,
  { referralId, version }: SeenVersion,
  by: readonly Side[],
): Promise<Referral | Draft> {
  const referral = isUuid(referralId) ? await lockReferral(trx, referralId) : undefined;
  if (!referral || !maySee(caller, referral)) throw new Problem(notFound);
  if (!sidesOf(caller, referral).some((side) => by.includes(side))) {
    throw new Problem(forbidden, `Only ${by.map((side) => sideInWords[side]).join(' or ')} can do that.`);
  }
  requireUsable(referral);
  if (version !== referral.version) {
    throw new Problem(versionStale, 'Read the referral again, then decide again.', {
      headers: { etag: etagOf(referral.version) },
    });
  }
  return referral;
}
