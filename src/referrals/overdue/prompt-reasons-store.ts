import { type RawBuilder, sql } from 'kysely';
import { canSignInSql } from '../../accounts/index.ts';
import { wasSentBeforeSensitiveSql } from '../../library/index.ts';
import { type Db, holdTaskLock, type Trx } from '../../platform/database/index.ts';
import { tellsOfDangerSql } from '../model/attention/dangers-store.ts';
import type { PromptKind, PromptSide } from '../model/attention/prompts.ts';
import { wishIsMetSql } from '../model/person-page/person-pages-store.ts';
import { openStatuses, underWayStatuses } from '../model/referral.ts';
import { isStillUnhelpedSql } from '../model/referrals-store.ts';

/** A prompt that is due for a referral, with the prompt that there is for it already, if any. */
export type DuePrompt = {
  referralId: string;
  reference: string;
  isUrgent: boolean;
  isDangerous: boolean;
  isRestricted: boolean;
  kind: PromptKind;
  side: PromptSide;
  referrerAccountId: string;
  referrerOrganisationId: string | null;
  serviceOrganizationId: string | null;
  id: string | null;
  ownerId: string | null;
  toldAt: Date | null;
  /** When the person said what somebody has to look into, or when a risk was reported; null for other prompts. */
  saidAt: Date | null;
};

/** What is read of a referral that has a reason for a prompt: an open one, or in some queries one that has ended. */
const promptReasonColumnsSql = sql`
  referrals.id as "referralId", reference, urgency, status, service_id, service_organization_id as "serviceOrganizationId",
  service_organization_name, practice_ods_code, referrer_account_id as "referrerAccountId",
  referrer_organisation_id as "referrerOrganisationId", requested_at, seen_at, death_reported_at,
  restricted_at is not null as "isRestricted"`;

/** Somebody can still ring the person, even after the referral has ended. */
const mayBeRungSql = sql`erased_at is null and death_reported_at is null and status_reason ->> 'code' is distinct from 'died'`;
/** The record is in use, nobody has restricted it, and the person has not died. */
const mayBeWorkedOnSql = sql`restricted_at is null and ${mayBeRungSql}`;

/** Whether the referrer's account `a` can no longer work for the organisation that made the referral. */
const referrerHasLeftSql = (organisationId: RawBuilder<string | null>) => sql<boolean>`
  (a.disabled_at is null and 'referrer' = any(a.roles) and a.organisation_id is not distinct from ${organisationId}) is not true`;

/** What the reasons for prompts depend on beside the referrals. */
export type PromptCircumstances = {
  /** In London. */
  today: string;
  /** A draft that was not changed since then is waiting. */
  draftsBefore: Date;
  /** The referrals that ended without help for the person. */
  unhelped: readonly string[];
};

/** The referrals that ended without help for the person, while nobody of the referrer's side has acted. */
export async function listUnhelpedReferrals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from referrals
    where id in (select referral_id from watches where kind = 'ended') and restricted_at is null and erased_at is null
      and ${isStillUnhelpedSql}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The rule of `hasServiceMoved`, for the service's organisation `o` now and a row `r` of `openReferralsSql`. */
const serviceHasMovedSql = sql`(r."serviceOrganizationId" is not null and o.id <> r."serviceOrganizationId"
  and o.name is distinct from r.service_organization_name)`;

/** The open referrals, without those whose record is restricted. */
const openReferralsSql = sql`
  select ${promptReasonColumnsSql}
  from referrals
  where status in (${sql.join(openStatuses.map((each) => sql.lit(each)))}) and restricted_at is null
    and erased_at is null`;

/** Organisations with no staff who can sign in: they are disabled, work elsewhere now, or were invited and have not come. */
const organisationsWithoutStaffSql = sql`
  select o.library_organization_id as id, max(a.disabled_at) as since
  from organisations o left join accounts a on a.organisation_id = o.id and 'provider' = any(a.roles) and not a.is_system
  where o.library_organization_id is not null
  group by 1 having count(a.id) filter (where ${canSignInSql('a')}) = 0`;

/** Open referrals to services without staff. A service that never had staff here has lost nobody. */
const referralsWithNobodyLeftSql = sql`
  select r.* from open r join organisations_without_staff d on d.id = r."serviceOrganizationId"
  where d.since >= r.requested_at or r.seen_at is not null`;

/** Open referrals whose service has staff, but no longer the person who last took them on. */
const referralsWhoseWorkerLeftSql = sql`
  select r.* from open r
  cross join lateral (
    -- Without the line of a death that was undone: the person who undid it may be of the other side.
    select actor_id from referral_history h where h.referral_id = r."referralId" and (h.details is null or h.details ->> 'kind' = 'status')
      and h.from_status = any(${openStatuses}::text[]) and h.to_status = any(${underWayStatuses}::text[]) order by h.version desc limit 1) as last
  join accounts a on a.id = last.actor_id left join organisations o on o.id = a.organisation_id
  where r.status <> 'requested' and (a.disabled_at is null and 'provider' = any(a.roles)
    and o.library_organization_id = r."serviceOrganizationId") is not true
    and not exists (select from referrals_without_staff w where w."referralId" = r."referralId")`;

