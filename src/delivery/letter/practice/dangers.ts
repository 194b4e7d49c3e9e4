import {
  type CrisisWords,
  carerForPractice,
  crisisWordsIn,
  type Referral,
  somebodyAtRisk,
  whatWasDoneIsNotKnown,
} from '../../../referrals/index.ts';
import { referrerTelephone } from '../whom-to-ask.ts';
import { cutAtSentence, inWordsForPractice, momentAsDay, paragraphsOf, withoutLineBreaks } from '../words.ts';
import { mustAskAboutCrisis, mustAskAboutRisk, whomToAskIfAnswersDiffer } from './ask-first.ts';
import { howToContact, isContactLimited } from './contact-in-words.ts';
import type { PreparedLetter } from './prepare-letter.ts';

/** The whole of a longer reason stands below the box. */
export const maxReasonLengthInBox = 240;

/**
 * Why a clinician must read the letter. Only letters about danger ask for it: if every letter did, practices would soon stop reading them.
 */
export function whyForClinician(letter: PreparedLetter): string[] {
  return [...dangers(letter), ...noteWarnings(letter)];
}

/** What may be a danger to somebody, each in one or more sentences. */
export function dangers(letter: PreparedLetter): string[] {
  const all = crisisParts(letter);
  // The heading and a step of their own have the words of what is asked.
  const actionTexts = letter.actions.map(({ text }) => paragraphsOf(text).join(' '));
  const beyondActions = all.filter((each) => !actionTexts.some((text) => text.includes(each.words)));
  const parts = [...new Set(beyondActions.map(({ part }) => inWordsForPractice(part)))];
  const words = [...new Set(beyondActions.map((each) => `“${each.words}”`))];
  const goesOn = beyondActions.some((each) => each.goesOn) ? ', which goes on below' : '';
  // Who was told comes last.
  return [
    ...crisisWarnings(letter),
    parts.length > 0
      ? `${words.join('; ')} – from ${new Intl.ListFormat('en-GB').format(parts)}${goesOn}. It may describe a crisis.`
      : all.length > 0
        ? 'What you are asked to do may describe a crisis.'
        : undefined,
    all.length > 0 ? howToReach(letter) : reasonIfAtRisk(letter),
    riskWarning(letter),
    warningIfNobodyCouldAsk(letter),
    isCrisisForServiceAlone(letter)
      ? 'A part that was written for the service alone has words of a crisis. We are not allowed to repeat them here.'
      : undefined,
  ].filter((each) => each !== undefined);
}

/**
 * How to reach the patient, beside words of a crisis. Undefined if the contact limits say it: if it stood twice, a reader might miss
 * whom to ask first.
 */
export function howToReach(letter: PreparedLetter): string | undefined {
  const { patient, referrer } = letter.referral.content;
  if (hasContactLimits(letter)) return undefined;
  const number = withoutLineBreaks(patient.telephone);
  const instead = referrerTelephone(letter.referral, letter.facts);
  const where =
    number ??
    `no telephone number is known here${instead ? `. Ring ${referrer.name}, who referred, ${instead}` : ''}`;
  // A task may have to be done on another day.
  const today = letter.actions.length > 0 ? '' : ' today';
  return `To reach the patient${today}: ${where}. ${howToContact(letter)}`;
}

/** Whether the box has a red line on how the patient may be contacted: `contactLimits` writes it. */
export function hasContactLimits(letter: PreparedLetter): boolean {
  return (
    letter.isContactUnsafe ||
    isContactLimited(letter) ||
    whomToAskIfAnswersDiffer(letter) !== undefined ||
    mustAskAboutRisk(letter) ||
    mustAskAboutCrisis(letter) ||
    letter.hasNewsToAsk
  );
}

/** Whether the box says, beside a danger, how to reach the patient. */
export function saysHowToReach(letter: PreparedLetter): boolean {
  return letter.crisis !== undefined || crisisParts(letter).length > 0;
}

/** Whether words of a crisis are only in parts of the referral that the practice does not read. */
export function isCrisisForServiceAlone(letter: PreparedLetter): boolean {
  const { crisisPhrases } = letter.site;
  return (
    crisisParts(letter).length === 0 &&
    crisisWordsIn(letter.referral.content, crisisPhrases).some(({ isDenied }) => !isDenied)
  );
}

