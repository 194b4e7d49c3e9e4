import type { Static } from 'typebox';
import { actorOf, type Caller } from '../../accounts/index.ts';
import { auditRefusals, listEntriesAbout, type StoredAuditEntry } from '../../audit/index.ts';
import { listDeliveriesOf, presentDelivery } from '../../delivery/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { exportPerson, type Person, type ReferralDeps, type ReferralRecord } from '../../referrals/index.ts';
import type { patientRecordSchema } from './schemas.ts';

type RecordSchema = Static<typeof patientRecordSchema>;
type DeliveriesAndAudit = Pick<RecordSchema['referrals'][number], 'deliveries' | 'audit'>;
export type PatientRecord = Omit<RecordSchema, 'referrals'> & {
  referrals: (ReferralRecord & DeliveriesAndAudit)[];
};

/**
 * Everything that the site holds about one person.
 * @throws Problem `unprocessable` for too few details to identify the person, and for a reason that names them.
 */
export async function exportRecord(
  deps: ReferralDeps,
  caller: Caller,
  request: { person: Person; reason: string; address: string },
): Promise<PatientRecord> {
  const { siteName, baseUrl, dataController } = deps.settings;
  const attempt = { actor: actorOf(caller, request.address), action: 'patient.exported' };
  // A refused reason says that somebody of that name is known, so it is written down too.
  return auditRefusals(deps, attempt, () =>
    inTransaction(deps.db, async (trx) => {
      const records = await exportPerson(deps, trx, caller, request);
      const referrals: PatientRecord['referrals'] = [];
      for (const record of records) referrals.push(await withDeliveriesAndAudit(trx, record));
      return {
        version: 1,
        exported_at: deps.clock.now().toISOString(),
        site: { name: siteName, address: baseUrl, data_controller: dataController ?? null },
        referrals,
      };
    }),
  );
}

/** With the deliveries and audit entries of the referral: who was told, and who looked. */
async function withDeliveriesAndAudit(
  trx: Trx,
  record: ReferralRecord,
): Promise<PatientRecord['referrals'][number]> {
  const { id } = record.referral;
  const deliveries = (await listDeliveriesOf(trx, id)).map(presentDelivery);
  const audit = (await listEntriesAbout(trx, 'referral', id)).map(presentEntry);
  return { ...record, deliveries, audit };
}

/** Without the addresses and identifiers of those who did it, which are theirs. */
function presentEntry({ at, actorName, actorRole, organisation, action, outcome }: StoredAuditEntry) {
  const by = { name: actorName, role: actorRole, organisation };
  return { at: at.toISOString(), by, action, outcome };
}
