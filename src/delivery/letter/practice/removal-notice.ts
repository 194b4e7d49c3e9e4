import { upperFirst } from '../../../platform/first-letter.ts';
import type { StatusReason } from '../../../referrals/index.ts';
import type { LetterFacts } from '../../model/delivery.ts';
import { type Code, declinedCode, referralCode } from '../codes.ts';
import type { Section, Task } from '../letter.ts';
import { lettersInShort, numberOfLetter, otherLetter } from '../letter-order.ts';
import { whoToTell } from '../whom-to-ask.ts';
import { isSameMoment, momentAsDay, momentWithTime, paragraphsOf } from '../words.ts';
import { headingStarts } from './headings.ts';
import type { PracticeLetter } from './prepare-letter.ts';
import { atOnce, clerkTask, clinicianTask, handOverTask, onceSeen } from './tasks/task.ts';

/** The step that takes a code out again: the line about the code gives its number. */
export const marksCodeAsError = 'mark it as entered in error';

/** What a practice does with a letter that it should not have. The notice has the same reference, so it names each letter in full. */
export function removalTasks(letter: PracticeLetter): Task[] {
  const letters = letter.earlierLetters;
  const areMany = letters.length > 1;
  const toTell = whoToTell(letter);
  const code = codesToRemove(letter).length > 0;
  const isWrongPractice = letter.purpose === 'removal';
  const right = keepRight(letter);
  const isShown = mayHaveAsked(letter);
  const details = [
    ...(letters.length > 0 && askedNothing(letter)
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
          giveBeforeRemoval(letter, areMany),
          clinicianTask(
            atOnce,
            `stop what our ${areMany ? 'letters' : 'letter'} asked for${unlessAskedTwice(letter)}${whatToStop(letter)}`,
            { details: `If it is done already, ring ${toTell}` },
          ),
        ]
      : []),
    clerkTask(
      isShown ? onceSeen : atOnce,
      `remove ${whatToRemove(letter, isWrongPractice ? 'wherever you put' : undefined)}${code ? codeOfRemoved(letter, areMany) : ''}`,
      details ? { details } : {},
    ),
    ...right,
    clerkTask(
      isShown || right.length > 0 ? 'once all steps are done' : 'once this is done',
      `confirm it to ${toTell}. Keep this notice with your information governance papers, not in a patient’s record.`,
    ),
  ];
}

