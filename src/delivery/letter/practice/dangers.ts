import { mentionsCrisis } from '../../../library/index.ts';
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
import { isCodesOnly } from '../../model/delivery.ts';
import { hasDied } from '../codes.ts';
import type { BoxKind, PracticeLetterOptions, Task } from '../letter.ts';
import { referrerTelephone, ringInShort, ringReferrer, ringWhoTold } from '../whom-to-ask.ts';
import { cutAtSentence, inWordsForPractice, momentAsDay, paragraphsOf, unbroken } from '../words.ts';
import {
  askBeforeContact,
  asksAboutRisk,
  contactForPractice,
  isContactLimited,
  whoseTelephone,
} from './patient-lines.ts';
import { clinicianTask, handOverTask, wheneverOpened } from './task.ts';
import { actionsAsked, besideReadStep, hasNewsSinceAnswer } from './what-was-said.ts';

/**
 * What nobody may leave for tomorrow, as numbered steps: the clerk who opens the post is seldom the person who can
 * judge it. The person who reported a crisis is rung before the patient.
 */
export function clinicianTasks(referral: Referral, options: PracticeLetterOptions, kind: BoxKind): Task[] {
  return kind === 'clinician-reads-today'
    ? readingTasks(referral, options)
    : handOverToday(referral, options);
}

/** Where nobody is in danger, and yet the letter must not wait. */
function handOverToday(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (wasNotReached(referral, options))
    return [handOverTask('today'), clinicianTask('today', 'decide whether to contact the patient.')];
  const isDanger =
    asksAboutSymptom(referral, options) || (mayWarn(referral) && partsInLetter(referral, options).length > 0);
  const isSoon =
    dueWithinWeek(referral, options) !== undefined || hasUrgentNewsForPractice(referral, options);
  if (!isSoon && !asksAboutSymptom(referral, options)) return [];
  return [handOverTask('today', undefined, isDanger ? { details: inDanger } : {})];
}

/** The whole of a longer reason stands below the box. */
export const maxReasonLengthInBox = 240;

/** The small print of the first step in each letter about a danger or a sign of illness. */
const inDanger = `${wheneverOpened}. If somebody may be in danger now, call 999`;

/** Only a person in danger gets the lines about it: a note about a dog is read today as well. */
function readingTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  const crisis = lastCrisis(options);
  const isDanger = dangers(referral, options).length > 0;
  // What was done since is in no letter, and the reasons seldom name who is at risk. A crisis has a call of its own.
  const asksWho = referral.content.risk === 'yes' && !crisis;
  const ringFirst = [
    ...(crisis ? [ringAboutCrisis(referral, options)] : []),
    ...(isCrisisForServiceAlone(referral, options)
      ? [clinicianTask('today', `${ringReferrer(referral, options)}, and ask about a possible crisis.`)]
      : []),
    ...(asksWho
      ? [
          clinicianTask(
            'today',
            `${ringReferrer(referral, options)}, first: ask who is at risk, and what has been done.`,
          ),
        ]
      : []),
  ];
  // In a crisis, small print keeps a reader from the number to ring.
  const details = crisis ? '' : detailsOfReading(referral, options, { isRung: asksWho });
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
function detailsOfReading(
  referral: Referral,
  options: PracticeLetterOptions,
  { isRung }: { isRung: boolean },
): string {
  const { referrer } = referral.content;
  const telephone = referrerTelephone(referral, options.facts);
  const isAsked = actionsAsked(referral, options).length > 0;
  const said = isAsked ? '' : besideReadStep(referral, options);
  const isNamed = telephone !== undefined && (isRung || said.includes(telephone));
  return [
    ...(said === '' ? [] : [said]),
    ...(telephone && !isNamed && partsInLetter(referral, options).length > 0
      ? [`To ask more, ring ${referrer.name}, who referred, ${telephone}`]
      : []),
  ].join('. ');
}

