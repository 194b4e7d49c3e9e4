import { sql } from 'kysely';
import type { Caller } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { HistoryActor } from '../model/actors/authors.ts';
import { endWatchOfDeath } from '../model/attention/watches-store.ts';
import { lockDeathOf } from '../model/person/death/death-locks-store.ts';
import type { PatientKeys } from '../model/person/identity/patient.ts';
import { haveDifferentFirstNames, isSamePersonIfKeysMatch } from '../model/person/identity/same-person.ts';
import { referralsOfPersonSql } from '../model/person/identity/same-person-store.ts';
import {
  type Draft,
  isSent,
  openStatuses,
  type Referral,
  type ReferralStatus,
  type ReporterIds,
  type StatusReason,
} from '../model/referral.ts';
import { findReferralsAndDrafts } from '../model/referrals-store.ts';

/** One referral’s row of a death report. A report has a row for each of the person’s referrals. */
export type DeathReportRow = {
  rowId: string;
  reportId: string;
  referralId: string;
  reportedAt: Date;
  /** Null where another organisation was told: nothing here may say who knows the person there. */
  toldBy: string | null;
  date: string | null;
  statusBefore: ReferralStatus | null;
  /** Why the person was waiting. */
  reasonBefore: StatusReason | null;
  nextDateBefore: string | null;
  expectedDateBefore: string | null;
  confirmedAt: Date | null;
  confirmedByOrganisationId: string | null;
} & ReporterIds;

/**
 * Locks a person and then their open referrals, as every report of a death does. To confirm one or take it back, its report is locked
 * instead (`lockWithReport`). A draft locks nothing: sending it locks the draft first and the person second, so this would be a deadlock.
 */
export async function lockPersonAndOpenReferrals(trx: Trx, referral: Referral | Draft): Promise<Referral[]> {
  if (!isSent(referral)) return [];
  await lockPersonOfReferral(trx, referral.id);
  return lockOpenReferralsOfPerson(trx, referral.id);
}

/**
 * Waits for other reports of the same person's death and for new referrals of them, and makes later ones wait. Otherwise two reports could
 * wait for each other's referrals (a deadlock), and the report would miss a new referral.
 */
export async function lockPersonOfReferral(trx: Trx, referralId: string): Promise<void> {
  const { rows } = await sql<Pick<PatientKeys, 'name' | 'number'>>`
    select patient_name_key as name, patient_number_key as number from referrals where id = ${referralId}`.execute(
    trx,
  );
  for (const person of rows) await lockDeathOf(trx, person);
}

/**
 * Locks the open referrals that have the keys of the person of a referral, and that one, in the order of their ids, so that two reports at
 * once never deadlock. Restricted ones are among them: nobody may be told of those, but a report has to reach them before the restriction
 * is lifted.
 * @returns those of this person: with the same NHS number and the same last name or birth date, or with the same name and birth date where
 *   only one of them has a number. Referrals of a twin who has the same number by mistake are locked, too, but not returned.
 */
async function lockOpenReferralsOfPerson(trx: Trx, referralId: string): Promise<Referral[]> {
  const { rows } = await sql<{ id: string }>`
    with person as (select patient_name_key, patient_number_key from referrals where id = ${referralId})
    select id from referrals
    where id in (
        select other.id from person p cross join lateral
          ${referralsOfPersonSql(sql`p.patient_name_key`, sql`p.patient_number_key`)} as other
        union
        select ${referralId}::uuid)
      and status = any(${openStatuses}::text[]) and requested_at is not null
    order by id for no key update`.execute(trx);
  const referrals = (await findReferralsAndDrafts(
    trx,
    rows.map(({ id }) => id),
  )) as Referral[];
  const own = referrals.find(({ id }) => id === referralId);
  return referrals.filter(
    ({ content: { patient } }) =>
      own &&
      isSamePersonIfKeysMatch(patient, own.content.patient) &&
      !haveDifferentFirstNames(patient, own.content.patient),
  );
}

/** Whether an earlier report by the caller’s organisation, that the person of one of these referrals has died, was taken back. */
export async function wasTakenBackBefore(
  trx: Trx,
  { accountId, organisation }: Pick<Caller, 'accountId' | 'organisation'>,
  referrals: readonly Pick<Referral, 'id'>[],
): Promise<boolean> {
  const ids = referrals.map(({ id }) => id);
  const { rows } = await sql`
    select from referral_deaths d
    where d.undone_at is not null
      and d.reported_by_organisation_id is not distinct from ${organisation?.id ?? null}::uuid
      and (d.reported_by_organisation_id is not null or d.reported_by_id = ${accountId})
      and d.referral_id in (
        select other.id from referrals p cross join lateral
          ${referralsOfPersonSql(sql`p.patient_name_key`, sql`p.patient_number_key`)} as other
        where p.id = any(${ids}::uuid[])
        union all
        select unnest(${ids}::uuid[]))
    limit 1`.execute(trx);
  return rows.length > 0;
}