/** Several are told apart by (a) and (b): their numbers beside the numbers of the steps are misread. */
function whatToRemove(letter: PracticeLetter, wherever: string | undefined): string {
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

/** Where the line about the code says what to do with it, the step adds nothing. */
function codeOfRemoved(letter: PracticeLetter, areMany: boolean): string {
  return hasCodeOfOther(letter)
    ? ''
    : ` If you filed the code above from ${areMany ? 'them' : 'it'}, ${marksCodeAsError}.`;
}

export function isSentTwice({ referral, purpose }: PracticeLetter): boolean {
  return purpose !== 'removal' && referral.status_reason?.code === 'sent-twice';
}

/** Whether the other letter of a referral that was sent twice has the same code of the same day: a record with it once has it rightly. */
export function hasCodeOfOther(letter: PracticeLetter): boolean {
  const other = isSentTwice(letter) ? letter.facts?.followedBy : undefined;
  return (
    other?.madeAt !== undefined && momentAsDay(other.madeAt) === momentAsDay(letter.referral.requested_at)
  );
}

function unlessAskedTwice(letter: PracticeLetter): string {
  return isSentTwice(letter) && isListed(letter) ? ', unless the other letter asks for it too' : '';
}

/**
 * Whether an earlier letter may have asked for something. A practice that was named by mistake is told nothing about that, and neither
 * is one that had a code and no details: a task that is there or not would tell.
 */
function mayHaveAsked(letter: PracticeLetter): boolean {
  if (letter.purpose === 'removal') return true;
  if (letter.isCodesOnly) return letter.earlierLetters.some(({ hadDetails }) => hadDetails);
  return tasksToStop(letter).length > 0;
}

/** What the earlier letters asked for. Those with a code alone asked for nothing. */
function tasksToStop(letter: PracticeLetter): string[] {
  const letters = letter.earlierFullLetters;
  if (letters.length === 0) return [];
  const hadEnd = letters.some(({ purpose }) => purpose === 'outcome');
  return (letter.referral.content.gp_actions ?? [])
    .filter(({ asked_with, done_by_hand }) => !done_by_hand && (asked_with === 'referral' || hadEnd))
    .map(({ text }) => `“${paragraphsOf(text).join(' ')}”`);
}

/** Once the letter is gone, nobody finds what it asked for. Where the notice must not say whether it did, the clinician sees the letter too. */
function giveBeforeRemoval(letter: PracticeLetter, areMany: boolean): Task {
  const letters = isListed(letter) ? '' : ` and our ${areMany ? 'letters' : 'letter'}`;
  return handOverTask(atOnce, `this notice${letters} to a clinician, before you remove anything`);
}

/** Only where the notice may tell it. */
function isListed({ purpose, isCodesOnly }: PracticeLetter): boolean {
  return purpose !== 'removal' && !isCodesOnly;
}

/** The whole list, or where the notice must not have it, “if anything”. */
function whatToStop(letter: PracticeLetter): string {
  return isListed(letter) ? `: ${tasksToStop(letter).join('; ')}` : ', if anything.';
}

function askedNothing(letter: PracticeLetter): boolean {
  return isListed(letter) && tasksToStop(letter).length === 0;
}

/** “headed “Copy of a referral to Sarrowby Choir …”, of 21 November 2026 at 9:30am”. */
function nameOfLetter(letter: PracticeLetter, earlier: EarlierLetter): string {
  const number = numberOfLetter(letter, earlier.at);
  return `${number === undefined ? '' : `${number}, `}headed “${titleOfLetter(letter, earlier)}”, of ${momentWithTime(earlier.at)}`;
}

type EarlierLetter = LetterFacts['earlierLetters'][number];

/** With the service only where the earlier letter surely named it, and this notice may. */
function titleOfLetter(letter: PracticeLetter, earlier: EarlierLetter): string {
  const { service, urgency } = letter.referral;
  const hadCodesOnly = !letter.earlierFullLetters.includes(earlier);
  if (letter.isCodesOnly || hadCodesOnly) return `${headingStarts.code} – community service`;
  const copy = urgency === 'urgent' ? headingStarts.urgent : headingStarts.copy;
  const start = earlier.purpose === 'outcome' ? headingStarts.outcome : copy;
  return letter.purpose === 'removal' ? start : `${start} to ${service.name}`;
}

/** By number and words, so that they are found in the record. The message around the letter has none that a program could file. */
export function codesToRemove(letter: PracticeLetter): Code[] {
  const { referral, facts, purpose, earlierLetters } = letter;
  const brought = earlierLetters.some(({ at }) => facts?.codeSentAt && isSameMoment(at, facts.codeSentAt));
  // A practice that was named by mistake is told no more than what finds the letter.
  const mayHaveDeclined =
    earlierLetters.some((each) => each.purpose === 'outcome') &&
    (purpose === 'removal' || referral.content.declines_social_prescribing === true);
  return [...(brought ? [referralCode] : []), ...(mayHaveDeclined ? [declinedCode] : [])];
}

const mistakes: Partial<Record<StatusReason['code'], string>> = {
  'wrong-service': 'another service was meant',
  'sent-twice': 'it was sent twice',
};

/** “Other” is often a wrong birth date, and then a right referral follows. */
function whyWithdrawn(letter: PracticeLetter): string {
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

/** A clerk who removes one letter of two must not remove the other. */
function keepRight(letter: PracticeLetter): Task[] {
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

/** “our letter 1”: the step that removes it has its date. */
function earlierInWords(letter: PracticeLetter): string {
  const [first, ...others] = letter.earlierLetters;
  return first && others.length === 0 ? lettersInShort(letter, [first.at]) : 'each of our earlier letters';
}

export function removalSummary(letter: PracticeLetter): Section {
  const words =
    letter.purpose === 'removal'
      ? `${upperFirst(earlierInWords(letter))} was for another GP practice: your practice was named by mistake, and that has been put right.`
      : whyWithdrawn(letter);
  return { heading: 'Summary', paragraphs: [words] };
}
