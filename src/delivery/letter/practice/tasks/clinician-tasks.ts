import { localTime } from '../../../../platform/clock/index.ts';
import { nextWorkingDay } from '../../../../referrals/index.ts';
import type { BoxKind, Task } from '../../letter.ts';
import { referrerTelephone, ringReferrer } from '../../whom-to-ask.ts';
import { withoutLineBreaks } from '../../words.ts';
import { howToContact } from '../contact-in-words.ts';
import {
  crisisParts,
  dangers,
  hasContactLimits,
  isCrisisForServiceAlone,
  nobodyReachedPatient,
} from '../dangers.ts';
import { hasUrgentLifeChange, ringCrisisReporter } from '../life-changes.ts';
import type { PreparedLetter } from '../prepare-letter.ts';
import { sentenceBesideReadStep } from '../what-was-said.ts';
import { clinicianTask, handOverTask, wheneverOpened } from './task.ts';

/**
 * The steps by which a clinician sees today what must not wait: the clerk who opens the post can seldom judge it. In a crisis, the
 * clinician rings the person who reported it before the patient.
 */
export function clinicianTasks(letter: PreparedLetter, kind: BoxKind): Task[] {
  return kind === 'clinician-reads-today' ? readingTasks(letter) : handOverToday(letter);
}

/** Nobody is in danger, but the letter must not wait. */
function handOverToday(letter: PreparedLetter): Task[] {
  if (nobodyReachedPatient(letter))
    return [handOverTask('today'), clinicianTask('today', 'decide whether to contact the patient.')];
  const isDanger = hasTaskAboutSymptom(letter) || (letter.mayWarn && crisisParts(letter).length > 0);
  const isSoon = dueWithinWeek(letter) !== undefined || hasUrgentLifeChange(letter);
  if (!isSoon && !hasTaskAboutSymptom(letter)) return [];
  return [handOverTask('today', undefined, isDanger ? { details: inDanger } : {})];
}

/** The small print of the first step in each letter about a danger or a sign of illness. */
const inDanger = `${wheneverOpened}. If somebody may be in danger now, call 999`;

/** A clinician reads the letter today. Not every reason is a danger: the safety note may be about a dog. */
function readingTasks(letter: PreparedLetter): Task[] {
  const { crisis } = letter;
  const isDanger = dangers(letter).length > 0;
  // No letter says who is at risk, or what has been done since. For a crisis there is another call.
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
  // In a crisis, small print would hide the number to ring.
  const details = crisis ? '' : detailsOfReading(letter, { isRung: asksWho });
  const readTask = clinicianTask(
    'today',
    // In a crisis, they read the letter before they rang.
    crisis ? 'decide what else to do.' : 'read this letter, and decide what to do.',
    details === '' ? {} : { details },
  );
  return [
    handOverTask(crisis ? 'now' : 'today', undefined, isDanger ? { details: inDanger } : {}),
    ...ringFirst,
    readTask,
  ];
}

/** Whom to ask about the crisis, and whom to contact if nobody answers. */
function ringAboutCrisis(letter: PreparedLetter): Task {
  const ring = ringCrisisReporter(letter) ?? 'ring one of the numbers under “Questions”';
  const number = withoutLineBreaks(letter.referral.content.patient.telephone);
  const how = hasContactLimits(letter)
    ? ' as the contact limits say.'
    : `${number ? `: ${number}` : ''}. ${howToContact(letter)}`;
  const thePatient = `If nobody answers, contact the patient${how}`;
  const ifNobody = letter.isContactUnsafe
    ? 'If nobody answers: it is not safe to contact the patient. Act as for a patient in a crisis'
    : `${thePatient} If you reach nobody, act as for a patient in a crisis`;
  return clinicianTask('now', `${ring}, and ask what has happened.`, { details: ifNobody });
}

/** In small print: that nobody asked for anything, and who knows more, because the patient may be hard to reach. */
function detailsOfReading(letter: PreparedLetter, { isRung }: { isRung: boolean }): string {
  const { referrer } = letter.referral.content;
  const telephone = referrerTelephone(letter.referral, letter.facts);
  const askedForNothing = letter.actions.length > 0 ? '' : sentenceBesideReadStep(letter);
  const isNamed = telephone !== undefined && (isRung || askedForNothing.includes(telephone));
  return [
    ...(askedForNothing === '' ? [] : [askedForNothing]),
    ...(telephone && !isNamed && crisisParts(letter).length > 0
      ? [`To ask more, ring ${referrer.name}, who referred, ${telephone}`]
      : []),
  ].join('. ');
}

/** Whether the practice is asked to do something about a sign of illness, which the task or the reason for referral names. */
export function hasTaskAboutSymptom(letter: PreparedLetter): boolean {
  const actions = letter.actions;
  if (actions.length === 0 || !letter.mayWarn) return false;
  return [...actions, ...letter.referral.content.reasons].some(({ text }) => symptoms.test(text));
}

/** A few signs of illness for which a clinician should see the letter on the same day. */
const symptoms =
  /\b(?:lumps?|bleed(?:s|ing)?|blood in|cough(?:s|ed|ing)? (?:up )?blood|chest pains?|collaps(?:ed|es)|faint(?:ed|s|ing)|seizures?|(?:cannot|can’t|can't|trouble) swallow(?:ing)?|los(?:t|ing) weight|weight loss|short of breath|breathless)\b/i;

/** The first day on which an action is due, “2027-03-01”, if that is by the next working day. Otherwise undefined. */
export function dueByNextWorkingDay(letter: PreparedLetter): string | undefined {
  const next = nextWorkingDay({ extraBankHolidays: [], ...letter.site }, letter.date);
  return firstDue(letter, next.date);
}

/** The same, if it is within a week: a practice may take days to file a letter. */
export function dueWithinWeek(letter: PreparedLetter): string | undefined {
  const inWeek = new Date(letter.date.getTime() + 7 * 86_400_000);
  return firstDue(letter, localTime(inWeek).day.date);
}

function firstDue(letter: PreparedLetter, last: string): string | undefined {
  if (letter.hasDied) return undefined;
  const { day } = localTime(letter.date);
  return letter.actions
    .flatMap(({ by_date: by }) => (by !== undefined && by >= day.date && by <= last ? [by] : []))
    .toSorted()[0];
}