export async function insertReport(
  trx: Trx,
  report: Pick<DeathReportRow, 'rowId' | 'reportId' | 'referralId' | 'reportedAt' | 'toldBy' | 'date'>,
  by: HistoryActor,
): Promise<void> {
  const { rowId, reportId, referralId, reportedAt, toldBy, date } = report;
  // The reporter’s ids are stored even where their name is not: they decide who may take it back.
  const named = toldBy === null ? null : by;
  await sql`
    insert into referral_deaths (id, report_id, referral_id, reported_at, told_by, date, reported_by_id,
      reported_by_organisation_id, reported_by_name, reported_by_organisation)
    values (${rowId}, ${reportId}, ${referralId}, ${reportedAt}, ${toldBy}, ${date}::date, ${by.id}, ${by.organisationId},
      ${named?.name ?? null}, ${named?.organisation ?? null})`.execute(trx);
}

const columnsSql = sql`
  id as "rowId", report_id as "reportId", referral_id as "referralId", reported_at as "reportedAt", told_by as "toldBy", date::text,
  status_before as "statusBefore", reason_before as "reasonBefore", next_date_before::text as "nextDateBefore",
  expected_date_before::text as "expectedDateBefore", confirmed_at as "confirmedAt",
  confirmed_by_organisation_id as "confirmedByOrganisationId", reported_by_id as "reportedById",
  reported_by_organisation_id as "reportedByOrganisationId"`;

/** The newest report of a referral that nobody has taken back. */
export async function findReportRow(db: Db, referralId: string): Promise<DeathReportRow | undefined> {
  const { rows } = await sql<DeathReportRow>`
    select ${columnsSql} from referral_deaths where referral_id = ${referralId} and undone_at is null
    order by id desc limit 1`.execute(db);
  return rows[0];
}

/** The rows of one report, one for each referral of the person, in the order of the referrals' ids. */
export async function listReportRows(db: Db, reportId: string): Promise<DeathReportRow[]> {
  const { rows } = await sql<DeathReportRow>`
    select ${columnsSql} from referral_deaths where report_id = ${reportId} and undone_at is null
    order by referral_id`.execute(db);
  return rows;
}

export async function setDeathConfirmed(
  trx: Trx,
  rowId: string,
  {
    id,
    status,
    status_reason: reason,
    next_date,
    expected_date,
  }: Pick<Referral, 'id' | 'status' | 'status_reason' | 'next_date' | 'expected_date'>,
  by: HistoryActor & { at: Date },
): Promise<void> {
  await sql`
    update referral_deaths set status_before = ${status}, reason_before = ${reason && JSON.stringify(reason)}::jsonb,
      next_date_before = ${next_date}::date, expected_date_before = ${expected_date}::date,
      prompts_before = (select jsonb_agg(p) from referral_prompts p where p.referral_id = ${id}),
      confirmed_at = ${by.at}, confirmed_by_name = ${by.name}, confirmed_by_id = ${by.id},
      confirmed_by_organisation_id = ${by.organisationId}
    where id = ${rowId}`.execute(trx);
}

/** A dismissed prompt is not shown again. A prompt whose reason has gone meanwhile is deleted by `update-prompts`. */
export async function restorePrompts(trx: Trx, rowId: string): Promise<void> {
  await sql`
    insert into referral_prompts (id, referral_id, kind, side, owner_id, made_at, told_at, dismissed_at, dismissed_by_name, due_on)
    select p.id, p.referral_id, p.kind, p.side, p.owner_id, p.made_at, p.told_at, p.dismissed_at, p.dismissed_by_name, p.due_on
    from referral_deaths d cross join lateral jsonb_populate_recordset(null::referral_prompts, d.prompts_before) as p
    where d.id = ${rowId} on conflict do nothing`.execute(trx);
}

export async function setReportUndone(trx: Trx, reportId: string, at: Date): Promise<void> {
  await sql`update referral_deaths set undone_at = ${at} where report_id = ${reportId}`.execute(trx);
}

/** Undoes a report for one referral alone. It stays for the person’s others. */
export async function setReportRowUndone(trx: Trx, rowId: string, at: Date): Promise<void> {
  await sql`update referral_deaths set undone_at = ${at} where id = ${rowId}`.execute(trx);
}

/**
 * While this is set, nothing is sent about the referral, and the service cannot accept it. Without a `rejection_at` the site does not
 * reject it as unanswered, and warns the service again later.
 */
export async function setDeathReported(trx: Trx, referralId: string, at: Date | null): Promise<void> {
  await sql`update referrals set death_reported_at = ${at}, rejection_at = null where id = ${referralId}`.execute(
    trx,
  );
  if (at === null) await endWatchOfDeath(trx, referralId);
}
