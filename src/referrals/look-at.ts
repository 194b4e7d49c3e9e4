import type { Caller } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { forbidden, notFound, Problem } from '../platform/problem/index.ts';
import { maySee, sidesOf } from './access.ts';
import { hasOpened } from './openings-store.ts';
import { requireUsable } from './records/usable.ts';
import type { Draft, Referral } from './referral.ts';
import type { Side } from './state-machine.ts';
import { findReferralOrDraft, lockReferral } from './store.ts';

export type Look = {
  referral: Referral | Draft;
  sides: Side[];
  /** The caller is an operator who gave a reason for looking at what is personal and clinical. */
  opened: boolean;
};

/**
 * A referral as this caller stands to it now.
 * @throws Problem `not-found`, also for one that exists but is not the caller's to see.
 */
export async function lookAt(
  trx: Trx,
  caller: Caller,
  id: string,
  now: Date,
  find: typeof lockReferral = findReferralOrDraft,
): Promise<Look> {
  const referral = isUuid(id) ? await find(trx, id) : undefined;
  if (!referral || !maySee(caller, referral)) throw new Problem(notFound);
  const sides = sidesOf(caller, referral);
  const opened = sides.length === 0 && (await hasOpened(trx, referral.id, caller.accountId, now));
  return { referral, sides, opened };
}

/**
 * @throws Problem `forbidden` for an operator who has not opened the referral, `referral-restricted`, `referral-erased`; and
 * `not-found`, as above.
 */
export async function lookInside(trx: Trx, caller: Caller, id: string, now: Date): Promise<Look> {
  const look = await lookAt(trx, caller, id, now);
  if (look.sides.length > 0 || look.opened) return usable(look);
  throw new Problem(
    forbidden,
    'This is for the two sides of the referral. An operator gives a reason first.',
  );
}

/**
 * The same for whoever adds something to a referral. It is locked until that is done: what was added while the referral is
 * being erased would stay.
 * @throws Problem `referral-restricted`, `referral-erased`; and `not-found`, as above.
 */
export async function lockUsable(trx: Trx, caller: Caller, id: string, now: Date): Promise<Look> {
  return usable(await lookAt(trx, caller, id, now, lockReferral));
}

/**
 * @throws Problem `forbidden` for who is on neither side, whatever they may read; `referral-restricted`, `referral-erased`;
 * and `not-found`, as above.
 */
export async function lockOnSide(trx: Trx, caller: Caller, id: string, now: Date): Promise<Look> {
  const look = await lookAt(trx, caller, id, now, lockReferral);
  if (look.sides.length > 0) return usable(look);
  throw new Problem(forbidden, 'This is for the two sides of the referral.');
}

/** @throws Problem `forbidden` for staff of the service alone; and `not-found`, as above. */
export async function lookAsReferrer(trx: Trx, caller: Caller, id: string, now: Date): Promise<Look> {
  const look = await lookAt(trx, caller, id, now);
  if (look.sides.length === 0 || look.sides.includes('referrer')) return look;
  throw new Problem(forbidden, 'This is for the referrer’s organisation.');
}

function usable(look: Look): Look {
  requireUsable(look.referral);
  return look;
}
