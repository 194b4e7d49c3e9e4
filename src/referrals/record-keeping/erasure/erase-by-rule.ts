import { mailOperators } from '../../../accounts/index.ts';
import { siteActor } from '../../../audit/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import { handleAllDue } from '../../../platform/jobs/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { lockReferral } from '../../model/referrals-store.ts';
import { afterRecordChange } from '../change-record.ts';
import { retentionRule } from './decide-retention.ts';
import { eraseContent } from './erasure-store.ts';
import {
  countDueButOpen,
  countErasuresDue,
  findDueRecord,
  listToErase,
  type RetentionRule,
} from './retention-store.ts';

const monday = 1;

/**
 * The nightly `erase-by-rule` job: erases what is due and was approved by a named person; on a site that has set
 * `ONWARD_RETENTION_YEARS`, all that is due. On Mondays it tells operators what waits for their approval, and what cannot be erased because
 * somebody is still owed something.
 * @throws Error at the end if any referral could not be erased, so that the job is retried and then counts as
 * failed.
 */
export async function eraseByRule(deps: ReferralDeps): Promise<void> {
  const rule = retentionRule(deps);
  const failed = await handleAllDue(deps, (page) => listToErase(deps.db, rule, page), {
    handle: (trx, [id]) => eraseIfDue(trx, deps, rule, id!),
    batchSize: 1,
    failure: 'a referral could not be erased',
  });
  if (failed.length > 0) throw new Error(`${failed.length} could not be erased`);
  if (rule.now.getUTCDay() === monday) await announceDueErasures(deps, rule);
}

async function eraseIfDue(trx: Trx, deps: ReferralDeps, rule: RetentionRule, id: string): Promise<void> {
  const at = deps.clock.now();
  const referral = await lockReferral(trx, id);
  const due = referral && (await findDueRecord(trx, rule, id));
  if (!due || due.open.length > 0 || (rule.automaticYears === undefined && due.approvedBy === null)) return;
  await eraseContent(trx, deps, id, { isUnlawful: false, at });
  const approval = rule.automaticYears === undefined && { kind: due.kind, approved_by: due.approvedBy };
  await afterRecordChange(trx, deps, { referral, kind: 'erased', at }, siteActor, {
    after_years: due.years,
    ...approval,
  });
}

async function announceDueErasures(deps: ReferralDeps, rule: RetentionRule): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const waiting = (await countErasuresDue(trx, rule)).filter(({ approved }) => !approved);
    const isAutomatic = rule.automaticYears !== undefined;
    const count = isAutomatic ? 0 : waiting.reduce((sum, each) => sum + each.count, 0);
    const openCount = await countDueButOpen(trx, rule);
    if (count + openCount === 0) return;
    const records = (number: number) => (number === 1 ? '1 record' : `${number} records`);
    const isOrAre = (number: number) => `${records(number)} ${number === 1 ? 'is' : 'are'}`;
    const due = [
      'The retention period of these records has ended. They are kept until somebody approves that they are erased.',
    ];
    const open = [
      `${isOrAre(openCount)} old enough, but somebody is still owed something, such as a letter or a call. Deal with that first.`,
    ];
    await mailOperators(trx, deps, 'record', {
      subject:
        count === 0 ? `${records(openCount)} cannot be erased yet` : `${isOrAre(count)} due for erasure`,
      paragraphs: [
        ...(count > 0 ? due : []),
        ...(openCount > 0 ? open : []),
        `Approve, put off or hold them: ${deps.settings.baseUrl}/operator/patients/erasure`,
        'You get this email on Mondays, while something is due.',
      ],
    });
  });
}
