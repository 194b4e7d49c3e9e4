import { mentionsCrisis } from '../../../library/index.ts';
import { localTime } from '../../../platform/clock/index.ts';
import {
  type CrisisWords,
  carerForPractice,
  crisisWordsIn,
  nextWorkingDay,
  type Referral,
  somebodyAtRisk,
  whatWasDone,
} from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { hasDied } from '../codes.ts';
import type { BoxLine, PracticeLetterOptions, Task } from '../letter.ts';
import { referrerTelephone, ringInShort, telephoneOf } from '../whom-to-ask.ts';
import { dayInWords, inWordsForPractice, momentAsDay, paragraphsOf, unbroken } from '../words.ts';
import { contactForPractice, isChildAt } from './patient-lines.ts';
import { actionsAsked, wordsOfReading } from './what-was-said.ts';

/**
 * What nobody may leave for tomorrow, as numbered steps: who opens the post is seldom who can judge it. The person who reported a crisis
 * is rung before the patient.
 */
export function clinicianTasks(referral: Referral, options: PracticeLetterOptions, kind: BoxLine): Task[] {
  const due = dueAtOnce(referral, options);
  if (kind !== 'to-read')
    return due === undefined
      ? []
      : [
          {
            text: 'Clerk, today: give this letter to a clinician.',
            details: `The first of what follows is to be done by ${dayInWords(due)}`,
          },
        ];
  const crisis = lastCrisis(options);
  return [
    {
      text: `Clerk, ${crisis ? 'now' : 'today'}: give this letter to a clinician.`,
      ...(crisis && { details: 'Do this whenever you open it, also on a later day' }),
    },
    ...(crisis ? [ringAboutCrisis(referral, options)] : []),
    ...(isCrisisForServiceAlone(referral, options)
      ? [{ text: `Clinician, today: ${ringInShort(referral, options)} and ask about a possible crisis.` }]
      : []),
    {
      text: 'Clinician, today: read this letter, and decide what to do.',
      // What somebody asked for follows as steps of their own.
      ...(actionsAsked(referral, options).length === 0 && { details: wordsOfReading(referral, options) }),
    },
  ];
}

/**
 * The first day of what is asked, if it is today or comes before the end of the next working day: a letter that waits in a queue for a day
 * would be too late.
 */
export function dueAtOnce(referral: Referral, options: PracticeLetterOptions): string | undefined {
  if (hasDied(referral)) return undefined;
  const { day } = localTime(options.date);
  const next = nextWorkingDay({ extraBankHolidays: [], ...options.site }, options.date);
  return actionsAsked(referral, options)
    .flatMap(({ by_date: by }) => (by !== undefined && by >= day.date && by <= next.date ? [by] : []))
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
  const found = partsInLetter(referral, options);
  const parts = [...new Set(found.map(({ part }) => inWordsForPractice(part)))];
  const words = [...new Set(found.map((each) => `“${each.words}”`))];
  return [
    ...crisisReported(referral, options),
    riskAtStart(referral),
    parts.length > 0
      ? `Read ${new Intl.ListFormat('en-GB').format(parts)}: it may describe a crisis. It says ${words.join('; ').replace(/(?<!\.”)$/, '.')}`
      : undefined,
    isCrisisForServiceAlone(referral, options)
      ? 'There may be a crisis that this letter does not describe: it was written for the service alone.'
      : undefined,
  ].filter((each) => each !== undefined);
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
 * harming herself”, which is written of nearly everybody who is low, does not.
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
export function lastCrisis({ facts, site }: PracticeLetterOptions) {
  return facts?.reported?.findLast(({ text }) => mentionsCrisis(text, site.crisisPhrases));
}

/**
 * That nobody may have acted, and what was told, where the patient’s safety note is shared with the practice as well. Elsewhere the letter
 * only says who knows it.
 */
function crisisReported(referral: Referral, options: PracticeLetterOptions): string[] {
  const crisis = lastCrisis(options);
  if (crisis === undefined) return [];
  const roles = { provider: ' (the service)', referrer: ' (for the referrer)' } as const;
  const isReferrer = crisis.side === 'referrer' && crisis.by === referral.content.referrer.name;
  const role = isReferrer ? ', who referred' : crisis.side === undefined ? '' : roles[crisis.side];
  const by = crisis.by === undefined ? '' : ` by ${crisis.by}${role}`;
  return [
    `CRISIS reported on ${momentAsDay(crisis.at)}${by}. We do not know that anybody has acted.`,
    referral.content.safety_notes_for_practice
      ? `What was reported: ${paragraphsOf(crisis.text).join(' ')}`
      : 'What was reported may not be written here.',
  ];
}

/** Who knows what was told, and whom to contact where nobody answers. */
function ringAboutCrisis(referral: Referral, options: PracticeLetterOptions): Task {
  const { facts } = options;
  const { contact, referrer, patient } = referral.content;
  const crisis = lastCrisis(options)!;
  const isOfService = crisis.side === 'provider';
  const who = crisis.by ?? (isOfService ? referral.service.name : referrer.name);
  const telephone = isOfService ? telephoneOf(facts) : referrerTelephone(referral, facts);
  const ring =
    crisis.side !== undefined && telephone !== undefined
      ? `ring ${who}, ${telephone}`
      : 'ring one of the numbers under “Questions”';
  const number = unbroken(patient.telephone);
  const whose = { isChild: isChildAt(referral, options), referrer: referrer.name };
  const thePatient = `If nobody answers, contact the patient${number ? `: ${number}` : ''}. ${contactForPractice(contact, whose)}`;
  const ifNobody =
    contact?.safe === 'no'
      ? 'If nobody answers: it is not safe to contact the patient. Act as for a patient in a crisis'
      : `${thePatient} If you reach nobody, act as for a patient in a crisis`;
  return {
    text: `Clinician, now: ${ring}, and ask what has happened.`,
    details: `${ifNobody}. If somebody may be in danger now, call 999`,
  };
}

/** Nobody reads “No action needed” about somebody who was at risk of serious harm, also where the practice is asked for nothing. */
export function riskAtStart({
  content: { risk, risk_acted_on: told, referrer },
}: Referral): string | undefined {
  const whoWasTold =
    told && `Told on ${momentAsDay(told.when)}: ${told.who_was_told.replace(/\.$/, '')}. ${whatWasDone}`;
  if (risk === 'yes')
    return `${somebodyAtRisk(referrer.name)} ${whoWasTold ?? 'It does not say who was told.'}`;
  return (
    whoWasTold &&
    `Nobody is said to be at risk of serious harm, and yet somebody was told of a risk. ${whoWasTold}`
  );
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
