import { theSite } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { ReferralDeps } from '../deps.ts';
import { lockReferral } from '../store.ts';
import { noteRecordChange } from './change-record.ts';
import { eraseContent, isDue, listDue, type RetentionRule } from './erasure-store.ts';

const batch = 500;

/**
 * The `erase-by-rule` job, every night: erases what is older than the site keeps it. It may run twice or be killed
 * anywhere: each referral is one transaction. One that cannot be erased keeps no other from it.
 * @throws Error where there were such, so that the job is tried again, and then counts as failed.
 */
export async function eraseByRule(deps: ReferralDeps): Promise<void> {
  const rule = { years: deps.settings.retentionYears, now: deps.clock.now() };
  const failed: string[] = [];
  for (;;) {
    const due = await listDue(deps.db, rule, { limit: batch, without: failed });
    for (const id of due)
      await eraseIfDue(deps, rule, id).catch((error) => {
        failed.push(id);
        deps.log.error({ referral: id, error: describeError(error) }, 'a referral could not be erased');
      });
    if (due.length < batch) break;
  }
  if (failed.length > 0) throw new Error(`${failed.length} could not be erased`);
}

async function eraseIfDue(deps: ReferralDeps, rule: RetentionRule, id: string): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const referral = await lockReferral(trx, id);
    if (!referral || !(await isDue(trx, rule, id))) return;
    await eraseContent(trx, deps, id, at);
    await noteRecordChange(deps, trx, { referral, is: 'erased', at }, theSite, { after_years: rule.years });
  });
}
