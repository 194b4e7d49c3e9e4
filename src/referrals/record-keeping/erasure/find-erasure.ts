import { listEntriesAbout, siteActor } from '../../../audit/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { type ErasureGround, erasureGrounds } from '../change-record.ts';

/** Who erased a referral, and why. The referral itself keeps only when. */
export type Erasure = { at: Date; by: string; why: string | undefined };

/** What the audit stores of an erasure: `erase` in change-record.ts, and erase-by-rule.ts. */
type StoredDetails = {
  reason?: string;
  ground?: ErasureGround;
  after_years?: number;
  approved_by?: string | null;
};

/** For operators with the name and the words of the person who erased it; for the two sides with the office and the ground. */
export async function findErasure(
  db: Db,
  referralId: string,
  { isOperator }: { isOperator: boolean },
): Promise<Erasure | undefined> {
  const entries = await listEntriesAbout(db, 'referral', referralId);
  const entry = entries.findLast(({ action, outcome }) => action === 'referral.erased' && outcome === 'done');
  if (!entry) return undefined;
  const { at, actorName } = entry;
  const { reason, ground, after_years: years, approved_by: approver } = entry.details as StoredDetails;
  const isBySite = actorName === siteActor.name;
  const name = isBySite ? approver : actorName;
  const whys = [
    ground && erasureGrounds[ground],
    years !== undefined && 'The time for which it had to be kept is over',
    isOperator && reason?.replace(/\.$/, ''),
  ];
  return {
    at,
    by: (isOperator && name) || (isBySite && !approver ? 'this site' : 'the operators of this site'),
    why: whys.filter(Boolean).join('. ') || undefined,
  };
}
