import { siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { lockReferral } from '../model/store.ts';
import { afterRecordChange } from './change-record.ts';
import { eraseContent, isDueForErasure, listDueForErasure, type RetentionRule } from './erasure-store.ts';

const batchSize = 500;

/**
 * The nightly `erase-by-rule` job: erases what is older than the site’s retention period. Each referral is one
 * transaction, so the job may be killed at any point and run again. An error with one referral does not stop the
 * others.
 * @throws Error at the end if any referral could not be erased, so that the job is retried and then counts as
 * failed.
 */
export async function eraseByRule(deps: ReferralDeps): Promise<void> {
  const rule = { years: deps.settings.retentionYears, now: deps.clock.now() };
  const failed: string[] = [];
  for (;;) {
    const due = await listDueForErasure(deps.db, rule, { limit: batchSize, without: failed });
    for (const id of due)
      await eraseIfDue(deps, rule, id).catch((error) => {
        failed.push(id);
        deps.log.error({ referral: id, error: describeError(error) }, 'a referral could not be erased');
      });
    if (due.length < batchSize) break;
  }
  if (failed.length > 0) throw new Error(`${failed.length} could not be erased`);
}

async function eraseIfDue(deps: ReferralDeps, rule: RetentionRule, id: string): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const referral = await lockReferral(trx, id);
    if (!referral || !(await isDueForErasure(trx, rule, id))) return;
    await eraseContent(trx, deps, id, at);
    await afterRecordChange(deps, trx, { referral, kind: 'erased', at }, siteActor, {
      after_years: rule.years,
    });
  });
}