/** What referrals have lost: their service, their practice or their people. */
const lossesSql = (today: string, unhelped: readonly string[]) => sql`
  select r.*, 'service-closed' as kind, 'referrer' as side
  from open r join services s on s.id = r.service_id where s.status <> 'active'
  union all
  select r.*, 'service-stopped', 'referrer' from open r join services s on s.id = r.service_id
    join service_referral_settings t on t.service_id = s.id
  where not t.accepts and s.status = 'active'
  union all
  select r.*, 'service-moved', 'referrer' from open r join services s on s.id = r.service_id
    join organizations o on o.id = s.organization_id
  where ${serviceHasMovedSql}
  union all
  select r.*, 'service-sensitive', 'referrer' from open r join service_referral_settings s on s.service_id = r.service_id
  where ${wasSentBeforeSensitiveSql(sql`r.requested_at`, sql`s`)}
  union all
  select r.*, 'practice-closed', 'referrer' from open r join practices p on p.ods_code = r.practice_ods_code
  where p.closed_on <= ${today}::date
  union all
  select r.*, 'referrer-left', 'referrer' from open r join accounts a on a.id = r."referrerAccountId"
  where ${referrerHasLeftSql(sql`r."referrerOrganisationId"`)}
  union all
  select ${promptReasonColumnsSql}, 'referrer-left', 'referrer'
  from referrals join accounts a on a.id = referrer_account_id
  where referrals.id = any(${unhelped}::uuid[]) and ${referrerHasLeftSql(sql`referrer_organisation_id`)}
  union all
  select r.*, 'staff-left', 'provider' from referrals_without_their_staff r
  union all
  select r.*, 'nobody-left', 'operators' from referrals_without_staff r`;

/** Drafts that their referrer has left alone, or that cannot be sent as they are. */
const waitingDraftsSql = (draftsBefore: Date) => sql`
  select ${promptReasonColumnsSql}, 'draft-waiting', 'referrer'
  from referrals join accounts a on a.id = referrer_account_id
  where status = 'draft' and restricted_at is null and erased_at is null
    and (version_at <= ${draftsBefore} or ${referrerHasLeftSql(sql`referrer_organisation_id`)}
      -- It cannot be sent as it is, and nobody else can see that it waits.
      or exists (
        select from services s left join service_referral_settings t on t.service_id = s.id
        where s.id = referrals.service_id and (s.status <> 'active' or not t.accepts)))`;

/** What the person said, or what they are still owed. */
const personReasonsSql = sql`
  select ${promptReasonColumnsSql}, 'person-wants-to-stop', 'referrer' from referrals
  -- Also after the service has ended it: somebody promised to contact the person, who could otherwise be referred again against their wish.
  where ${mayBeWorkedOnSql} and not ${wishIsMetSql}
    and referrals.id in (select referral_id from person_answers where answer = 'no-longer-wanted')
  union all
  select ${promptReasonColumnsSql}, 'person-not-helped', 'referrer' from referrals
  -- Even if they said later that they got help: somebody else may have pressed the button.
  where ${mayBeWorkedOnSql} and referrals.id in (select referral_id from person_answers where answer = 'did-not-get-help')
  union all
  select ${promptReasonColumnsSql}, 'alarming-answer', 'referrer' from referrals
  where ${mayBeWorkedOnSql} and referrals.id in (select referral_id from worrying_answers)
  union all
  select ${promptReasonColumnsSql}, 'end-measure-due', 'referrer' from referrals
  where ${mayBeWorkedOnSql} and status <> 'entered-in-error'
    and referrals.id in (select referral_id from end_measures_due where reminded = 'staff')`;

/** What the service or the GP practice answered. */
const receiverReasonsSql = sql`
  select r.*, 'service-asks-to-ring', 'referrer' from open r
  where r."referralId" in (select referral_id from referral_messages where asks_to_ring)
  union all
  -- An operator may have told the service in another way, and then closes the row.
  select r.*, 'service-not-told', 'referrer' from open r
  where r.status = 'requested' and r.seen_at is null
    and r."referralId" in (select d.referral_id from worklist w join deliveries d on d.id = w.delivery_id
      where w.closed_at is null and w.kind = 'failed' and d.leg = 'service')
  union all
  select ${promptReasonColumnsSql}, 'nhs-number-not-recognised', 'referrer' from referrals
  where ${mayBeWorkedOnSql} and status <> 'entered-in-error'
    and referrals.id in (select referral_id from deliveries where refusal_cause = 'nhs-number-not-recognised')
  union all
  select ${promptReasonColumnsSql}, 'not-their-patient', 'referrer' from referrals
  where ${mayBeWorkedOnSql} and status <> 'entered-in-error'
    and exists (select from deliveries d where d.referral_id = referrals.id and d.refusal_cause = 'not-their-patient'
      and d.receiver_code = referrals.practice_ods_code)
  union all
  select ${promptReasonColumnsSql}, 'practice-missing', 'referrer' from referrals
  where ${mayBeWorkedOnSql} and status <> 'entered-in-error' and practice_ods_code is null
    and referrals.id in (select d.referral_id from worklist w join deliveries d on d.id = w.delivery_id
      where w.closed_at is null and w.practice_asked_at is not null)`;

