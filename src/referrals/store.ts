import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import type { HistoryActor } from './history-actor.ts';
import type { Outcome, Referral, ReferralStatus, StatusReason } from './referral.ts';

export type Row = Omit<Referral, 'service' | 'gp_practice'> & {
  serviceName: string;
  serviceOrganizationId: string | null;
  serviceOrganizationName: string | null;
  practiceOdsCode: string | null;
  practiceName: string | null;
};

export const columns = sql`
  id, reference, service_id, service_name as "serviceName", service_organization_id as "serviceOrganizationId",
  service_organization_name as "serviceOrganizationName", status, status_reason, version, created_at, updated_at, due_at,
  urgency, simulated, practice_ods_code as "practiceOdsCode", practice_name as "practiceName", content, outcome,
  referrer_account_id as "referrerAccountId", referrer_organisation_id as "referrerOrganisationId"`;

export function fromRow(row: Row): Referral {
  const {
    serviceName,
    serviceOrganizationId,
    serviceOrganizationName,
    practiceOdsCode,
    practiceName,
    ...rest
  } = row;
  return {
    ...rest,
    service: {
      name: serviceName,
      organization_id: serviceOrganizationId,
      organization_name: serviceOrganizationName,
    },
    gp_practice: practiceOdsCode === null ? null : { ods_code: practiceOdsCode, name: practiceName! },
  };
}

export async function findReferral(db: Db, id: string): Promise<Referral | undefined> {
  const { rows } = await sql<Row>`select ${columns} from referrals where id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** The referral, locked until the transaction ends: whoever changes it meanwhile waits, and then sees the change. */
export async function lockReferral(trx: Trx, id: string): Promise<Referral | undefined> {
  const { rows } = await sql<Row>`select ${columns} from referrals where id = ${id} for update`.execute(trx);
  return rows[0] && fromRow(rows[0]);
}

export type PatientKeys = { name: Buffer; number: Buffer | null };

/** Stores a new referral and the first line of its history. @returns false where the reference is taken already. */
export async function insertReferral(
  trx: Trx,
  referral: Referral,
  keys: PatientKeys,
  actor: HistoryActor,
): Promise<boolean> {
  const { service, gp_practice } = referral;
  const { rows } = await sql`
    with made as (
      insert into referrals (id, reference, status, version, urgency, simulated, service_id, service_name,
        service_organization_id, service_organization_name, referrer_account_id, referrer_organisation_id,
        practice_ods_code, practice_name, patient_name_key, patient_number_key, content, created_at, updated_at)
      values (${referral.id}, ${referral.reference}, ${referral.status}, ${referral.version}, ${referral.urgency},
        ${referral.simulated}, ${referral.service_id}, ${service.name}, ${service.organization_id},
        ${service.organization_name}, ${referral.referrerAccountId}, ${referral.referrerOrganisationId},
        ${gp_practice?.ods_code ?? null}, ${gp_practice?.name ?? null}, ${keys.name}, ${keys.number},
        ${JSON.stringify(referral.content)}::jsonb, ${referral.created_at}, ${referral.updated_at})
      on conflict (reference) do nothing
      returning id, version, created_at, status)
    insert into referral_history (referral_id, version, at, actor_id, actor_name, actor_organisation, to_status)
    select id, version, created_at, ${actor.id}::uuid, ${actor.name}::text, ${actor.organisation}::text, status from made
    returning 1`.execute(trx);
  return rows.length === 1;
}

type Change = { to: ReferralStatus; reason: StatusReason | null; outcome: Outcome | null; at: Date };

/** Moves a locked referral to its next state and version, and writes the line of its history. */
export async function updateStatus(
  trx: Trx,
  referral: Referral,
  change: Change,
  actor: HistoryActor,
): Promise<Referral> {
  const reason = change.reason && JSON.stringify(change.reason);
  const { rows } = await sql<Row>`
    with history as (
      insert into referral_history (referral_id, version, at, actor_id, actor_name, actor_organisation, from_status, to_status, reason)
      values (${referral.id}, ${referral.version + 1}, ${change.at}, ${actor.id}, ${actor.name}, ${actor.organisation},
        ${referral.status}, ${change.to}, ${reason}::jsonb))
    update referrals set status = ${change.to}, status_reason = ${reason}::jsonb,
      outcome = coalesce(${change.outcome && JSON.stringify(change.outcome)}::jsonb, outcome),
      version = version + 1, updated_at = ${change.at}
    where id = ${referral.id} returning ${columns}`.execute(trx);
  return fromRow(rows[0]!);
}

export type HistoryLine = {
  version: number;
  at: Date;
  actorName: string;
  actorOrganisation: string | null;
  from: string | null;
  to: string;
  reason: StatusReason | null;
};

export async function listHistory(db: Db, referralId: string): Promise<HistoryLine[]> {
  const { rows } = await sql<HistoryLine>`
    select version, at, actor_name as "actorName", actor_organisation as "actorOrganisation", from_status as "from",
      to_status as "to", reason
    from referral_history where referral_id = ${referralId} order by version`.execute(db);
  return rows;
}

/** Lets one at a time look for and make a referral of this person to this service. */
export async function lockPatientForService(trx: Trx, serviceId: string, keys: PatientKeys): Promise<void> {
  const names = [keys.name, keys.number]
    .filter((key) => key !== null)
    .map((key) => `${serviceId} ${key.toString('hex')}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names.sort()}::text[]) as name`.execute(
    trx,
  );
}

export async function findOpenReferral(
  trx: Trx,
  serviceId: string,
  keys: PatientKeys,
  open: readonly ReferralStatus[],
): Promise<Referral | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from referrals
    where service_id = ${serviceId} and status = any(${open})
      and (patient_name_key = ${keys.name} or patient_number_key = ${keys.number}) order by id limit 1`.execute(
    trx,
  );
  return rows[0] && fromRow(rows[0]);
}

/** How many referrals to an organisation's services wait for its answer. */
export async function countWaiting(db: Db, libraryOrganizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from referrals
    where service_organization_id = ${libraryOrganizationId} and status = 'requested'`.execute(db);
  return rows[0]!.count;
}
