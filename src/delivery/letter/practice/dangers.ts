import { mentionsCrisis } from '../../../library/index.ts';
import {
  carerForPractice,
  partsWithCrisis,
  type Referral,
  somebodyAtRisk,
} from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { hasDied } from '../codes.ts';
import type { BoxLine, PracticeLetterOptions, Task } from '../letter.ts';
import { referrerTelephone, ringInShort, telephoneOf } from '../whom-to-ask.ts';
import { inWordsForPractice, momentAsDay, paragraphsOf, unbroken } from '../words.ts';
import { contactForPractice, isChildAt } from './patient-lines.ts';
import { wordsOfReading } from './what-was-said.ts';

/**
 * What nobody may leave for tomorrow, as numbered steps: who opens the post is seldom who can judge it. The person who reported a crisis
 * is rung before the patient.
 */
export function clinicianTasks(referral: Referral, options: PracticeLetterOptions, kind: BoxLine): Task[] {
  const isOpenDanger =
    options.purpose === 'referral' && mayWarn(referral) && dangers(referral, options).length > 0;
  if (kind !== 'to-read' && !isOpenDanger) return [];
  const crisis = lastCrisis(options);
  return [
    {
      text: `Clerk, ${crisis ? 'now' : 'today'}: give this letter to a clinician.`,
      ...(crisis && { details: 'Whenever you open it, also if the day of its date is past' }),
    },
    ...(crisis ? [ringAboutCrisis(referral, options)] : []),
    ...(isCrisisForServiceAlone(referral, options)
      ? [{ text: `Clinician, today: ${ringInShort(referral, options)} and ask about a possible crisis.` }]
      : []),
    {
      text: 'Clinician, today: read this letter, and decide what to do.',
      ...(kind === 'to-read' && { details: wordsOfReading(referral, options) }),
    },
  ];
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
  const parts = partsInLetter(referral, options);
  return [
    crisisReported(options),
    riskAtStart(referral),
    parts.length > 0
      ? `Read ${new Intl.ListFormat('en-GB').format(parts.map(inWordsForPractice))}: it may describe a crisis.`
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
    partsWithCrisis(referral.content, crisisPhrases).length > 0
  );
}

/** The parts of this letter that have words of a crisis. */
function partsInLetter(
  { content, outcome, status_reason }: Referral,
  { site: { crisisPhrases } }: PracticeLetterOptions,
): string[] {
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  const parts = partsWithCrisis(inPracticeLetter(content), crisisPhrases);
  return partsWithCrisis(end, crisisPhrases).length > 0 ? [...parts, 'the summary'] : parts;
}

/** A safety note that was shared with the practice. A long one is cut: it is whole under “Safety and sharing”. */
export function noteWarnings({ content: { safety_notes, safety_notes_for_practice } }: Referral): string[] {
  const note = safety_notes_for_practice ? paragraphsOf(safety_notes).join(' ') : '';
  if (note === '') return [];
  const isLong = note.length > 200;
  return [`Safety note: ${isLong ? `${note.slice(0, 180)}… See “Safety and sharing”.` : note}`];
}

/** The last news in which somebody used words of a crisis. */
export function lastCrisis({ facts, site }: PracticeLetterOptions) {
  return facts?.reported?.findLast(({ text }) => mentionsCrisis(text, site.crisisPhrases));
}

/** What was told is not in the letter, so it says who knows it, and that nobody may have acted. */
function crisisReported(options: PracticeLetterOptions): string | undefined {
  const crisis = lastCrisis(options);
  if (crisis === undefined) return undefined;
  const role =
    crisis.side === undefined
      ? ''
      : ` (${crisis.side === 'provider' ? 'the service' : 'the referrer’s side'})`;
  const by = crisis.by === undefined ? '' : ` by ${crisis.by}${role}`;
  return `CRISIS reported on ${momentAsDay(crisis.at)}${by}. We do not know that anybody has acted.`;
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
  return {
    text: `Clinician, now: ${ring}, and ask what has happened.`,
    details: `${contact?.safe === 'no' ? '' : `${thePatient} `}If somebody is in danger now, call 999`,
  };
}

/** Nobody reads “No action needed” about somebody who was at risk of serious harm, also where the practice is asked for nothing. */
export function riskAtStart({
  content: { risk, risk_acted_on: told, referrer },
}: Referral): string | undefined {
  const whoWasTold =
    told &&
    `Told on ${momentAsDay(told.when)}: ${told.who_was_told.replace(/\.$/, '')}. What they did is not known here.`;
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
