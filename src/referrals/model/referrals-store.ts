import { type RawBuilder, sql, type Updateable } from 'kysely';
import { anyOfValuesSql, type Db, type Trx, tableExists } from '../../platform/database/index.ts';
import type { Referrals } from '../../platform/database/tables.ts';
import type { HistoryActor } from './actors/authors.ts';
import { type HistoryDetails, insertHistoryLineSql, type WaitDetails } from './history-store.ts';
import type { PatientKeys } from './person/identity/patient.ts';
import type {
  Draft,
  EndCause,
  GpAction,
  Outcome,
  Referral,
  ReferralContent,
  ReferralStatus,
  StatusReason,
} from './referral.ts';
import { checkTimeMs } from './status/ending-by-link.ts';
import { unsuccessfulStatuses } from './status/state-machine.ts';

export type ReferralRow = Omit<Referral, 'service' | 'gp_practice'> & {
  serviceName: string | null;
  serviceOrganizationId: string | null;
  serviceOrganizationName: string | null;
  practiceOdsCode: string | null;
  practiceName: string | null;
};

/** The referral that reroutes this one; null if the column `rerouted` is false. */
const reroutedToSql = sql`(
    select later.id from referrals later
    where later.reroutes = referrals.id and later.requested_at is not null and later.status <> 'entered-in-error')`;

const referredAgainBySql = (key: RawBuilder<unknown>) => sql`exists (
  select from (
    select requested_at, status, referrer_organisation_id, referrer_account_id from referrals candidate
    where candidate.${key} = referrals.${key} offset 0) as later
  where later.requested_at > referrals.version_at and later.status <> 'entered-in-error'
    and later.referrer_organisation_id is not distinct from referrals.referrer_organisation_id
    and (referrals.referrer_organisation_id is not null or later.referrer_account_id = referrals.referrer_account_id))`;

/**
 * Whether the same referrer has referred the person again, to any service, since this referral was unsuccessful. Each patient
 * key is looked up by itself (hence `offset 0`), so that PostgreSQL uses its index.
 */
const referredAgainSql = sql`(status in (${sql.join(unsuccessfulStatuses.map((each) => sql.lit(each)))})
  and (${referredAgainBySql(sql`patient_name_key`)} or ${referredAgainBySql(sql`patient_number_key`)}))`;

