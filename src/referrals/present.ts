import type { Caller } from '../accounts/index.ts';
import { sidesOf } from './access.ts';
import type { DeliverySummary } from './listener.ts';
import { type Draft, isOverdue, type Referral } from './referral.ts';

type Seen = {
  now: Date;
  told?: readonly DeliverySummary[] | undefined;
  /** An operator gave a reason for looking at what is personal and clinical. */
  opened?: boolean;
};

/** The referral as this caller may see it: without what is personal or clinical for one who is on neither side. */
export function presentReferral(
  caller: Caller,
  referral: Referral | Draft,
  { now, told = [], opened }: Seen,
) {
  const {
    content,
    outcome,
    remindedAt: _reminded,
    referrerAccountId: _account,
    referrerOrganisationId: _organisation,
    ...state
  } = referral;
  const sides = sidesOf(caller, referral);
  // Where else the person was referred is not for staff of one service.
  const chain = sides.length === 1 && sides[0] === 'provider' ? { reroutes: null, rerouted_to: null } : {};
  const presented = {
    ...state,
    ...chain,
    created_at: state.created_at.toISOString(),
    updated_at: state.updated_at.toISOString(),
    requested_at: state.requested_at?.toISOString() ?? null,
    due_at: state.due_at?.toISOString() ?? null,
    overdue: isOverdue(referral, now),
    deliveries: told.map((each) => ({ ...each, updated_at: each.updated_at.toISOString() })),
  };
  if (sides.length === 0 && !opened) return { ...presented, status_reason: null };
  return { ...presented, ...content, outcome };
}

export type PresentedReferral = ReturnType<typeof presentReferral>;

/** A version as an HTTP entity tag. */
export function etagOf(version: number): string {
  return `"${version}"`;
}