/** That the person may have died, or that somebody may come to harm. */
const deathsAndRisksSql = sql`
  select r.*, 'death-reported', 'referrer' from open r where r.death_reported_at is not null
  union all
  select ${promptReasonColumnsSql}, 'risk-to-act-on', 'referrer' from referrals
  -- Even while it is restricted: somebody may come to harm, and nobody at the service can read that. A referral that was sent by mistake
  -- may still tell of a real risk, to this person or another.
  where ${mayBeRungSql}
    and exists (
      select from referral_dangers d
      where d.referral_id = referrals.id and d.asked_at is not null and (referrals.status <> 'completed' or d.told_at_end))
  union all
  select r.*, 'may-have-died', w.side from open r join referral_death_warnings w on w.referral_id = r."referralId"
  where exists (select from referral_deaths d where d.report_id = w.report_id and d.undone_at is null)
    -- Both sides know it by now.
    and not exists (select from referral_deaths d where d.referral_id = r."referralId" and d.undone_at is null)`;

/** Why referrals need somebody now. Each part is computed once. The first query of the union names the kind and the side. */
const promptReasonsSql = ({ today, draftsBefore, unhelped }: PromptCircumstances): RawBuilder<unknown> => sql`
  open as materialized (${openReferralsSql}),
  organisations_without_staff as materialized (${organisationsWithoutStaffSql}),
  referrals_without_staff as materialized (${referralsWithNobodyLeftSql}),
  referrals_without_their_staff as (${referralsWhoseWorkerLeftSql}),
  reasons as materialized (
    ${lossesSql(today, unhelped)}
    union all ${waitingDraftsSql(draftsBefore)}
    union all ${personReasonsSql}
    union all ${receiverReasonsSql}
    union all ${deathsAndRisksSql})`;

/** One process at a time, so that nobody is told twice. */
export async function lockPrompts(trx: Trx): Promise<void> {
  await holdTaskLock(trx, 'prompts');
}

/**
 * Deletes the prompts whose reason is gone: somebody has dealt with it, or it was undone. A dismissed prompt stays while the referral is
 * restricted, so that it does not come back afterwards.
 */
export async function deleteOutdatedPrompts(trx: Trx, circumstances: PromptCircumstances): Promise<void> {
  await sql`
    with ${promptReasonsSql(circumstances)}
    delete from referral_prompts p
    where not exists (select from reasons where reasons."referralId" = p.referral_id and reasons.kind = p.kind)
      and (p.dismissed_at is null or exists (
        select from referrals r where r.id = p.referral_id and (r.restricted_at is null or r.erased_at is not null)))`.execute(
    trx,
  );
}

/** The prompts that are due and that nobody has dismissed, the oldest referral first. */
export async function listDuePrompts(db: Db, circumstances: PromptCircumstances): Promise<DuePrompt[]> {
  const { rows } = await sql<DuePrompt>`
    with ${promptReasonsSql(circumstances)}
    select "referralId", reasons.reference, coalesce(reasons.urgency = 'urgent', false) as "isUrgent",
      ${tellsOfDangerSql(sql`"referralId"`)} as "isDangerous", reasons."isRestricted", reasons.kind, reasons.side,
      "referrerAccountId", "referrerOrganisationId", "serviceOrganizationId", p.id, p.owner_id as "ownerId", p.told_at as "toldAt",
      case reasons.kind when 'risk-to-act-on' then (
          select d.asked_at from referral_dangers d where d.referral_id = "referralId")
        when 'alarming-answer' then (
          select a.at from worrying_answers a where a.referral_id = "referralId")
        when 'person-not-helped' then (select max(a.at) from person_answers a
          where a.referral_id = "referralId" and a.answer = 'did-not-get-help')
        when 'person-wants-to-stop' then (select max(a.at) from person_answers a
          where a.referral_id = "referralId" and a.answer = 'no-longer-wanted') end as "saidAt"
    from reasons left join referral_prompts p on p.referral_id = "referralId" and p.kind = reasons.kind
    where p.dismissed_at is null order by "referralId", reasons.kind`.execute(db);
  return rows;
}