/** Of these referrals, those that the referrer's side itself cancelled. */
export async function listCancelledByReferrer(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from referrals where id = any(${ids}::uuid[]) and status = 'cancelled' and cancelled_by_referrer`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Whether somebody other than the referrer’s side ended it without help for the person, and the referrer’s side has not acted yet. All
 * conditions but the last are those of the index `referrals_made_unhelped`, word for word.
 */
export const isStillUnhelpedSql = sql`(status in (${sql.join(unsuccessfulStatuses.map((each) => sql.lit(each)))})
  and resolved_at is null and status_reason ->> 'code' is distinct from 'died' and not cancelled_by_referrer and not rerouted
  and not (${referredAgainSql}))`;

/**
 * Whether somebody ended it by the link in an email, and the referrer can still say that this was a mistake: the same as `findEndingToCheck` of
 * progress/check-ending.ts.
 */
export const isEndingToCheckSql = (now: Date) => sql`(status in ('rejected', 'completed', 'failed')
  and resolved_at is null and not rerouted and not (${referredAgainSql}) and id in (
    select l.referral_id from answer_links l
    where l.ended_at > ${new Date(now.getTime() - checkTimeMs)} and l.checked_at is null))`;

/** Of these referrals, those that somebody ended by link, and that the referrer can still check. */
export async function listEndingsToCheck(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from referrals where id = any(${ids}::uuid[]) and ${isEndingToCheckSql(now)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** What was told of the person's death, while nobody has confirmed it or taken it back. */
const deathReportedSql = sql`case when death_reported_at is not null then (
  select jsonb_build_object('at', reported_at, 'told_by', told_by, 'date', date, 'reportedById', reported_by_id,
    'reportedByOrganisationId', reported_by_organisation_id, 'reported_by', case when reported_by_name is not null then
      jsonb_build_object('name', reported_by_name, 'organisation', reported_by_organisation) end)
  from referral_deaths death
  where death.referral_id = referrals.id and undone_at is null order by death.id desc limit 1) end`;

export const referralColumnsSql = sql`
  id, reference, service_id, service_name as "serviceName", service_organization_id as "serviceOrganizationId",
  service_organization_name as "serviceOrganizationName", status, status_reason, end_cause as "endCause", version, created_at, updated_at,
  version_at as "versionAt", requested_at, restricted_at as "restrictedAt", legal_hold_at as "legalHoldAt", erased_at as "erasedAt", due_at,
  expected_date::text, next_date::text, first_contact_at, seen_at as "seenAt", seen_by_name as "seenByName",
  rejection_at as "rejectionAt", decline_final_at as "declineFinalAt", urgency, simulated, reroutes, reminded_at as "remindedAt",
  ${reroutedToSql} as rerouted_to, ${referredAgainSql} as referred_again,
  death_reported_at as "deathReportedAt", ${deathReportedSql} as death_reported,
  resolved_at as "resolvedAt", resolved_by as "resolvedBy",
  practice_ods_code as "practiceOdsCode", practice_name as "practiceName", content, outcome,
  referrer_account_id as "referrerAccountId", referrer_organisation_id as "referrerOrganisationId"`;

export function referralFromRow(row: ReferralRow): Referral | Draft {
  const {
    serviceName,
    serviceOrganizationId,
    serviceOrganizationName,
    practiceOdsCode,
    practiceName,
    ...rest
  } = row;
  const service = serviceName !== null && {
    name: serviceName,
    organization_id: serviceOrganizationId,
    organization_name: serviceOrganizationName,
  };
  return {
    ...rest,
    service: service || null,
    gp_practice: practiceOdsCode === null ? null : { ods_code: practiceOdsCode, name: practiceName! },
  } as Referral | Draft;
}

export async function findReferralOrDraft(db: Db, id: string): Promise<Referral | Draft | undefined> {
  const { rows } =
    await sql<ReferralRow>`select ${referralColumnsSql} from referrals where id = ${id}`.execute(db);
  return rows[0] && referralFromRow(rows[0]);
}

export async function findReferralsAndDrafts(db: Db, ids: readonly string[]): Promise<(Referral | Draft)[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ReferralRow>`
    select ${referralColumnsSql} from referrals where id = any(${ids}::uuid[]) order by id`.execute(db);
  return rows.map(referralFromRow);
}

/** A referral that was sent. Other rooms never see a draft. */
export async function findReferral(db: Db, id: string): Promise<Referral | undefined> {
  const referral = await findReferralOrDraft(db, id);
  return referral && referral.requested_at !== null ? referral : undefined;
}

/** The same for several, by their ids. */
export async function findReferrals(db: Db, ids: readonly string[]): Promise<Map<string, Referral>> {
  const { rows } = await sql<ReferralRow>`
    select ${referralColumnsSql} from referrals where id = any(${ids}::uuid[]) and requested_at is not null`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, referralFromRow(row) as Referral]));
}

/**
 * Locks referrals and drafts until the transaction ends, in the order of their ids, so that two transactions cannot deadlock.
 * What they say is read by a later statement: a `select … for update` that had to wait reads the row again, but not its subqueries.
 */
export async function lockReferralRows(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    select from referrals where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);
}

/** Locks the referral until the transaction ends, and reads it as it is then. */
export async function lockReferral(trx: Trx, id: string): Promise<Referral | Draft | undefined> {
  await lockReferralRows(trx, [id]);
  return findReferralOrDraft(trx, id);
}

/** The same, and locks the referral that it replaces before or after it, by their ids: a withdrawal changes both. */
export async function lockReferralAndReplaced(trx: Trx, id: string): Promise<Referral | Draft | undefined> {
  const referral = await findReferralOrDraft(trx, id);
  await lockReferralRows(trx, [id, ...(referral?.reroutes ? [referral.reroutes] : [])]);
  return findReferralOrDraft(trx, id);
}

/** The same as `lockReferral` for several that were sent. */
export async function lockReferrals(trx: Trx, ids: readonly string[]): Promise<Map<string, Referral>> {
  await lockReferralRows(trx, ids);
  return findReferrals(trx, ids);
}

/** The columns that are written for a new referral, and again when a draft is changed or sent. */
export function storedColumns(referral: Referral | Draft) {
  const { service, gp_practice: practice } = referral;
  return {
    status: referral.status,
    version: referral.version,
    urgency: referral.urgency,
    service_id: referral.service_id,
    service_name: service?.name ?? null,
    service_organization_id: service?.organization_id ?? null,
    service_organization_name: service?.organization_name ?? null,
    practice_ods_code: practice?.ods_code ?? null,
    practice_name: practice?.name ?? null,
    reroutes: referral.reroutes,
    referrer_account_id: referral.referrerAccountId,
    referrer_organisation_id: referral.referrerOrganisationId,
    updated_at: referral.updated_at,
    version_at: referral.versionAt,
    requested_at: referral.requested_at,
    due_at: referral.due_at,
  } satisfies Updateable<Referrals>;
}

/** Stores a locked draft again; when it is being sent, its history says so. */
export async function updateDraft(
  trx: Trx,
  referral: Referral | Draft,
  keys: PatientKeys,
  actor: HistoryActor,
): Promise<void> {
  await trx
    .updateTable('referrals')
    .set({
      ...storedColumns(referral),
      content: JSON.stringify(referral.content),
      patient_name_key: keys.name,
      patient_number_key: keys.number,
      patient_family_key: keys.family,
    })
    .where('id', '=', referral.id)
    .execute();
  if (referral.requested_at === null) return;
  const line = { from: 'draft', at: referral.requested_at, actor } as const;
  await sql`${insertHistoryLineSql(referral, line)}`.execute(trx);
}

/** The referrer says that the person was helped another way. */
export async function setResolved(trx: Trx, id: string, by: string, at: Date): Promise<Referral> {
  const { rows } = await sql<ReferralRow>`
    update referrals set resolved_at = ${at}, resolved_by = ${by}, updated_at = ${at} where id = ${id}
    returning ${referralColumnsSql}`.execute(trx);
  return referralFromRow(rows[0]!) as Referral;
}

/** The version stays: what the referral is about has not changed. */
export async function setGpActions(
  trx: Trx,
  id: string,
  actions: readonly GpAction[],
  at: Date,
): Promise<Referral> {
  const { rows } = await sql<ReferralRow>`
    update referrals set content = content || jsonb_build_object('gp_actions', ${JSON.stringify(actions)}::jsonb),
      updated_at = ${at}
    where id = ${id} returning ${referralColumnsSql}`.execute(trx);
  return referralFromRow(rows[0]!) as Referral;
}

export type Transition = {
  to: ReferralStatus;
  reason: StatusReason | null;
  endCause?: EndCause;
  outcome: Outcome | null;
  expectedDate: string | null;
  /** What the referral says from now on, beside what it said. */
  addedContent?: Partial<ReferralContent> | undefined;
  /** Until when the service can take back its decline. */
  declineFinalAt?: Date | undefined;
  at: Date;
};

/** Moves a locked referral to its next status and version, and adds the line to its history. */
export async function updateStatus<T extends Referral | Draft>(
  trx: Trx,
  referral: T,
  transition: Transition & { nextDate: string | null; wait?: WaitDetails | undefined },
  actor: HistoryActor,
): Promise<T> {
  const {
    to,
    reason,
    endCause = null,
    outcome,
    expectedDate,
    nextDate,
    wait,
    addedContent = {},
    declineFinalAt = null,
    at,
  } = transition;
  const next = { id: referral.id, version: referral.version + 1, status: to };
  const line = { from: referral.status, reason, actor, at, ...(wait && { details: wait }) };
  const { rows } = await sql<ReferralRow>`
    with history as (${insertHistoryLineSql(next, line)})
    update referrals set status = ${to}, status_reason = ${reason && JSON.stringify(reason)}::jsonb,
      end_cause = ${endCause}, outcome = coalesce(${outcome && JSON.stringify(outcome)}::jsonb, outcome),
      expected_date = ${expectedDate}::date, next_date = ${nextDate}::date, next_date_reminders = 0,
      next_reminder_on = null, rejection_at = null, decline_final_at = ${declineFinalAt},
      cancelled_by_referrer = ${to === 'cancelled' && isOfReferrer(actor, referral)},
      content = content || ${JSON.stringify(addedContent)}::jsonb,
      version = version + 1, updated_at = ${at}, version_at = ${at}
    where id = ${referral.id} returning ${referralColumnsSql}`.execute(trx);
  return referralFromRow(rows[0]!) as T;
}

function isOfReferrer(actor: HistoryActor, referral: Referral | Draft): boolean {
  const { referrerAccountId, referrerOrganisationId } = referral;
  return (
    actor.id === referrerAccountId ||
    (actor.organisationId !== null && actor.organisationId === referrerOrganisationId)
  );
}

/** Notes that other referrals, which were sent, reroute these; or that none does any more. */
export async function setRerouted(trx: Trx, ids: readonly string[], rerouted: boolean): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable('referrals').set({ rerouted }).where('id', '=', anyOfValuesSql(ids)).execute();
}

/** Clears the outcome and what was added when the referral ended. */
export async function removeEnding(trx: Trx, id: string, content: ReferralContent): Promise<void> {
  await sql`
    update referrals set outcome = null, content = ${JSON.stringify(content)}::jsonb where id = ${id}`.execute(
    trx,
  );
}

/** Declines whose time to be taken back is over, at most 200. */
export async function listDeclinesToFinalise(db: Db, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from referrals where decline_final_at <= ${at} order by decline_final_at limit 200`.execute(db);
  return rows.map(({ id }) => id);
}

