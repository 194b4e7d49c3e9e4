import { upperFirst } from '../../../platform/first-letter.ts';
import type { StatusReason } from '../../../referrals/index.ts';
import type { LetterFacts } from '../../model/delivery.ts';
import { type Code, declinedCode, referralCode } from '../codes.ts';
import type { Section, Task } from '../letter.ts';
import { lettersInShort, numberOfLetter, otherLetter } from '../letter-order.ts';
import { whoToTell } from '../whom-to-ask.ts';
import { isSameMoment, momentAsDay, momentWithTime, paragraphsOf } from '../words.ts';
import { headingStarts } from './headings.ts';
import type { PreparedLetter } from './prepare-letter.ts';
import { atOnce, clerkTask, clinicianTask, handOverTask, onceSeen } from './tasks/task.ts';

/** Words of the step that removes a code. The line about the code looks for them, to give the number of the step. */
export const marksCodeAsError = 'mark it as entered in error';

/** How a practice removes letters that it should not have. The notice has the same reference as they have, so it names each in full. */
export function removalTasks(letter: PreparedLetter): Task[] {
  const letters = letter.earlierLetters;
  const areMany = letters.length > 1;
  const toTell = whoToTell(letter);
  const code = codesToRemove(letter).length > 0;
  const isWrongPractice = letter.purpose === 'removal';
  const right = keepOtherLetterTasks(letter);
  const isShown = mayHaveAsked(letter);
  const details = [
    ...(letters.length > 0 && surelyAskedNothing(letter)
      ? [`${areMany ? 'They' : 'It'} asked you for nothing`]
      : []),
    ...(code && right.length === 0 ? ['The same code from any other letter stays'] : []),
  ].join('. ');
  return [
    ...(isWrongPractice
      ? [
          clerkTask(
            'first',
            `is the patient registered with you? YES: keep the letter, ring ${toTell} now, and stop here. NO: go to step 2.`,
          ),
        ]
      : []),
    ...(isShown
      ? [
          handOverBeforeRemoval(letter, areMany),
          clinicianTask(
            atOnce,
            `stop what our ${areMany ? 'letters' : 'letter'} asked for${exceptionIfSentTwice(letter)}${tasksToStopInWords(letter)}`,
            { details: `If it is done already, ring ${toTell}` },
          ),
        ]
      : []),
    clerkTask(
      isShown ? onceSeen : atOnce,
      `remove ${whatToRemove(letter, isWrongPractice ? 'wherever you put' : undefined)}${code ? removeCodeInWords(letter, areMany) : ''}`,
      details ? { details } : {},
    ),
    ...right,
    clerkTask(
      isShown || right.length > 0 ? 'once all steps are done' : 'once this is done',
      `confirm it to ${toTell}. Keep this notice with your information governance papers, not in a patient’s record.`,
    ),
  ];
}

/** Several letters are marked (a) and (b), because readers would confuse their numbers with those of the steps. */
function whatToRemove(letter: PreparedLetter, wherever: string | undefined): string {
  const letters = letter.earlierLetters.map((each) => nameOfLetter(letter, each));
  const reference = `reference ${letter.referral.reference}`;
  const from = (them: string) => `from ${wherever ? `${wherever} ${them}` : 'this patient’s record'}`;
  if (letters.length <= 1)
    return `our letter${letters.length === 0 ? '' : ` ${letters[0]}`}, ${reference}, ${from('it')}.`;
  const each = letters.map(
    (name, index) => `(${String.fromCodePoint(97 + index)}) ${/^\d/.test(name) ? 'letter ' : ''}${name}`,
  );
  return `our ${letters.length} letters, ${reference}, ${from('them')}: ${each.join('; ')}.`;
}

/** What the step says about the code, unless the line about the code says it. */
function removeCodeInWords(letter: PreparedLetter, areMany: boolean): string {
  return hasCodeOfOther(letter)
    ? ''
    : ` If you filed the code above from ${areMany ? 'them' : 'it'}, ${marksCodeAsError}.`;
}

/** Whether the mistake is that the referral was sent twice. */
export function isSentTwice({ referral, purpose }: PreparedLetter): boolean {
  return purpose !== 'removal' && referral.status_reason?.code === 'sent-twice';
}

/** For a referral that was sent twice: whether the other letter has the same code with the same date. Then the record keeps it once. */
export function hasCodeOfOther(letter: PreparedLetter): boolean {
  const other = isSentTwice(letter) ? letter.facts?.followedBy : undefined;
  return (
    other?.madeAt !== undefined && momentAsDay(other.madeAt) === momentAsDay(letter.referral.requested_at)
  );
}

function exceptionIfSentTwice(letter: PreparedLetter): string {
  return isSentTwice(letter) && mayListTasks(letter) ? ', unless the other letter asks for it too' : '';
}

/**
 * Whether an earlier letter may have asked for something. A practice that was named by mistake, or had a code alone, must not learn
 * whether it did. So those get the step to stop it in any case.
 */
function mayHaveAsked(letter: PreparedLetter): boolean {
  if (letter.purpose === 'removal') return true;
  if (letter.isCodesOnly) return letter.earlierLetters.some(({ hadDetails }) => hadDetails);
  return tasksToStop(letter).length > 0;
}

/** What the earlier letters asked for, each in quotation marks. */
function tasksToStop(letter: PreparedLetter): string[] {
  const letters = letter.earlierFullLetters;
  if (letters.length === 0) return [];
  const hadEnd = letters.some(({ purpose }) => purpose === 'outcome');
  return (letter.referral.content.gp_actions ?? [])
    .filter(({ asked_with, done_by_hand }) => !done_by_hand && (asked_with === 'referral' || hadEnd))
    .map(({ text }) => `“${paragraphsOf(text).join(' ')}”`);
}

