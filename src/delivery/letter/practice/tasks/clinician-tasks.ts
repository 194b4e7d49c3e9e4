import { localTime } from '../../../../platform/clock/index.ts';
import { nextWorkingDay } from '../../../../referrals/index.ts';
import type { BoxKind, Task } from '../../letter.ts';
import { referrerTelephone, ringReferrer } from '../../whom-to-ask.ts';
import { unbroken } from '../../words.ts';
import { howToContact } from '../contact-in-words.ts';
import {
  dangers,
  hasContactLimits,
  isCrisisForServiceAlone,
  partsInLetter,
  wasNotReached,
} from '../dangers.ts';
import { hasUrgentNewsForPractice, ringWhoReported } from '../news.ts';
import type { PracticeLetter } from '../prepare-letter.ts';
import { besideReadStep } from '../what-was-said.ts';
import { clinicianTask, handOverTask, wheneverOpened } from './task.ts';

/**
 * What nobody may leave for tomorrow, as numbered steps: the clerk who opens the post is seldom the person who can
 * judge it. The person who reported a crisis is rung before the patient.
 */
export function clinicianTasks(letter: PracticeLetter, kind: BoxKind): Task[] {
  return kind === 'clinician-reads-today' ? readingTasks(letter) : handOverToday(letter);
}

/** Where nobody is in danger, and yet the letter must not wait. */
function handOverToday(letter: PracticeLetter): Task[] {
  if (wasNotReached(letter))
    return [handOverTask('today'), clinicianTask('today', 'decide whether to contact the patient.')];
  const isDanger = asksAboutSymptom(letter) || (letter.mayWarn && partsInLetter(letter).length > 0);
  const isSoon = dueWithinWeek(letter) !== undefined || hasUrgentNewsForPractice(letter);
  if (!isSoon && !asksAboutSymptom(letter)) return [];
  return [handOverTask('today', undefined, isDanger ? { details: inDanger } : {})];
}

/** The small print of the first step in each letter about a danger or a sign of illness. */
const inDanger = `${wheneverOpened}. If somebody may be in danger now, call 999`;

/** Only a person in danger gets the lines about it: a note about a dog is read today as well. */
function readingTasks(letter: PracticeLetter): Task[] {
  const { crisis } = letter;
  const isDanger = dangers(letter).length > 0;
  // What was done since is in no letter, and the reasons seldom name who is at risk. A crisis has a call of its own.
  const asksWho = letter.referral.content.risk === 'yes' && !crisis;
  const ringFirst = [
    ...(crisis ? [ringAboutCrisis(letter)] : []),
    ...(isCrisisForServiceAlone(letter)
      ? [clinicianTask('today', `${ringReferrer(letter)}, and ask about a possible crisis.`)]
      : []),
    ...(asksWho
      ? [
          clinicianTask(
            'today',
            `${ringReferrer(letter)}, first: ask who is at risk, and what has been done.`,
          ),
        ]
      : []),
  ];
  // In a crisis, small print keeps a reader from the number to ring.
  const details = crisis ? '' : detailsOfReading(letter, { isRung: asksWho });
  const read = clinicianTask(
    'today',
    // In a crisis the letter was read before anybody rang.
    crisis ? 'decide what else to do.' : 'read this letter, and decide what to do.',
    details === '' ? {} : { details },
  );
  return [
    handOverTask(crisis ? 'now' : 'today', undefined, isDanger ? { details: inDanger } : {}),
    ...ringFirst,
    read,
  ];
}

/** Who knows what was told, and whom to contact where nobody answers. */
function ringAboutCrisis(letter: PracticeLetter): Task {
  const ring = ringWhoReported(letter) ?? 'ring one of the numbers under “Questions”';
  const number = unbroken(letter.referral.content.patient.telephone);
  const how = hasContactLimits(letter)
    ? ' as the contact limits say.'
    : `${number ? `: ${number}` : ''}. ${howToContact(letter)}`;
  const thePatient = `If nobody answers, contact the patient${how}`;
  const ifNobody = letter.isContactUnsafe
    ? 'If nobody answers: it is not safe to contact the patient. Act as for a patient in a crisis'
    : `${thePatient} If you reach nobody, act as for a patient in a crisis`;
  return clinicianTask('now', `${ring}, and ask what has happened.`, { details: ifNobody });
}

/** What was asked, unless steps of their own follow for it, and who knows more: the patient may not be rung, or only at some times. */
function detailsOfReading(letter: PracticeLetter, { isRung }: { isRung: boolean }): string {
  const { referrer } = letter.referral.content;
  const telephone = referrerTelephone(letter.referral, letter.facts);
  const isAsked = letter.actions.length > 0;
  const said = isAsked ? '' : besideReadStep(letter);
  const isNamed = telephone !== undefined && (isRung || said.includes(telephone));
  return [
    ...(said === '' ? [] : [said]),
    ...(telephone && !isNamed && partsInLetter(letter).length > 0
      ? [`To ask more, ring ${referrer.name}, who referred, ${telephone}`]
      : []),
  ].join('. ');
}

/** Whether what the practice is asked is about such a sign: so says the task, or why the patient was referred. */
export function asksAboutSymptom(letter: PracticeLetter): boolean {
  const actions = letter.actions;
  if (actions.length === 0 || !letter.mayWarn) return false;
  return [...actions, ...letter.referral.content.reasons].some(({ text }) => symptoms.test(text));
}

/** A few signs of illness that nobody leaves in a tray. They judge nothing: they only bring the letter to a clinician on the same day. */
const symptoms =
  /\b(?:lumps?|bleed(?:s|ing)?|blood in|cough(?:s|ed|ing)? (?:up )?blood|chest pains?|collaps(?:ed|es)|faint(?:ed|s|ing)|seizures?|(?:cannot|can’t|can't|trouble) swallow(?:ing)?|los(?:t|ing) weight|weight loss|short of breath|breathless)\b/i;

/**
 * The first day of what is asked, if it is today or comes before the end of the next working day: a letter that waits in a queue for a day
 * would be too late.
 */
export function dueByNextWorkingDay(letter: PracticeLetter): string | undefined {
  const next = nextWorkingDay({ extraBankHolidays: [], ...letter.site }, letter.date);
  return firstDue(letter, next.date);
}

/** A practice may take days to file a letter: by then, what is due in the same week would be late. */
export function dueWithinWeek(letter: PracticeLetter): string | undefined {
  const inWeek = new Date(letter.date.getTime() + 7 * 86_400_000);
  return firstDue(letter, localTime(inWeek).day.date);
}

function firstDue(letter: PracticeLetter, last: string): string | undefined {
  if (letter.hasDied) return undefined;
  const { day } = localTime(letter.date);
  return letter.actions
    .flatMap(({ by_date: by }) => (by !== undefined && by >= day.date && by <= last ? [by] : []))
    .toSorted()[0];
}
