import { type RawBuilder, sql } from 'kysely';
import { isConfidentialReferralSql } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { openStatuses, referralsOfPersonSql, referrerTelephoneSql } from '../../referrals/index.ts';
import { mayHaveArrivedSql, practiceWasAskedToRemoveSql } from './arrival-store.ts';
import type { Delivery } from './delivery.ts';

// Parts of one select. In all of them `d` is the letter that is being written, `e` an earlier one, `h` a line of the history of the
// referral, `r` the referral, and `other` another referral of the person, where `own` is this one. A part whose name begins with `from`
// is a list of tables with its conditions; the others are values.

/** When the delivery with this id was first tried. */
export function firstTriedAtSql(deliveryId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select min(tried.at) from delivery_attempts tried where tried.delivery_id = ${deliveryId})`;
}

/** `what` of the last answer, `said`, by which the person told until then whether they got help. */
export function lastSaidOfHelpSql(
  what: RawBuilder<unknown>,
  referralId: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select ${what} from person_answers said
    where said.referral_id = ${referralId} and said.answer <> 'no-longer-wanted' and said.at <= ${until}
    order by said.id desc limit 1)`;
}

/** Whether the practice was asked to remove the letter `e` before `d` was made. */
const wasAskedToRemoveBeforeSql = practiceWasAskedToRemoveSql(
  sql`e`,
  sql`(e.referral_id <> d.referral_id or removal.referral_version < d.referral_version)`,
);

/** Several letters may be about one version of the referral, as after the end; their ids give the order. */
const isEarlierSql = sql`e.referral_version <= d.referral_version
  and (e.referral_version, e.id) < (d.referral_version, d.id)`;

/** Whether `e`, of `practice_letters`, is a letter that the practice of `d` still has, or may have. */
const practiceStillHasSql = sql`e.purpose <> 'removal' and e.receiver_code is not distinct from d.receiver_code
  and not ${wasAskedToRemoveBeforeSql}`;

/** Whether a change is the referrer’s or a colleague’s. Their organisation is asked for last: after a merge the history has the old one. */
const isOfReferrerSql = sql`coalesce(h.actor_id = r.referrer_account_id
  or h.actor_organisation_id = r.referrer_organisation_id or actor.organisation_id = r.referrer_organisation_id, false)`;

/** Who made the version of the referral that the letter is about. */
const changedBySql = sql`(
  select jsonb_build_object('at', h.at, 'name', h.actor_name, 'organisation', h.actor_organisation,
    'isReferrer', coalesce(h.actor_id = r.referrer_account_id, false), 'isOfReferrer', ${isOfReferrerSql},
    'jobTitle', actor.job_title, 'telephone', actor.telephone, 'email', actor.email)
  from referral_history h join referrals r on r.id = h.referral_id left join accounts actor on actor.id = h.actor_id
  where h.referral_id = d.referral_id and h.version = case d.purpose
    -- The practice may have been allowed to know of the end only later, by somebody else.
    when 'outcome' then (
      select max(ended.version) from referral_history ended
      where ended.referral_id = d.referral_id and ended.version <= d.referral_version and (ended.details is null or ended.details ->> 'kind' = 'status'))
    else d.referral_version end)`;

const serviceTelephoneSql = sql`(
  select coalesce(s.answer_telephone, document.document::jsonb -> 'phones' -> 0 ->> 'number')
  from referrals r left join service_referral_settings s on s.service_id = r.service_id
  left join service_documents document on document.service_id = r.service_id where r.id = d.referral_id)`;

/**
 * Whether all details were agreed to for the letter `e`, and something has changed since in what the practice may know. A letter that
 * was queued may have gone out with less, so it only “may hold more”.
 */
const hadDetailsSql = sql`coalesce((
  select change -> 'from' = 'true'::jsonb
  from referral_history h cross join jsonb_array_elements(h.details -> 'changes') as change
  where h.referral_id = e.referral_id and h.version > e.referral_version and h.version <= d.referral_version
    and change ->> 'field' = 'consent.share_with_gp'
  order by h.version limit 1), false)`;

