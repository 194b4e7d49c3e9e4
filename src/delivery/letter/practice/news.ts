import { nextWorkingDay } from '../../../referrals/index.ts';
import type { Task } from '../letter.ts';
import { referrerTelephone, ringInShort, ringReferrer, ringWhoTold } from '../whom-to-ask.ts';
import { dateWithWeekday } from '../words.ts';
import type { PracticeLetter } from './prepare-letter.ts';
import { clinicianTask } from './tasks/task.ts';

/** When somebody last told what has changed. What they told is for the two sides, and not for the practice. */
export function newsTasks(letter: PracticeLetter): Task[] {
  if (!letter.hasNewsToAsk) return [];
  const ring = `${ringAboutNews(letter)},`;
  const details = [
    'We are not allowed to write it here. Nobody said whether you need to do anything about it',
    ifNobodyTells(letter),
  ].join('. ');
  return [
    hasUrgentNewsForPractice(letter)
      ? clinicianTask('today', `${ring} and ask what has changed for the patient.`, { details })
      : clinicianTask(
          `by ${newsDueBy(letter)}`,
          `${ring} and ask what has changed, before your practice next contacts the patient.`,
          { details },
        ),
  ];
}

/** News that nobody called urgent: long enough that a practice which files within days is not late, and a working day. */
export function newsDueBy(letter: PracticeLetter): string {
  const { date, site } = letter;
  const inNineDays = new Date(date.getTime() + 9 * 86_400_000);
  return dateWithWeekday(nextWorkingDay({ extraBankHolidays: [], ...site }, inNineDays).date);
}

/** The person who told of the news may be away: then the other side, and then a clinician decides with what there is. */
function ifNobodyTells(letter: PracticeLetter): string {
  const other = ringOtherSide(letter);
  return other === undefined
    ? 'If they do not answer, decide whether to contact the patient'
    : `If they do not answer, ${other}. If nobody answers, decide whether to contact the patient`;
}

/** Whether somebody of the practice has to ask today what has changed. */
export function hasUrgentNewsForPractice(letter: PracticeLetter): boolean {
  return letter.referral.urgency === 'urgent' && letter.hasNewsToAsk;
}

/** “ring Jo Hall, 01632 960200”: the last person who told what has changed knows most of it. */
export function ringAboutNews(letter: PracticeLetter): string {
  const told = letter.facts!.reported!.at(-1)!;
  return ringWhoTold(letter, told) ?? ringInShort(letter);
}

/** The side that did not tell the news may know of it, too. Undefined where no other number is known. */
function ringOtherSide(letter: PracticeLetter): string | undefined {
  const told = letter.facts!.reported!.at(-1)!;
  const telephone = referrerTelephone(letter.referral, letter.facts);
  const first = ringAboutNews(letter);
  const sides = [
    told.side !== 'referrer' && telephone && ringReferrer(letter),
    told.side !== 'provider' && ringWhoTold(letter, { side: 'provider' }),
  ];
  return sides.find((each): each is string => typeof each === 'string' && !each.startsWith(first));
}

/** “ring Jo Hall, 01632 960200”: the person who reported the crisis knows most of it. */
export function ringWhoReported(letter: PracticeLetter): string | undefined {
  return letter.crisis && ringWhoTold(letter, letter.crisis);
}