/**
 * The parts of this letter that have words of a crisis, with those words, so that a clinician sees at once why the letter warns.
 * “She has no thoughts of harming herself” does not count.
 */
export function crisisParts(letter: PreparedLetter): CrisisWords[] {
  const { content, outcome, status_reason } = letter.referral;
  const { crisisPhrases } = letter.site;
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  return [
    ...crisisWordsIn(textsInPracticeLetter(content), crisisPhrases),
    ...crisisWordsIn(end, crisisPhrases).map((each) => ({ ...each, part: 'the summary' })),
  ].filter(({ isDenied }) => !isDenied);
}

/** In characters. A longer note stands below the box, and the box says so. */
const maxNoteLengthInBox = 600;

/** The safety note, if the practice may read it; otherwise “”. */
function noteForPractice({ referral }: PreparedLetter): string {
  const { safety_notes, safety_notes_for_practice } = referral.content;
  return safety_notes_for_practice ? paragraphsOf(safety_notes).join('\n') : '';
}

/** The safety note for the box, in full, or where to read it. */
export function noteWarnings(letter: PreparedLetter): string[] {
  const note = noteForPractice(letter);
  if (note === '') return [];
  return [
    note.length > maxNoteLengthInBox
      ? 'There is a safety note. Read it first: it is under “Safety and sharing”.'
      : `Safety note: ${note}`,
  ];
}

/** The safety note if the box does not have it; otherwise “”. */
export function noteBelowBox(letter: PreparedLetter): string {
  const note = noteForPractice(letter);
  return letter.mayWarn && note.length <= maxNoteLengthInBox ? '' : note;
}

/** That somebody reported a crisis. It quotes them only if the practice may read the safety note. */
function crisisWarnings(letter: PreparedLetter): string[] {
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

/** That somebody is at risk of serious harm, and who was told. Such a letter never says “No action asked for”. */
function riskWarning({ referral }: PreparedLetter): string | undefined {
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

/** The reason for referral, if somebody is at risk and no words of a crisis say how. Some readers read only the box. */
function reasonIfAtRisk(letter: PreparedLetter): string | undefined {
  return letter.referral.content.risk === 'yes' && letter.purpose === 'referral'
    ? reasonInBox(letter)
    : undefined;
}

/** “She cannot sleep.” – from the reason for referral. Undefined if there is no reason. */
export function reasonInBox({ referral }: PreparedLetter): string | undefined {
  const why = referral.content.reasons.flatMap(({ text }) => paragraphsOf(text)).join(' ');
  if (why === '') return undefined;
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  return `“${words}” – from the reason for referral${goesOn ? ', which goes on below' : ''}.`;
}

/** Perhaps nobody could ask about a risk because of the person who must not know. */
function warningIfNobodyCouldAsk({ referral }: PreparedLetter): string | undefined {
  const { risk, contact } = referral.content;
  return risk === 'could_not_ask' && contact?.who_must_not_know !== undefined
    ? 'Whether anybody is at risk of serious harm could not be asked, and somebody must not know of the referral.'
    : undefined;
}

/** Whether the service never reached the patient, and so cannot say how they are. A clinician has to see such a letter. */
export function nobodyReachedPatient({ referral, purpose, mayWarn }: PreparedLetter): boolean {
  return purpose === 'outcome' && referral.status_reason?.code === 'failed-contact' && mayWarn;
}

/** Whether the letter tells of a danger, or has a safety note. Then it must not sound reassuring. */
export function needsClinician(letter: PreparedLetter): boolean {
  return whyForClinician(letter).length > 0;
}

/** The dangers in a few words, for “Safety and sharing”. The box tells the whole. */
export function dangersInShort(letter: PreparedLetter): string[] {
  const { crisis, referral } = letter;
  const { risk, risk_acted_on } = referral.content;
  return [
    ...(crisis ? [`a crisis was reported on ${momentAsDay(crisis.at)}: see the box above`] : []),
    ...(risk === 'yes' ? ['somebody is at risk of serious harm: see the box above'] : []),
    ...(risk !== 'yes' && risk_acted_on ? ['somebody was told of a risk: see the box above'] : []),
  ];
}

/** The texts of a referral that a letter to the practice shows. */
function textsInPracticeLetter(content: Referral['content']): object {
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
