import { theSite } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { ReferralDeps } from '../deps.ts';
import { lockReferral } from '../store.ts';
import { noteRecordChange } from './change-record.ts';
import { eraseContent, isDue, listDue, type RetentionRule } from './erasure-store.ts';

const batch = 500;

/**
 * The `erase-by-rule` job, every night: erases what is older than the site keeps it. It may run twice or be killed
 * anywhere: each referral is one transaction.
 */
export async function eraseByRule(deps: ReferralDeps): Promise<void> {
  const rule = { years: deps.settings.retentionYears, now: deps.clock.now() };
  for (;;) {
    const due = await listDue(deps.db, rule, batch);
    for (const id of due) await eraseIfDue(deps, rule, id);
    if (due.length < batch) return;
  }
}

async function eraseIfDue(deps: ReferralDeps, rule: RetentionRule, id: string): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const referral = await lockReferral(trx, id);
    if (!referral || !(await isDue(trx, rule, id))) return;
    await eraseContent(trx, id, at);
    await noteRecordChange(deps, trx, { referral, is: 'erased', at }, theSite, { after_years: rule.years });
  });
}
