import { nextWorkingDay } from '../../../referrals/index.ts';
import type { Task } from '../letter.ts';
import { referrerTelephone, ringInShort, ringReferrer, ringReporter } from '../whom-to-ask.ts';
import { dateWithWeekday } from '../words.ts';
import type { PreparedLetter } from './prepare-letter.ts';
import { clinicianTask } from './tasks/task.ts';

/** Whom the practice asks what has changed for the patient. The letter must not say it: only the service and the referrer may read it. */
export function lifeChangeTasks(letter: PreparedLetter): Task[] {
  if (!letter.hasNewsToAsk) return [];
  const ring = `${ringAboutLifeChange(letter)},`;
  const details = [
    'We are not allowed to write it here. Nobody said whether you need to do anything about it',
    ifNobodyTells(letter),
  ].join('. ');
  return [
    hasUrgentLifeChange(letter)
      ? clinicianTask('today', `${ring} and ask what has changed for the patient.`, { details })
      : clinicianTask(
          `by ${lifeChangeDueBy(letter)}`,
          `${ring} and ask what has changed, before your practice next contacts the patient.`,
          { details },
        ),
  ];
}

/** The working day by which the practice asks about a change that is not urgent, “Monday 30 November 2026”. A practice may take days to file. */
export function lifeChangeDueBy(letter: PreparedLetter): string {
  const { date, site } = letter;
  const inNineDays = new Date(date.getTime() + 9 * 86_400_000);
  return dateWithWeekday(nextWorkingDay({ extraBankHolidays: [], ...site }, inNineDays).date);
}

/** The person who reported the change may be away. Then the practice asks the other side, and if nobody answers, a clinician decides. */
function ifNobodyTells(letter: PreparedLetter): string {
  const other = ringOtherSide(letter);
  return other === undefined
    ? 'If they do not answer, decide whether to contact the patient'
    : `If they do not answer, ${other}. If nobody answers, decide whether to contact the patient`;
}

/** Whether the practice has to ask today what has changed. */
export function hasUrgentLifeChange(letter: PreparedLetter): boolean {
  return letter.referral.urgency === 'urgent' && letter.hasNewsToAsk;
}

/** “ring Jo Hall, 01632 960200”: the last person who reported a change knows most about it. */
export function ringAboutLifeChange(letter: PreparedLetter): string {
  const last = letter.facts!.reported!.at(-1)!;
  return ringReporter(letter, last) ?? ringInShort(letter);
}

/** The other side may know of the change, too. Undefined if no other number is known. */
function ringOtherSide(letter: PreparedLetter): string | undefined {
  const { side } = letter.facts!.reported!.at(-1)!;
  const telephone = referrerTelephone(letter.referral, letter.facts);
  const first = ringAboutLifeChange(letter);
  const sides = [
    side !== 'referrer' && telephone && ringReferrer(letter),
    side !== 'provider' && ringReporter(letter, { side: 'provider' }),
  ];
  return sides.find((each): each is string => typeof each === 'string' && !each.startsWith(first));
}

/** “ring Jo Hall, 01632 960200”: the person who reported the crisis. Undefined if there is no crisis, or no number is known. */
export function ringCrisisReporter(letter: PreparedLetter): string | undefined {
  return letter.crisis && ringReporter(letter, letter.crisis);
}
