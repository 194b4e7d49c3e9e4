import { type RawBuilder, sql } from 'kysely';
import { unsuccessfulStatuses } from '../../model/status/state-machine.ts';

/**
 * The condition of the index `referrals_gp_actions`, word for word: the practice has something to do, and staff have not said
 * that it was done.
 */
export const hasOpenGpActionSql = sql`content @? '$.gp_actions[*] ? (!exists (@.done_by_hand))'`;

/** For a row of `referrals`: whether the person agreed to a letter to the practice that names the GP actions. */
const isAskedByLetterSql = sql`(referrals.content #>> '{consent,share_with_gp}' = 'true' and referrals.practice_ods_code is not null)`;

/**
 * For a row of `referrals` and one of its GP actions: whether the practice has confirmed a letter that asks for it, and was not asked to
 * remove that letter since.
 */
export function isGpActionConfirmedSql(action: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (
    select from practice_letters letter
    where letter.referral_id = referrals.id and letter.receiver_code = referrals.practice_ods_code
      and letter.status = 'acknowledged'
      -- A letter with codes alone asked for nothing.
      and letter.referral_version >= coalesce((referrals.content ->> 'full_copies_since')::int, 0)
      and (letter.purpose = 'outcome'
        or letter.purpose = 'referral' and ${action} ->> 'asked_with' is distinct from 'outcome')
      and not exists (
        select from practice_letters removal
        where removal.purpose = 'removal' and removal.referral_id = letter.referral_id
          and removal.receiver_code = letter.receiver_code and removal.referral_version > letter.referral_version))`;
}

/**
 * Whether a row of `referrals` has ended and staff have to tell the practice themselves what it has to do: no letter asks for it, or the
 * practice has closed or the date has passed, and the practice has not confirmed the letter. It must agree with `gpActionStatus` and
 * `whoseTurn`. Other tables are read last, for the few rows that their own columns do not decide.
 */
export function staffMustTellPracticeSql(today: string): RawBuilder<unknown> {
  const isOverdue = sql`(action ->> 'by_date')::date < ${today}::date`;
  const isClosed = sql`exists (
    select from practices p where p.ods_code = referrals.practice_ods_code and p.closed_on <= ${today}::date)`;
  return sql`(referrals.status in (${sql.join(endedStatuses.map((each) => sql.lit(each)))}) and ${hasOpenGpActionSql}
    and referrals.restricted_at is null and referrals.erased_at is null
    and referrals.status_reason ->> 'code' is distinct from 'died'
    and exists (
      select from jsonb_array_elements(referrals.content -> 'gp_actions') as action
      where not action ? 'done_by_hand' and (not ${isAskedByLetterSql}
        or (${isOverdue} or ${isClosed}) and not ${isGpActionConfirmedSql(sql`action`)})))`;
}

const endedStatuses = ['completed', ...unsuccessfulStatuses] as const;
