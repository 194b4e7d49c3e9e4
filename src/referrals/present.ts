import type { Caller } from '../accounts/index.ts';
import { sidesOf } from './access.ts';
import type { DeliverySummary } from './listener.ts';
import { isUsable } from './records/usable.ts';
import { type Draft, isOverdue, type Referral } from './referral.ts';

type Seen = {
  now: Date;
  told?: readonly DeliverySummary[] | undefined;
};

/** With whether an operator gave a reason for looking at what is personal and clinical. */
type SeenBy = Seen & { opened?: boolean };

/**
 * The referral as this caller may see it: without what is personal or clinical for one who is on neither side, and for
 * everybody while it is restricted.
 */
export function presentReferral(caller: Caller, referral: Referral | Draft, seen: SeenBy) {
  const sides = sidesOf(caller, referral);
  // Where else the person was referred is not for staff of one service.
  const chain = sides.length === 1 && sides[0] === 'provider' ? hiddenChain : {};
  const presented = { ...presentState(referral, seen), ...chain };
  if (!isUsable(referral) || (sides.length === 0 && !seen.opened))
    return { ...presented, status_reason: null };
  return { ...presented, ...referral.content, outcome: referral.outcome };
}

const hiddenChain = { reroutes: null, rerouted_to: null, referred_again: false, seen_to: null };

/** All of it, for the person it is about. */
export function presentWhole(referral: Referral | Draft, seen: Seen) {
  return { ...presentState(referral, seen), ...referral.content, outcome: referral.outcome };
}

function presentState(referral: Referral | Draft, { now, told = [] }: Seen) {
  const {
    content: _content,
    outcome: _outcome,
    remindedAt: _reminded,
    restrictedAt,
    erasedAt,
    seenToAt,
    seenToBy,
    referrerAccountId: _account,
    referrerOrganisationId: _organisation,
    ...state
  } = referral;
  return {
    ...state,
    created_at: state.created_at.toISOString(),
    updated_at: state.updated_at.toISOString(),
    requested_at: state.requested_at?.toISOString() ?? null,
    due_at: state.due_at?.toISOString() ?? null,
    overdue: isOverdue(referral, now),
    seen_to: seenToAt && { at: seenToAt.toISOString(), by: { name: seenToBy! } },
    restricted: restrictedAt !== null,
    erased_at: erasedAt?.toISOString() ?? null,
    deliveries: told.map((each) => ({ ...each, updated_at: each.updated_at.toISOString() })),
  };
}

export type PresentedReferral = ReturnType<typeof presentReferral>;

/** A version as an HTTP entity tag. */
export function etagOf(version: number): string {
  return `"${version}"`;
}
