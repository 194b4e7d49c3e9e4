import type { Selectable } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { ReportFacts } from '../../src/platform/database/tables.ts';

// What the database holds of reports, and states of referrals that only reports care about.

/** The facts of one referral; none if nothing of it counts any more. */
export function storedFacts(db: Db, referralId: string): Promise<Selectable<ReportFacts>[]> {
  return db.selectFrom('report_facts').selectAll().where('referral_id', '=', referralId).execute();
}

/** The facts of every referral that was erased. */
export function storedFactsOfErased(db: Db): Promise<Selectable<ReportFacts>[]> {
  return db
    .selectFrom('report_facts')
    .innerJoin('referrals', 'id', 'referral_id')
    .selectAll('report_facts')
    .where('erased_at', 'is not', null)
    .execute();
}

/** The months that are published, such as `2026-05`. */
export async function publishedMonths(db: Db): Promise<string[]> {
  const months = await db.selectFrom('report_months').select('month').execute();
  return months.map(({ month }) => String(month).slice(0, 7));
}

/** Which of these referrals, and of those that replaced them, have ended. */
export async function endedOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const ended = await db
    .selectFrom('referrals')
    .select('id')
    .where((where) => where.or([where('id', 'in', ids), where('reroutes', 'in', ids)]))
    .where('status', 'not in', ['requested', 'accepted', 'in-progress'])
    .execute();
  return ended.map(({ id }) => id);
}

/** As if an organisation had run a service when people were referred to it. */
export async function setServiceOrganization(
  db: Db,
  serviceId: string,
  organizationId: string,
): Promise<void> {
  await db
    .updateTable('referrals')
    .set({ service_organization_id: organizationId })
    .where('service_id', '=', serviceId)
    .execute();
}

/** As if every referral that was sent before a time had been sent at another one. */
export async function moveSending(db: Db, { before, to }: { before: Date; to: Date }): Promise<void> {
  await db.updateTable('referrals').set({ requested_at: to }).where('requested_at', '<', before).execute();
}

/** The ids and references of all referrals. */
export function storedReferralRows(db: Db): Promise<{ id: string; reference: string }[]> {
  return db.selectFrom('referrals').select(['id', 'reference']).execute();
}

/** As if the name in a referral had been corrected, so that it is about somebody else. */
export async function correctPerson(
  db: Db,
  id: string,
  { key, at }: { key: Buffer; at: Date },
): Promise<void> {
  await db
    .updateTable('referrals')
    .set({ patient_name_key: key, updated_at: at })
    .where('id', '=', id)
    .execute();
}
