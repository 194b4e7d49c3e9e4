import { localTime } from '../../../platform/clock/index.ts';
import {
  type CrisisWords,
  carerForPractice,
  crisisWordsIn,
  nextWorkingDay,
  type Referral,
  somebodyAtRisk,
  whatWasDoneIsNotKnown,
} from '../../../referrals/index.ts';
import type { BoxKind, Task } from '../letter.ts';
import { referrerTelephone, ringInShort, ringReferrer, ringWhoTold } from '../whom-to-ask.ts';
import { cutAtSentence, inWordsForPractice, momentAsDay, paragraphsOf, unbroken } from '../words.ts';
import { askBeforeContact, asksAboutRisk, howToContact, isContactLimited } from './patient-lines.ts';
import type { PracticeLetter } from './prepare-letter.ts';
import { clinicianTask, handOverTask, wheneverOpened } from './task.ts';
import { besideReadStep } from './what-was-said.ts';

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

/** The whole of a longer reason stands below the box. */
export const maxReasonLengthInBox = 240;

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

/** A few signs of illness that nobody leaves in a tray. They judge nothing: they only bring the letter to a clinician on the same day. */
const symptoms =
  /\b(?:lumps?|bleed(?:s|ing)?|blood in|cough(?:s|ed|ing)? (?:up )?blood|chest pains?|collaps(?:ed|es)|faint(?:ed|s|ing)|seizures?|(?:cannot|can’t|can't|trouble) swallow(?:ing)?|los(?:t|ing) weight|weight loss|short of breath|breathless)\b/i;

/** Whether what the practice is asked is about such a sign: so says the task, or why the patient was referred. */
export function asksAboutSymptom(letter: PracticeLetter): boolean {
  const actions = letter.actions;
  if (actions.length === 0 || !letter.mayWarn) return false;
  return [...actions, ...letter.referral.content.reasons].some(({ text }) => symptoms.test(text));
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
export function ringOtherSide(letter: PracticeLetter): string | undefined {
  const told = letter.facts!.reported!.at(-1)!;
  const telephone = referrerTelephone(letter.referral, letter.facts);
  const first = ringAboutNews(letter);
  const sides = [
    told.side !== 'referrer' && telephone && ringReferrer(letter),
    told.side !== 'provider' && ringWhoTold(letter, { side: 'provider' }),
  ];
  return sides.find((each): each is string => typeof each === 'string' && !each.startsWith(first));
}

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

/**
 * Why a clinician must read the letter. Most letters in which nobody said what to do need nothing done, and a practice that is told
 * each time that a clinician must read them soon stops reading. So only letters about danger ask for it.
 */
export function whyForClinician(letter: PracticeLetter): string[] {
  return [...dangers(letter), ...noteWarnings(letter)];
}

/** What may be danger for somebody, each in a sentence. */
export function dangers(letter: PracticeLetter): string[] {
  const all = partsInLetter(letter);
  // What is asked is in the heading and in a step of its own.
  const asked = letter.actions.map(({ text }) => paragraphsOf(text).join(' '));
  const found = all.filter((each) => !asked.some((text) => text.includes(each.words)));
  const parts = [...new Set(found.map(({ part }) => inWordsForPractice(part)))];
  const words = [...new Set(found.map((each) => `“${each.words}”`))];
  const goesOn = found.some((each) => each.goesOn) ? ', which goes on below' : '';
  // What was said, and how to reach the patient, come before who was told.
  return [
    ...crisisReported(letter),
    parts.length > 0
      ? `${words.join('; ')} – from ${new Intl.ListFormat('en-GB').format(parts)}${goesOn}. It may describe a crisis.`
      : all.length > 0
        ? 'What you are asked to do may describe a crisis.'
        : undefined,
    all.length > 0 ? howToReach(letter) : reasonBesideRisk(letter),
    riskAtStart(letter),
    couldNotAsk(letter),
    isCrisisForServiceAlone(letter)
      ? 'A part that was written for the service alone has words of a crisis. We are not allowed to repeat them here.'
      : undefined,
  ].filter((each) => each !== undefined);
}

/**
 * Beside words of a crisis, so that nobody looks for the number. Where there are contact limits, they have the number, and say whom to ask
 * first: said twice, one of the two is read alone.
 */
export function howToReach(letter: PracticeLetter): string | undefined {
  const { patient, referrer } = letter.referral.content;
  if (hasContactLimits(letter)) return undefined;
  const number = unbroken(patient.telephone);
  const instead = referrerTelephone(letter.referral, letter.facts);
  const where =
    number ??
    `no telephone number is known here${instead ? `. Ring ${referrer.name}, who referred, ${instead}` : ''}`;
  // A task may have another day.
  const today = letter.actions.length > 0 ? '' : ' today';
  return `To reach the patient${today}: ${where}. ${howToContact(letter)}`;
}

/** Whether the box has a red line on how the patient may be contacted: `contactLimits` writes it. */
function hasContactLimits(letter: PracticeLetter): boolean {
  return (
    letter.isContactUnsafe ||
    isContactLimited(letter) ||
    askBeforeContact(letter) !== undefined ||
    asksAboutRisk(letter) ||
    asksAboutCrisis(letter) ||
    letter.hasNewsToAsk
  );
}

/** Whether the box says, beside a danger, how to reach the patient. */
export function saysHowToReach(letter: PracticeLetter): boolean {
  return letter.crisis !== undefined || partsInLetter(letter).length > 0;
}

/** Words of a crisis stand only where the practice does not read them. */
function isCrisisForServiceAlone(letter: PracticeLetter): boolean {
  const { crisisPhrases } = letter.site;
  return (
    partsInLetter(letter).length === 0 &&
    crisisWordsIn(letter.referral.content, crisisPhrases).some(({ isDenied }) => !isDenied)
  );
}

/**
 * The parts of this letter that have words of a crisis, with those words: a clinician sees at once what set it off. “She has no thoughts of
 * harming herself”, which is written of nearly everybody who is low, does not set it off.
 */
function partsInLetter(letter: PracticeLetter): CrisisWords[] {
  const { content, outcome, status_reason } = letter.referral;
  const { crisisPhrases } = letter.site;
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  return [
    ...crisisWordsIn(inPracticeLetter(content), crisisPhrases),
    ...crisisWordsIn(end, crisisPhrases).map((each) => ({ ...each, part: 'the summary' })),
  ].filter(({ isDenied }) => !isDenied);
}

/** A note that is longer stands below the box, and the box says so. */
const maxNoteLengthInBox = 600;

function noteForPractice({ referral }: PracticeLetter): string {
  const { safety_notes, safety_notes_for_practice } = referral.content;
  return safety_notes_for_practice ? paragraphsOf(safety_notes).join('\n') : '';
}

/** A safety note that was shared with the practice. It is never cut, and stands in the letter once. */
export function noteWarnings(letter: PracticeLetter): string[] {
  const note = noteForPractice(letter);
  if (note === '') return [];
  return [
    note.length > maxNoteLengthInBox
      ? 'There is a safety note. Read it first: it is under “Safety and sharing”.'
      : `Safety note: ${note}`,
  ];
}

/** The safety note where the box does not have it. */
export function noteBelowBox(letter: PracticeLetter): string {
  const note = noteForPractice(letter);
  return letter.mayWarn && note.length <= maxNoteLengthInBox ? '' : note;
}

/** Whether the person who reported a crisis is rung before the patient. */
export function asksAboutCrisis(letter: PracticeLetter): boolean {
  const isOpen = letter.purpose === 'referral' && letter.mayWarn;
  return isOpen && letter.crisis !== undefined && !letter.isContactUnsafe;
}

/** “ring Jo Hall, 01632 960200”: the person who reported the crisis knows most of it. */
export function ringWhoReported(letter: PracticeLetter): string | undefined {
  return letter.crisis && ringWhoTold(letter, letter.crisis);
}

/** Says that a crisis was reported; its words only if the safety note is shared. */
function crisisReported(letter: PracticeLetter): string[] {
  const { crisis } = letter;
  if (crisis === undefined) return [];
  const roles = { provider: ' (the service)', referrer: ' (for the referrer)' } as const;
  const isReferrer = crisis.side === 'referrer' && crisis.by === letter.referral.content.referrer.name;
  const role = isReferrer ? ', who referred' : crisis.side === undefined ? '' : roles[crisis.side];
  const by = crisis.by === undefined ? '' : ` by ${crisis.by}${role}`;
  const what = letter.referral.content.safety_notes_for_practice
    ? `What was reported: ${paragraphsOf(crisis.text).join(' ')}`
    : 'We are not allowed to write here what was reported.';
  return [
    `CRISIS reported on ${momentAsDay(crisis.at)}${by}. We do not know that anybody has acted. ${what}`,
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

/** A letter about somebody who was at risk of serious harm never says “No action asked for”, also where the practice is asked for nothing. */
function riskAtStart({ referral }: PracticeLetter): string | undefined {
  const { risk, risk_acted_on: told, referrer } = referral.content;
  const whoWasTold =
    told &&
    `Told on ${momentAsDay(told.when)}: ${told.who_was_told.replace(/\.$/, '')}. ${whatWasDoneIsNotKnown}`;
  if (risk === 'yes') return `${somebodyAtRisk(referrer.name)} ${whoWasTold ?? 'Who was told is not known.'}`;
  return (
    whoWasTold &&
    `Nobody is said to be at risk of serious harm, and yet somebody was told of a risk. ${whoWasTold}`
  );
}

/** What may be danger, where no word of it is on the list: a reader of the box alone must not miss it. */
function reasonBesideRisk(letter: PracticeLetter): string | undefined {
  return letter.referral.content.risk === 'yes' && letter.purpose === 'referral'
    ? reasonInBox(letter)
    : undefined;
}

export function reasonInBox({ referral }: PracticeLetter): string | undefined {
  const why = referral.content.reasons.flatMap(({ text }) => paragraphsOf(text)).join(' ');
  if (why === '') return undefined;
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  return `“${words}” – from the reason for referral${goesOn ? ', which goes on below' : ''}.`;
}

/** The reason why nobody could ask may be the person who must not know. */
function couldNotAsk({ referral }: PracticeLetter): string | undefined {
  const { risk, contact } = referral.content;
  return risk === 'could_not_ask' && contact?.who_must_not_know !== undefined
    ? 'Whether anybody is at risk of serious harm could not be asked, and somebody must not know of the referral.'
    : undefined;
}

/** Nobody of the service knows how the patient is, and so a clinician has to see the letter. */
export function wasNotReached({ referral, purpose, mayWarn }: PracticeLetter): boolean {
  return purpose === 'outcome' && referral.status_reason?.code === 'failed-contact' && mayWarn;
}

/** Whether the letter must not calm its reader: there may be danger, or a safety note. */
export function needsClinician(letter: PracticeLetter): boolean {
  return whyForClinician(letter).length > 0;
}

/** What “Safety and sharing” names again, in few words: the box has the whole. */
export function dangersInShort(letter: PracticeLetter): string[] {
  const { crisis, referral } = letter;
  const { risk, risk_acted_on } = referral.content;
  return [
    ...(crisis ? [`a crisis was reported on ${momentAsDay(crisis.at)}: see the box above`] : []),
    ...(risk === 'yes' ? ['somebody is at risk of serious harm: see the box above'] : []),
    ...(risk !== 'yes' && risk_acted_on ? ['somebody was told of a risk: see the box above'] : []),
  ];
}

/** What a letter to the practice says in words: neither notes for the service alone nor why the referral was made all the same. */
function inPracticeLetter(content: Referral['content']): object {
  const { reasons, what_matters, support_offered, goals, gp_actions, contact, patient } = content;
  const { safety_notes, safety_notes_for_practice } = content;
  const { carer: _carer, ...known } = patient;
  const carer = carerForPractice(content);
  return {
    ...{ reasons, what_matters, support_offered, goals, gp_actions, contact },
    ...(safety_notes_for_practice && { safety_notes }),
    patient: { ...known, ...(carer && { carer }) },
  };
}
