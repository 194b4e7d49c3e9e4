import type { Static } from 'typebox';
import { listEntriesAbout, type StoredAuditEntry } from '../../audit/index.ts';
import { listDeliveriesOf, presentDelivery } from '../../delivery/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { ReferralRecord } from '../../referrals/index.ts';
import { listSelfReferralsOf } from '../../self-referrals/index.ts';
import type { patientRecordSchema } from './schemas.ts';

type RecordSchema = Static<typeof patientRecordSchema>;
type DeliveriesAndAudit = Pick<RecordSchema['referrals'][number], 'deliveries' | 'self_referrals' | 'audit'>;
export type PatientRecord = Omit<RecordSchema, 'referrals'> & {
  referrals: (ReferralRecord & DeliveriesAndAudit)[];
};

/** Adds to each referral who was told (deliveries), who looked (audit), and what the person sent if they referred themselves. */
export async function collectRecord(
  trx: Trx,
  records: readonly ReferralRecord[],
): Promise<PatientRecord['referrals']> {
  const complete: PatientRecord['referrals'] = [];
  for (const record of records) {
    const { id } = record.referral;
    const deliveries = (await listDeliveriesOf(trx, id)).map(presentDelivery);
    const audit = (await listEntriesAbout(trx, 'referral', id)).map(presentEntry);
    const self_referrals = (await listSelfReferralsOf(trx, id)).map(presentSelfReferral);
    complete.push({ ...record, deliveries, self_referrals, audit });
  }
  return complete;
}

function presentSelfReferral({
  receivedAt,
  details,
  calls,
}: Awaited<ReturnType<typeof listSelfReferralsOf>>[number]) {
  return {
    sent_at: receivedAt.toISOString(),
    ...details,
    calls: calls.map(({ at, by, reached, note }) => ({ at, by: { name: by }, reached, note })),
  };
}

/** Without the IP addresses and ids of staff: those are data of the staff, and not of the person. */
function presentEntry({ at, actorName, actorRole, organisation, action, outcome }: StoredAuditEntry) {
  const by = { name: actorName, role: actorRole, organisation };
  return { at: at.toISOString(), by, action, outcome };
}

/** The record of these referrals at a moment, with nothing left out. */
export function wholeRecord(
  { siteName, baseUrl, dataController }: Settings,
  at: Date,
  referrals: PatientRecord['referrals'],
): PatientRecord {
  return {
    version: 1,
    exported_at: at.toISOString(),
    site: { name: siteName, address: baseUrl, data_controller: dataController ?? null },
    referrals,
    left_out: [],
  };
}
