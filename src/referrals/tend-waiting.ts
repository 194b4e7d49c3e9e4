import type { ReferralDeps } from './deps.ts';
import { daysAfter } from './due-date.ts';
import { rejectUnanswered } from './reject-unanswered.ts';
import { remindService } from './remind-service.ts';
import { listUnanswered, listUnremindedOrganizations } from './waiting-store.ts';

const batch = 500;

/**
 * The `tend-waiting` job: rejects what was not answered for longer than the site allows, and reminds the services of
 * what they have not answered. It may run twice or be killed anywhere: each referral is one transaction, and each
 * reminder is.
 */
export async function tendWaiting(deps: ReferralDeps): Promise<void> {
  const { rejectAfterDays, remindAfterDays } = deps.settings;
  const before = (days: number) => daysAfter(deps.clock.now(), -days);
  if (rejectAfterDays !== undefined) {
    for (;;) {
      const unanswered = await listUnanswered(deps.db, before(rejectAfterDays), batch);
      for (const id of unanswered) await rejectUnanswered(deps, id, rejectAfterDays);
      if (unanswered.length < batch) break;
    }
  }
  if (remindAfterDays === undefined) return;
  for (const id of await listUnremindedOrganizations(deps.db, before(remindAfterDays)))
    await remindService(deps, id, { sentBefore: before(remindAfterDays) });
}
