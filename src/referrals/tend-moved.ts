import type { Platform } from '../platform/platform.ts';
import type { ReferralDeps } from './deps.ts';
import { daysAfter } from './due-date.ts';
import type { Referral } from './referral.ts';
import { rejectUnanswered } from './reject-unanswered.ts';
import { remindService } from './remind-service.ts';
import { findReferral } from './store.ts';

/** When a service that does not answer is reminded, and when the referral is rejected in its place. */
export type Patience = { remindAt: Date | undefined; rejectAt: Date | undefined };

/** For a referral of a test site whose time somebody has moved on, all together by so many milliseconds. */
export function patienceWith(
  { remindAfterDays, rejectAfterDays }: Pick<Platform['settings'], 'remindAfterDays' | 'rejectAfterDays'>,
  { status, requested_at, remindedAt, restrictedAt }: Referral,
  movedMs: number,
): Patience {
  if (status !== 'requested' || restrictedAt !== null) return { remindAt: undefined, rejectAt: undefined };
  const since = new Date(requested_at.getTime() - movedMs);
  const after = (days: number | undefined) => (days === undefined ? undefined : daysAfter(since, days));
  return { remindAt: remindedAt ? undefined : after(remindAfterDays), rejectAt: after(rejectAfterDays) };
}

/** Does for one such referral what `tend-waiting` does for all by the site's own clock. */
export async function tendMoved(deps: ReferralDeps, id: string, movedMs: number): Promise<void> {
  const { db, clock, settings } = deps;
  const referral = await findReferral(db, id);
  if (!referral) return;
  const now = clock.now();
  const { remindAt, rejectAt } = patienceWith(settings, referral, movedMs);
  if (rejectAt && rejectAt <= now) return rejectUnanswered(deps, id, settings.rejectAfterDays!);
  const { organization_id: organization } = referral.service;
  if (remindAt && remindAt <= now && organization !== null) {
    await remindService(deps, organization, { only: id });
  }
}