/** A few signs of illness that nobody leaves in a tray. They judge nothing: they only bring the letter to a clinician on the same day. */
const symptoms =
  /\b(?:lumps?|bleed(?:s|ing)?|blood in|cough(?:s|ed|ing)? (?:up )?blood|chest pains?|collaps(?:ed|es)|faint(?:ed|s|ing)|seizures?|(?:cannot|can’t|can't|trouble) swallow(?:ing)?|los(?:t|ing) weight|weight loss|short of breath|breathless)\b/i;

/** Whether what the practice is asked is about such a sign: so says the task, or why the patient was referred. */
export function asksAboutSymptom(referral: Referral, options: PracticeLetterOptions): boolean {
  const actions = actionsAsked(referral, options);
  if (actions.length === 0 || !mayWarn(referral)) return false;
  return [...actions, ...referral.content.reasons].some(({ text }) => symptoms.test(text));
}

/** Whether somebody of the practice has to ask today what has changed. */
export function hasUrgentNewsForPractice(referral: Referral, options: PracticeLetterOptions): boolean {
  return referral.urgency === 'urgent' && hasNewsToAsk(referral, options);
}

/** What was told since somebody said what the practice has to do. In a crisis the steps are others. */
export function hasNewsToAsk(referral: Referral, options: PracticeLetterOptions): boolean {
  return mayWarn(referral) && hasNewsSinceAnswer(options) && !lastCrisis(options);
}

/** “ring Jo Hall, 01632 960200”: the last person who told what has changed knows most of it. */
export function ringAboutNews(referral: Referral, options: PracticeLetterOptions): string {
  const told = options.facts!.reported!.at(-1)!;
  return ringWhoTold(referral, options, told) ?? ringInShort(referral, options);
}

/** The side that did not tell the news may know of it, too. Undefined where no other number is known. */
export function ringOtherSide(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const told = options.facts!.reported!.at(-1)!;
  const telephone = referrerTelephone(referral, options.facts);
  const first = ringAboutNews(referral, options);
  const sides = [
    told.side !== 'referrer' && telephone && ringReferrer(referral, options),
    told.side !== 'provider' && ringWhoTold(referral, options, { side: 'provider' }),
  ];
  return sides.find((each): each is string => typeof each === 'string' && !each.startsWith(first));
}

/**
 * The first day of what is asked, if it is today or comes before the end of the next working day: a letter that waits in a queue for a day
 * would be too late.
 */
export function dueByNextWorkingDay(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const next = nextWorkingDay({ extraBankHolidays: [], ...options.site }, options.date);
  return firstDue(referral, options, next.date);
}

/** A practice may take days to file a letter: by then, what is due in the same week would be late. */
export function dueWithinWeek(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const inWeek = new Date(options.date.getTime() + 7 * 86_400_000);
  return firstDue(referral, options, localTime(inWeek).day.date);
}

function firstDue(referral: Referral, options: PracticeLetterOptions, last: string): string | undefined {
  if (hasDied(referral)) return undefined;
  const { day } = localTime(options.date);
  return actionsAsked(referral, options)
    .flatMap(({ by_date: by }) => (by !== undefined && by >= day.date && by <= last ? [by] : []))
    .toSorted()[0];
}

/**
 * Why a clinician must read the letter. Most letters in which nobody said what to do need nothing done, and a practice that is told
 * each time that a clinician must read them soon stops reading. So only letters about danger ask for it.
 */
export function whyForClinician(referral: Referral, options: PracticeLetterOptions): string[] {
  return [...dangers(referral, options), ...noteWarnings(referral)];
}

/** What may be danger for somebody, each in a sentence. */
export function dangers(referral: Referral, options: PracticeLetterOptions): string[] {
  const all = partsInLetter(referral, options);
  // What is asked is in the heading and in a step of its own.
  const asked = actionsAsked(referral, options).map(({ text }) => paragraphsOf(text).join(' '));
  const found = all.filter((each) => !asked.some((text) => text.includes(each.words)));
  const parts = [...new Set(found.map(({ part }) => inWordsForPractice(part)))];
  const words = [...new Set(found.map((each) => `“${each.words}”`))];
  const goesOn = found.some((each) => each.goesOn) ? ', which goes on below' : '';
  // What was said, and how to reach the patient, come before who was told.
  return [
    ...crisisReported(referral, options),
    parts.length > 0
      ? `${words.join('; ')} – from ${new Intl.ListFormat('en-GB').format(parts)}${goesOn}. It may describe a crisis.`
      : all.length > 0
        ? 'What you are asked to do may describe a crisis.'
        : undefined,
    all.length > 0 ? howToReach(referral, options) : reasonBesideRisk(referral, options),
    riskAtStart(referral),
    couldNotAsk(referral),
    isCrisisForServiceAlone(referral, options)
      ? 'A part that was written for the service alone has words of a crisis. We are not allowed to repeat them here.'
      : undefined,
  ].filter((each) => each !== undefined);
}

/**
 * Beside words of a crisis, so that nobody looks for the number. Where there are contact limits, they have the number, and say whom to ask
 * first: said twice, one of the two is read alone.
 */
export function howToReach(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const { content } = referral;
  const { patient, referrer } = content;
  if (hasContactLimits(referral, options)) return undefined;
  const number = unbroken(patient.telephone);
  const instead = referrerTelephone(referral, options.facts);
  const where =
    number ??
    `no telephone number is known here${instead ? `. Ring ${referrer.name}, who referred, ${instead}` : ''}`;
  // A task may have another day.
  const today = actionsAsked(referral, options).length > 0 ? '' : ' today';
  const how = contactForPractice(content.contact, whoseTelephone(content, options.date));
  return `To reach the patient${today}: ${where}. ${how}`;
}

/** Whether the box has a red line on how the patient may be contacted: `contactLimits` writes it. */
function hasContactLimits(referral: Referral, options: PracticeLetterOptions): boolean {
  return (
    referral.content.contact?.safe === 'no' ||
    isContactLimited(referral, options) ||
    askBeforeContact(referral, options) !== undefined ||
    asksAboutRisk(referral, options) ||
    asksAboutCrisis(referral, options) ||
    hasNewsToAsk(referral, options)
  );
}

/** Whether the box says, beside a danger, how to reach the patient. */
export function saysHowToReach(referral: Referral, options: PracticeLetterOptions): boolean {
  return hasCrisisNews(options) || partsInLetter(referral, options).length > 0;
}

/** Words of a crisis stand only where the practice does not read them. */
function isCrisisForServiceAlone(referral: Referral, options: PracticeLetterOptions): boolean {
  const { crisisPhrases } = options.site;
  return (
    partsInLetter(referral, options).length === 0 &&
    crisisWordsIn(referral.content, crisisPhrases).some(({ isDenied }) => !isDenied)
  );
}

/**
 * The parts of this letter that have words of a crisis, with those words: a clinician sees at once what set it off. “She has no thoughts of
 * harming herself”, which is written of nearly everybody who is low, does not set it off.
 */
function partsInLetter(
  { content, outcome, status_reason }: Referral,
  { site: { crisisPhrases } }: PracticeLetterOptions,
): CrisisWords[] {
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  return [
    ...crisisWordsIn(inPracticeLetter(content), crisisPhrases),
    ...crisisWordsIn(end, crisisPhrases).map((each) => ({ ...each, part: 'the summary' })),
  ].filter(({ isDenied }) => !isDenied);
}

/** A note that is longer stands below the box, and the box says so. */
const maxNoteLengthInBox = 600;

function noteForPractice({ content: { safety_notes, safety_notes_for_practice } }: Referral): string {
  return safety_notes_for_practice ? paragraphsOf(safety_notes).join('\n') : '';
}

/** A safety note that was shared with the practice. It is never cut, and stands in the letter once. */
export function noteWarnings(referral: Referral): string[] {
  const note = noteForPractice(referral);
  if (note === '') return [];
  return [
    note.length > maxNoteLengthInBox
      ? 'There is a safety note. Read it first: it is under “Safety and sharing”.'
      : `Safety note: ${note}`,
  ];
}

/** The safety note where the box does not have it. */
export function noteBelowBox(referral: Referral): string {
  const note = noteForPractice(referral);
  return mayWarn(referral) && note.length <= maxNoteLengthInBox ? '' : note;
}

/** The last news in which somebody used words of a crisis. */
function lastCrisis({ facts, site }: PracticeLetterOptions) {
  return facts?.reported?.findLast(({ text }) => mentionsCrisis(text, site.crisisPhrases));
}

/** Whether somebody reported a crisis: then nobody waits for the end of the day. */
export function hasCrisisNews(options: PracticeLetterOptions): boolean {
  return lastCrisis(options) !== undefined;
}

/** Whether the person who reported a crisis is rung before the patient. */
export function asksAboutCrisis(referral: Referral, options: PracticeLetterOptions): boolean {
  const isOpen = options.purpose === 'referral' && mayWarn(referral);
  return isOpen && hasCrisisNews(options) && referral.content.contact?.safe !== 'no';
}

/** “ring Jo Hall, 01632 960200”: the person who reported the crisis knows most of it. */
export function ringWhoReported(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const crisis = lastCrisis(options);
  return crisis && ringWhoTold(referral, options, crisis);
}

/** Says that a crisis was reported; its words only if the safety note is shared. */
function crisisReported(referral: Referral, options: PracticeLetterOptions): string[] {
  const crisis = lastCrisis(options);
  if (crisis === undefined) return [];
  const roles = { provider: ' (the service)', referrer: ' (for the referrer)' } as const;
  const isReferrer = crisis.side === 'referrer' && crisis.by === referral.content.referrer.name;
  const role = isReferrer ? ', who referred' : crisis.side === undefined ? '' : roles[crisis.side];
  const by = crisis.by === undefined ? '' : ` by ${crisis.by}${role}`;
  const what = referral.content.safety_notes_for_practice
    ? `What was reported: ${paragraphsOf(crisis.text).join(' ')}`
    : 'We are not allowed to write here what was reported.';
  return [
    `CRISIS reported on ${momentAsDay(crisis.at)}${by}. We do not know that anybody has acted. ${what}`,
  ];
}

/** Who knows what was told, and whom to contact where nobody answers. */
function ringAboutCrisis(referral: Referral, options: PracticeLetterOptions): Task {
  const { content } = referral;
  const { contact, patient } = content;
  const ring = ringWhoReported(referral, options) ?? 'ring one of the numbers under “Questions”';
  const number = unbroken(patient.telephone);
  const how = hasContactLimits(referral, options)
    ? ' as the contact limits say.'
    : `${number ? `: ${number}` : ''}. ${contactForPractice(contact, whoseTelephone(content, options.date))}`;
  const thePatient = `If nobody answers, contact the patient${how}`;
  const ifNobody =
    contact?.safe === 'no'
      ? 'If nobody answers: it is not safe to contact the patient. Act as for a patient in a crisis'
      : `${thePatient} If you reach nobody, act as for a patient in a crisis`;
  return clinicianTask('now', `${ring}, and ask what has happened.`, { details: ifNobody });
}

/** A letter about somebody who was at risk of serious harm never says “No action asked for”, also where the practice is asked for nothing. */
function riskAtStart({ content: { risk, risk_acted_on: told, referrer } }: Referral): string | undefined {
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
function reasonBesideRisk({ content }: Referral, options: PracticeLetterOptions): string | undefined {
  return content.risk === 'yes' && options.purpose === 'referral' ? reasonInBox({ content }) : undefined;
}

export function reasonInBox({ content }: Pick<Referral, 'content'>): string | undefined {
  const why = content.reasons.flatMap(({ text }) => paragraphsOf(text)).join(' ');
  if (why === '') return undefined;
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  return `“${words}” – from the reason for referral${goesOn ? ', which goes on below' : ''}.`;
}

/** The reason why nobody could ask may be the person who must not know. */
function couldNotAsk({ content: { risk, contact } }: Referral): string | undefined {
  return risk === 'could_not_ask' && contact?.who_must_not_know !== undefined
    ? 'Whether anybody is at risk of serious harm could not be asked, and somebody must not know of the referral.'
    : undefined;
}

/** Nobody of the service knows how the patient is, and so a clinician has to see the letter. */
export function wasNotReached(
  referral: Referral,
  { purpose }: Pick<PracticeLetterOptions, 'purpose'>,
): boolean {
  return purpose === 'outcome' && referral.status_reason?.code === 'failed-contact' && mayWarn(referral);
}

/** Whether the letter must not calm its reader: there may be danger, or a safety note. */
export function needsClinician(referral: Referral, options: PracticeLetterOptions): boolean {
  return whyForClinician(referral, options).length > 0;
}

/** What “Safety and sharing” names again, in few words: the box has the whole. */
export function dangersInShort(referral: Referral, options: PracticeLetterOptions): string[] {
  const { risk, risk_acted_on } = referral.content;
  const crisis = lastCrisis(options);
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

/** With a code alone, and about a death or a mistake, the letter warns of nothing. */
export function mayWarn(referral: Referral): boolean {
  return (
    referral.status !== 'entered-in-error' && !isCodesOnly('gp_practice', referral) && !hasDied(referral)
  );
}
