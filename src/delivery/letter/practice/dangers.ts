import {
  type CrisisWords,
  carerForPractice,
  crisisWordsIn,
  type Referral,
  somebodyAtRisk,
  whatWasDoneIsNotKnown,
} from '../../../referrals/index.ts';
import { referrerTelephone } from '../whom-to-ask.ts';
import { cutAtSentence, inWordsForPractice, momentAsDay, paragraphsOf, unbroken } from '../words.ts';
import { askBeforeContact, asksAboutCrisis, asksAboutRisk } from './ask-first.ts';
import { howToContact, isContactLimited } from './contact-in-words.ts';
import type { PracticeLetter } from './prepare-letter.ts';

/** The whole of a longer reason stands below the box. */
export const maxReasonLengthInBox = 240;

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
export function hasContactLimits(letter: PracticeLetter): boolean {
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
export function isCrisisForServiceAlone(letter: PracticeLetter): boolean {
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
export function partsInLetter(letter: PracticeLetter): CrisisWords[] {
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