/** From now on the practice and the person may be told. */
export async function markDeclinesFinal(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('referrals')
    .set('decline_final_at', null)
    .where('id', '=', anyOfValuesSql(ids))
    .execute();
}

/** Something beside its version changed: clients find it by `updated_after`. */
export async function setUpdated(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('referrals').set('updated_at', at).where('id', '=', id).execute();
}

/** Records who of the service was the first to see a referral. @returns false if somebody had before */
export async function setSeen(
  trx: Trx,
  referralId: string,
  { name, at, byLink }: { name: string; at: Date; byLink: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('referrals')
    .set({ seen_at: at, seen_by_name: name, seen_by_link: byLink })
    .where('id', '=', referralId)
    .where('seen_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets that it was seen, if only by somebody who had the link in a message: that may not have been staff. */
export async function clearSeenByLink(trx: Trx, referralId: string): Promise<void> {
  await trx
    .updateTable('referrals')
    .set({ seen_at: null, seen_by_name: null, seen_by_link: false })
    .where('id', '=', referralId)
    .where('seen_by_link', '=', true)
    .execute();
}

/** Sets the date of the service’s next news about somebody it has accepted; the reminders begin again. */
export async function setNextDate(trx: Trx, id: string, nextDate: string | null): Promise<void> {
  await trx
    .updateTable('referrals')
    .set({ next_date: nextDate, next_date_reminders: 0, next_reminder_on: null })
    .where('id', '=', id)
    .execute();
}

export type ContentUpdate = Pick<Referral, 'content' | 'urgency' | 'due_at' | 'next_date' | 'gp_practice'>;

/** Changes what a locked referral says, and adds a line to its history. The status stays. */
export async function updateContent(
  trx: Trx,
  referral: Referral,
  { content, urgency, due_at, next_date, gp_practice: practice }: ContentUpdate,
  {
    details,
    reason = null,
    actor,
    at,
  }: { details: HistoryDetails; reason?: StatusReason | null; actor: HistoryActor; at: Date },
): Promise<Referral> {
  const next = { ...referral, version: referral.version + 1 };
  const line = { from: referral.status, reason, details, actor, at };
  const { rows } = await sql<ReferralRow>`
    with history as (${insertHistoryLineSql(next, line)})
    update referrals set content = ${JSON.stringify(content)}::jsonb, urgency = ${urgency}, due_at = ${due_at},
      next_date = ${next_date}::date,
      next_date_reminders = case when next_date = ${next_date}::date then next_date_reminders else 0 end,
      next_reminder_on = case when next_date = ${next_date}::date then next_reminder_on end,
      practice_ods_code = ${practice?.ods_code ?? null}, practice_name = ${practice?.name ?? null},
      version = version + 1, updated_at = ${at}, version_at = ${at}
    where id = ${referral.id} returning ${referralColumnsSql}`.execute(trx);
  return referralFromRow(rows[0]!) as Referral;
}

/** The services of a referral and of the earlier referrals that it replaces. */
export async function listServicesInRerouteChain(db: Db, referralId: string): Promise<string[]> {
  const { rows } = await sql<{ serviceId: string }>`
    with recursive chain as (
      select id, reroutes, service_id from referrals where id = ${referralId}
      union
      select earlier.id, earlier.reroutes, earlier.service_id
      from chain join referrals earlier on earlier.id = chain.reroutes)
    select distinct service_id as "serviceId" from chain where service_id is not null`.execute(db);
  return rows.map(({ serviceId }) => serviceId);
}

/** Whether there is a referral of a real patient. It also works on an empty database, and on the tables of earlier versions. */
export async function holdsRealReferrals(db: Db): Promise<boolean> {
  if (!(await tableExists(db, 'referrals'))) return false;
  const { rows } = await sql<{ real: boolean }>`
    select exists (select from referrals where not simulated) as real`.execute(db);
  return rows[0]!.real;
}