const earlierLettersSql = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('at', e.created_at, 'purpose', e.purpose,
    'version', e.referral_version, 'isHidden', coalesce(e.hides_online, false),
    'hadDetails', ${hadDetailsSql}) order by e.created_at), '[]')
  from practice_letters e
  where e.referral_id = d.referral_id and ${isEarlierSql} and ${practiceStillHasSql})`;

const removalAskedOnSql = sql`(
  select max(removal.created_at) from practice_letters removal
  where removal.purpose = 'removal' and removal.referral_id = d.referral_id
    and removal.receiver_code = d.receiver_code and removal.referral_version < d.referral_version)`;

/** Whether `other`, a referral, must not be named in a letter about another one: that letter may be read in the online record. */
const mustNotBeNamedSql = sql`(coalesce((other.content ->> 'do_not_show_online')::boolean, false) or exists (
  select from service_referral_settings quiet
  where quiet.service_id = other.service_id and ${isConfidentialReferralSql(sql`other`, sql`quiet`)}))`;

/** The first letter about this referral, or about one that it replaces, with its reference: it brought the code. */
const firstLetterSql = sql`(
  with recursive episode as (
    select id, reroutes, reference from referrals where id = d.referral_id
    union
    select earlier.id, earlier.reroutes, earlier.reference from episode join referrals earlier on earlier.id = episode.reroutes)
  select jsonb_build_object('at', letter.created_at, 'reference', (
    select other.reference from referrals other
    where other.id = episode.id and (other.id = d.referral_id or not ${mustNotBeNamedSql})))
  from episode cross join lateral (
    select e.created_at from practice_letters e
    where e.referral_id = episode.id and (e.referral_id <> d.referral_id or ${isEarlierSql})
      and ${practiceStillHasSql}
    -- Each referral's letters by their index (hence offset 0). Otherwise PostgreSQL may read all deliveries.
    offset 0) as letter
  order by letter.created_at limit 1)`;

/**
 * When the referral got the status that it has. An end that was taken back, such as a death told by mistake, made nobody accept it again: the
 * day is that before the end.
 */
const statusSinceSql = sql`(
  select h.at from referral_history h join referrals current on current.id = h.referral_id
  where h.referral_id = d.referral_id and h.from_status is distinct from h.to_status and h.to_status = current.status
  order by coalesce(h.from_status in ('completed', 'rejected', 'failed', 'cancelled'), false), h.at desc limit 1)`;

/** Whether the practice confirmed an earlier letter about this referral, so that what that one asked is done. */
const wasEarlierConfirmedSql = sql`exists (
  select from practice_letters e where e.referral_id = d.referral_id and ${isEarlierSql}
    and e.status = 'acknowledged' and ${practiceStillHasSql}
    -- A letter with codes alone asked for nothing.
    and e.referral_version >= coalesce((
      select (r.content ->> 'full_copies_since')::int from referrals r where r.id = d.referral_id), 0))`;

/**
 * Letters of the same day about other referrals of the patient that the practice has: their dates alone do not tell them apart from a
 * second copy of this one. None about a referral to a sensitive or confidential service, or that is kept out of the online record: a
 * person who reads this letter there must not learn of it.
 */
const otherLettersOfDaySql = sql`(
  select jsonb_agg(jsonb_build_object('at', e.created_at, 'reference', other.reference) order by e.created_at)
  from referrals own cross join lateral
      ${referralsOfPersonSql(sql`own.patient_name_key`, sql`own.patient_number_key`)} as other
    join practice_letters e on e.referral_id = other.id and e.purpose = 'referral'
  where own.id = d.referral_id and other.id <> own.id and d.purpose = 'referral'
    and lower(other.content #>> '{patient,given_name}') = lower(own.content #>> '{patient,given_name}')
    and other.restricted_at is null and other.erased_at is null and other.status <> 'entered-in-error'
    and not ${mustNotBeNamedSql} and e.created_at < d.created_at and ${practiceStillHasSql}
    and (e.created_at at time zone 'Europe/London')::date = (d.created_at at time zone 'Europe/London')::date)`;

/** Other referrals of the person to the same service, with a letter to the practice from before this one. */
const fromLettersToSameServiceSql = sql`
  from referrals own cross join lateral
      ${referralsOfPersonSql(sql`own.patient_name_key`, sql`own.patient_number_key`)} as other
    join practice_letters e on e.referral_id = other.id and e.purpose = 'referral'
  where own.id = d.referral_id and other.id <> own.id and other.service_id = own.service_id
    and other.restricted_at is null and other.erased_at is null and e.created_at < d.created_at and ${practiceStillHasSql}`;

/** The letter about the withdrawn referral, for the letter that corrects it. Corrections come within days, and often without a reason. */
const withdrawnBeforeSql = sql`(
  select jsonb_build_object('at', e.created_at, 'reference', other.reference,
    'birthDate', other.content #>> '{patient,birth_date}')
  ${fromLettersToSameServiceSql} and d.purpose = 'referral' and own.status <> 'entered-in-error'
    and other.status = 'entered-in-error'
    and other.status_reason ->> 'code' is distinct from 'wrong-person'
    and other.version_at > own.requested_at - interval '30 days'
  order by e.created_at desc limit 1)`;

const followedBySql = sql`(
  select jsonb_build_object('at', e.created_at, 'reference', other.reference, 'madeAt', other.requested_at)
  ${fromLettersToSameServiceSql} and d.purpose = 'outcome' and own.status = 'entered-in-error'
    and own.status_reason ->> 'code' is distinct from 'wrong-person'
    and other.status <> 'entered-in-error' and (other.requested_at > own.requested_at
      -- Either of the two may be the one that stays.
      or (own.status_reason ->> 'code' = 'sent-twice' and other.requested_at > own.requested_at - interval '30 days'))
  order by e.created_at desc limit 1)`;

const confirmedDeathSql = sql`(
  select jsonb_build_object('reportedAt', told.reported_at, 'toldBy', told.told_by, 'date', told.date,
    'reportedBy', jsonb_build_object('name', told.reported_by_name, 'organisation', told.reported_by_organisation))
  from referral_deaths told
  where told.referral_id = d.referral_id and told.confirmed_at is not null and told.undone_at is null
  order by told.id desc limit 1)`;

const lifeChangesSql = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('at', told.at, 'text', told.text,
    'raisedUrgency', told.raised_urgency, 'by', told.author_name, 'side', told.side) order by told.id), '[]')
  from referral_changes told where told.referral_id = d.referral_id and told.at <= d.created_at)`;

/** What the person said last of whether they got help. What they say once a letter has gone out is not in it, however often it is sent. */
const personSaysSql = sql`case when d.purpose = 'outcome' then ${lastSaidOfHelpSql(
  sql`jsonb_build_object('at', said.at, 'gotHelp', said.answer = 'got-help')`,
  sql`d.referral_id`,
  sql`coalesce(${firstTriedAtSql(sql`d.id`)}, 'infinity')`,
)} end`;

/** Whether the receiver of `d` got the letter `e`, or may get it. One that was stopped after an attempt may have arrived. */
const mayReachSameReceiverSql = sql`e.referral_id = d.referral_id and e.leg = d.leg and e.message_id is not null
  and e.receiver_code is not distinct from d.receiver_code
  and (e.status <> 'suppressed' or ${mayHaveArrivedSql(sql`e.id`)})`;

/** The letters `e` that `d` replaces. A practice that was named by mistake had earlier letters, and this one has not. */
const fromReplacedLettersSql = sql`from deliveries e
  where ${mayReachSameReceiverSql} and e.purpose = d.purpose and ${isEarlierSql} and not ${wasAskedToRemoveBeforeSql}`;

/**
 * What the person had said of whether they got help when the letter about the end that `d` replaces was first tried, and whether measures were
 * recorded since. The day when one was taken does not tell that: paper is typed in later. The record of who did what does.
 */
const atReplacedSql = sql`(
  select jsonb_build_object('gotHelp', ${lastSaidOfHelpSql(
    sql`said.answer = 'got-help'`,
    sql`d.referral_id`,
    sql`letter.tried_at`,
  )}, 'measuredSince', exists (
    select from audit_entries measured
    where measured.subject_type = 'referral' and measured.subject_id = d.referral_id::text
      and measured.action = 'referral.measured' and measured.at > letter.tried_at))
  from (
    select ${firstTriedAtSql(sql`e.id`)} as tried_at
    ${fromReplacedLettersSql} order by e.referral_version desc, e.id desc limit 1) as letter
  where d.purpose = 'outcome')`;

/** What the letter to a practice tells beside the referral: see `LetterFacts`. */
const letterFactsSql = sql`
  case when d.leg = 'gp_practice' then (select jsonb_build_object(
    'by', ${changedBySql}, 'referrerTelephone', ${referrerTelephoneSql(sql`d.referral_id`)}, 'serviceTelephone', ${serviceTelephoneSql},
    'earlierLetters', ${earlierLettersSql}, 'removalAskedOn', ${removalAskedOnSql}, 'codeSentAt', code_letter.found -> 'at',
    'codeSentIn', code_letter.found -> 'reference', 'statusAt', ${statusSinceSql},
    'wasEarlierConfirmed', ${wasEarlierConfirmedSql}, 'death', ${confirmedDeathSql},
    'reported', ${lifeChangesSql}, 'personSays', ${personSaysSql},
    'atReplaced', ${atReplacedSql},
    'withdrawnBefore', ${withdrawnBeforeSql}, 'followedBy', ${followedBySql},
    'otherLettersOfDay', ${otherLettersOfDaySql}) from (select ${firstLetterSql} as found) as code_letter) end`;

const seriesSql = sql`(
  select jsonb_build_object('number', count(*) + 1, 'earlier', coalesce(jsonb_agg(jsonb_build_object(
    'at', e.created_at, 'purpose', e.purpose, 'isWithdrawn', e.purpose = 'removal' or ${wasAskedToRemoveBeforeSql})
    order by e.referral_version, e.id), '[]'))
  from deliveries e
  where ${mayReachSameReceiverSql} and ${isEarlierSql})`;

/**
 * Whether a practice might learn from old values what only staff of a sensitive service, or of one whose place is confidential, may
 * know: they may have corrected an address to their own.
 */
const hidesOldValuesSql = sql`(d.leg = 'gp_practice' and exists (
  select from referrals r join service_referral_settings confidential
    on ${isConfidentialReferralSql(sql`r`, sql`confidential`)}
  left join services of_organisation on of_organisation.id = confidential.service_id
  where r.id = d.referral_id and (confidential.service_id = r.service_id
    or (of_organisation.organization_id = r.service_organization_id and exists (
      select from referral_history h where h.referral_id = r.id and h.details ->> 'kind' = 'transfer')))))`;

const changesSinceReplacedSql = sql`(
  select coalesce(jsonb_agg(change order by h.version, change_number), '[]')
  from referral_history h cross join jsonb_array_elements(h.details -> 'changes')
    with ordinality as listed (change, change_number)
  where h.referral_id = d.referral_id and h.version <= d.referral_version
    and h.version > (select max(e.referral_version) ${fromReplacedLettersSql}) and not ${hidesOldValuesSql})`;

/** The message was planned with the change that opened the referral again. */
const reopenedSql = sql`(
  select jsonb_build_object('from', h.from_status, 'by', coalesce(h.actor_organisation, h.actor_name))
  from referral_history h
  where d.leg = 'service' and d.purpose = 'referral' and h.referral_id = d.referral_id
    and h.version = d.referral_version and h.from_status <> 'draft' and h.from_status <> all(${[...openStatuses]}::text[])
    and h.to_status = any(${[...openStatuses]}::text[]) and (h.details is null or h.details ->> 'kind' = 'status'))`;

const letterFilesSql = sql`(
  select coalesce(jsonb_agg(
    jsonb_build_object('name', a.name, 'at', a.at, 'pages', a.pages, 'scanned', a.scanned) order by a.id), '[]')
  from referral_attachments a where a.referral_id = d.referral_id and a.at <= d.created_at and a.removed_at is null)`;

/** A service without an account reads what has changed, and the messages that nobody of it has read, only in its letter. */
const newsForServiceSql = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('at', told.at, 'by', told.author_name, 'text', told.text,
    'isMessage', told.is_message, 'telephone', ${referrerTelephoneSql(sql`d.referral_id`)}) order by told.id), '[]')
  from (
    select id, at, author_name, text, false as is_message from referral_changes
    where referral_id = d.referral_id and side = 'referrer'
    union all
    select m.id, m.at, m.author_name, m.text, true from referral_messages m join watches unread on unread.id = m.id
    where m.referral_id = d.referral_id and unread.side = 'provider') as told
  where d.leg = 'service' and d.purpose = 'referral' and told.at <= d.created_at)`;

/** What a letter tells beside the referral: columns of `Delivery`. */
export const letterColumnsSql = sql`
  (select max(e.created_at) ${fromReplacedLettersSql}) as "replacesLetterOf", ${changesSinceReplacedSql} as changes,
  ${letterFactsSql} as "letterFacts", ${seriesSql} as series, ${newsForServiceSql} as news, ${letterFilesSql} as files,
  ${reopenedSql} as reopened, ${referrerTelephoneSql(sql`d.referral_id`)} as "referrerTelephone"`;

/** What a letter to a service that is composed now tells beside the referral. */
export async function findNewsAndFiles(
  db: Db,
  { id, at }: { id: string; at: Date },
): Promise<Pick<Delivery, 'news' | 'files'>> {
  const { rows } = await sql<Pick<Delivery, 'news' | 'files'>>`
    select ${newsForServiceSql} as news, ${letterFilesSql} as files
    from (select ${id}::uuid as referral_id, ${at}::timestamptz as created_at, 'service' as leg, 'referral' as purpose) as d`.execute(
    db,
  );
  return rows[0]!;
}
