import type { Caller } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { sidesOf } from '../model/access/sides.ts';
import { identityForDisplay } from '../model/person/identity/patient.ts';
import type { Draft, Referral, ReferralStatus } from '../model/referral.ts';
import { findReferralsAndDrafts } from '../model/referrals-store.ts';
import { findReportRow, listReportRows } from './deaths-store.ts';

/** A referral of a person who is said to have died, for somebody of its sides to confirm. */
export type ReferralToConfirm = { id: string; reference: string; status: ReferralStatus | 'draft' };

/** With the name and birth date: two people may have one number by mistake. */
export type NamedReferralToConfirm = ReferralToConfirm & { name: string; birthDate: string | undefined };

/** The other referrals of the same report that nobody has confirmed yet, and that somebody on these sides may confirm. */
export async function listOthersToConfirm(
  trx: Trx,
  caller: Caller,
  referralId: string,
): Promise<NamedReferralToConfirm[]> {
  const report = await findReportRow(trx, referralId);
  const rows = report ? await listReportRows(trx, report.reportId) : [];
  const waiting = rows.filter((each) => each.referralId !== referralId && each.confirmedAt === null);
  const referrals = await findReferralsAndDrafts(
    trx,
    waiting.map((each) => each.referralId),
  );
  const usable = referrals.filter((each) => each.restrictedAt === null && each.erasedAt === null);
  return usable
    .filter((each) => sidesOf(caller, each).length > 0)
    .map((each) => ({ ...presentToConfirm(each), ...identityForDisplay(each.content) }));
}

export function presentToConfirm({ id, reference, status }: Referral | Draft): ReferralToConfirm {
  return { id, reference, status };
}
