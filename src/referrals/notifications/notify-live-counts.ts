import { notify, type Trx } from '../../platform/database/index.ts';
import type { ReferralListener } from '../model/deps.ts';
import type { Draft, Referral } from '../model/referral.ts';

/** The topic of the notices that some referrals have changed. */
export const referralsChanged = 'referrals';
/** In place of too many ids for one notice: somebody’s referrals have changed. */
export const everybody = '*';
/** PostgreSQL takes up to 8000 bytes. */
const maxNoticeLength = 7000;

/** Tells every process, when the transaction commits, whose referrals have changed, so that numbers on open pages are right within seconds. */
export const liveCountListener: ReferralListener = {
  async onStatusChange(trx, changes) {
    await tell(
      trx,
      changes.map(({ referral }) => referral),
    );
  },
  async onContentChange(trx, change) {
    await tell(trx, [change.before, change.referral]);
  },
  async onMessage(trx, message) {
    await tell(trx, [message.referral]);
  },
  async onRecordChange(trx, change) {
    await tell(trx, [change.referral]);
  },
};

/** The ids of those who can see the referrals: two organisations, or a referrer without one. Ids name nobody. */
async function tell(trx: Trx, referrals: readonly (Referral | Draft)[]): Promise<void> {
  const ids = referrals.flatMap((referral) => [
    referral.referrerOrganisationId ?? referral.referrerAccountId,
    referral.service?.organization_id,
  ]);
  const text = [...new Set(ids.filter((id) => id !== undefined))].join(' ');
  if (text !== '') await notify(trx, referralsChanged, text.length > maxNoticeLength ? everybody : text);
}
