import type { Caller } from '../accounts/index.ts';
import { maySeeContent } from './access.ts';
import type { DeliverySummary } from './listener.ts';
import type { Referral } from './referral.ts';

/** The referral as this caller may see it: without what is personal or clinical for one who is on neither side. */
export function presentReferral(caller: Caller, referral: Referral, deliveries: readonly DeliverySummary[]) {
  const {
    content,
    outcome,
    referrerAccountId: _account,
    referrerOrganisationId: _organisation,
    ...state
  } = referral;
  const times = {
    created_at: state.created_at.toISOString(),
    updated_at: state.updated_at.toISOString(),
    due_at: state.due_at?.toISOString() ?? null,
  };
  const told = deliveries.map((delivery) => ({ ...delivery, updated_at: delivery.updated_at.toISOString() }));
  if (!maySeeContent(caller, referral)) return { ...state, ...times, status_reason: null, deliveries: told };
  return { ...state, ...times, ...content, outcome, deliveries: told };
}

export type PresentedReferral = ReturnType<typeof presentReferral>;

/** A version as an HTTP entity tag. */
export function etagOf(version: number): string {
  return `"${version}"`;
}
