import { type RawBuilder, sql } from 'kysely';
import { unsuccessfulStatuses } from '../../model/status/state-machine.ts';

/**
 * The condition of the index `referrals_gp_actions`, word for word: the practice has something to do, and staff have not said
 * that it was done.
 */
export const hasOpenGpActionSql = sql`content @? '$.gp_actions[*] ? (!exists (@.done_by_hand))'`;

/** Whether the person agreed to a letter to the practice that names the GP actions. */
const isAskedByLetterSql = sql`(content #>> '{consent,share_with_gp}' = 'true' and practice_ods_code is not null)`;

/** Whether the practice has confirmed a letter that asks for `action`, and was not asked to remove that letter since. */
export const isGpActionConfirmedSql = sql`exists (
  select from practice_letters letter
  where letter.referral_id = referrals.id and letter.recipient_code = practice_ods_code and letter.status = 'acknowledged'
    -- A letter with codes alone asked for nothing.
    and letter.referral_version >= coalesce((content ->> 'full_copies_since')::int, 0)
    and (letter.purpose = 'outcome' or letter.purpose = 'referral' and action ->> 'asked_with' is distinct from 'outcome')
    and not exists (
      select from practice_letters removal
      where removal.purpose = 'removal' and removal.referral_id = letter.referral_id
        and removal.recipient_code = letter.recipient_code and removal.referral_version > letter.referral_version))`;

/**
 * Whether a referral has ended and staff have to tell the practice themselves what it has to do: no letter asks for it, the practice has
 * closed, or the date has passed and the practice has not confirmed the letter. It must agree with `gpActionStatus` and `whoseTurn`.
 */
export function staffMustTellPracticeSql(today: string): RawBuilder<unknown> {
  const isClosed = sql`exists (
    select from practices where ods_code = practice_ods_code and closed_on <= ${today}::date)`;
  const isOverdue = sql`((action ->> 'by_date')::date < ${today}::date)`;
  return sql`(status in ('completed', ${sql.join(unsuccessfulStatuses)}) and ${hasOpenGpActionSql}
    and restricted_at is null and erased_at is null and status_reason ->> 'code' is distinct from 'died'
    and exists (
      select from jsonb_array_elements(content -> 'gp_actions') as action
      where not action ? 'done_by_hand'
        and (not ${isAskedByLetterSql} or (not ${isGpActionConfirmedSql} and (${isClosed} or ${isOverdue})))))`;
}