/** A clinician sees the notice before the letter is removed, and the letter too if the notice must not say what it asked for. */
function handOverBeforeRemoval(letter: PreparedLetter, areMany: boolean): Task {
  const letters = mayListTasks(letter) ? '' : ` and our ${areMany ? 'letters' : 'letter'}`;
  return handOverTask(atOnce, `this notice${letters} to a clinician, before you remove anything`);
}

/** Whether the notice may say what the earlier letters asked for. */
function mayListTasks({ purpose, isCodesOnly }: PreparedLetter): boolean {
  return purpose !== 'removal' && !isCodesOnly;
}

/** All that the earlier letters asked for, or “if anything” if the notice must not say it. */
function tasksToStopInWords(letter: PreparedLetter): string {
  return mayListTasks(letter) ? `: ${tasksToStop(letter).join('; ')}` : ', if anything.';
}

function surelyAskedNothing(letter: PreparedLetter): boolean {
  return mayListTasks(letter) && tasksToStop(letter).length === 0;
}

/** “1, headed “Copy of a referral to Sarrowby Choir …”, of 21 November 2026 at 9:30am” */
function nameOfLetter(letter: PreparedLetter, earlier: EarlierLetter): string {
  const number = numberOfLetter(letter, earlier.at);
  return `${number === undefined ? '' : `${number}, `}headed “${titleOfLetter(letter, earlier)}”, of ${momentWithTime(earlier.at)}`;
}

type EarlierLetter = LetterFacts['earlierLetters'][number];

/** It names the service only if the earlier letter certainly did, and this notice may. */
function titleOfLetter(letter: PreparedLetter, earlier: EarlierLetter): string {
  const { service, urgency } = letter.referral;
  const hadCodesOnly = !letter.earlierFullLetters.includes(earlier);
  if (letter.isCodesOnly || hadCodesOnly) return `${headingStarts.code} – community service`;
  const referralStart = urgency === 'urgent' ? headingStarts.urgent : headingStarts.referral;
  const start = earlier.purpose === 'outcome' ? headingStarts.outcome : referralStart;
  return letter.purpose === 'removal' ? start : `${start} to ${service.name}`;
}

/** The codes of the earlier letters. The message around the notice carries no code, so no program files one. */
export function codesToRemove(letter: PreparedLetter): Code[] {
  const { referral, facts, purpose, earlierLetters } = letter;
  const brought = earlierLetters.some(({ at }) => facts?.codeSentAt && isSameMoment(at, facts.codeSentAt));
  // A practice that was named by mistake learns only what it needs to find the letter.
  const mayHaveDeclined =
    earlierLetters.some((each) => each.purpose === 'outcome') &&
    (purpose === 'removal' || referral.content.declines_social_prescribing === true);
  return [...(brought ? [referralCode] : []), ...(mayHaveDeclined ? [declinedCode] : [])];
}

const mistakes: Partial<Record<StatusReason['code'], string>> = {
  'wrong-service': 'another service was meant',
  'sent-twice': 'it was sent twice',
};

/** “Another reason” is often a wrong date of birth. Then a referral with the right one follows. */
function whyWithdrawn(letter: PreparedLetter): string {
  const { status_reason: reason, reference } = letter.referral;
  const right = letter.facts?.followedBy;
  const isTwice = reason?.code === 'sent-twice';
  const keep =
    right &&
    ` ${upperFirst(otherLetter(right))}, ${isTwice ? 'is about the same referral' : 'has the right details'}: keep that one.`;
  const what = `What ${earlierInWords(letter)} says`;
  if (reason?.code === 'wrong-person')
    return `The referral should not have been made: another person was meant. ${what} is not about this patient.`;
  const mistake = reason && mistakes[reason.code];
  if (mistake) return `The referral should not have been made: ${mistake}.${keep ?? ''}`;
  return `The referral was withdrawn because of a mistake in it. ${what} may be wrong, or not about this patient.${keep ?? ` Another letter with the right details may follow, and names this reference, ${reference}: keep that one.`}`;
}

/** If another letter is the right one, a clerk must not remove both. */
function keepOtherLetterTasks(letter: PreparedLetter): Task[] {
  const { status_reason: reason } = letter.referral;
  const { facts, purpose } = letter;
  const right = facts?.followedBy;
  if (purpose === 'removal' || reason?.code === 'wrong-person') return [];
  if (right && isSentTwice(letter)) {
    const code = hasCodeOfOther(letter) ? '' : ', and the code filed from it';
    return [clerkTask(undefined, `keep ${otherLetter(right)}${code}: it is about the same referral.`)];
  }
  if (right)
    return [
      clerkTask(
        undefined,
        `keep ${otherLetter(right)}, and the code filed from it: it has the right details.`,
      ),
    ];
  return isSentTwice(letter)
    ? [
        clerkTask(
          undefined,
          'keep the other letter about it, which has another reference, and the code filed from that letter.',
        ),
      ]
    : [];
}

/** “our letter 1”. The step that removes it gives the date. */
function earlierInWords(letter: PreparedLetter): string {
  const [first, ...others] = letter.earlierLetters;
  return first && others.length === 0 ? lettersInShort(letter, [first.at]) : 'each of our earlier letters';
}

/** Why the practice has to remove the letters. */
export function removalSummary(letter: PreparedLetter): Section {
  const words =
    letter.purpose === 'removal'
      ? `${upperFirst(earlierInWords(letter))} was for another GP practice: your practice was named by mistake, and that has been put right.`
      : whyWithdrawn(letter);
  return { heading: 'Summary', paragraphs: [words] };
}
