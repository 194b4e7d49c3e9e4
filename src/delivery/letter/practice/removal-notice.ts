import { upperFirst } from '../../../platform/first-letter.ts';
import type { Referral, StatusReason } from '../../../referrals/index.ts';
import { isCodesOnly, type LetterFacts } from '../../model/delivery.ts';
import { type Code, declinedCode, referralCode } from '../codes.ts';
import type { LetterSources, Section, Task } from '../letter.ts';
import { lettersInShort, numberOfLetter, otherLetter } from '../letter-order.ts';
import { whoToTell } from '../whom-to-ask.ts';
import { isSameMoment, momentAsDay, momentWithTime, paragraphsOf } from '../words.ts';
import { headingStarts } from './headings.ts';
import { atOnce, clerkTask, clinicianTask, handOverTask, onceSeen } from './task.ts';

/** The step that takes a code out again: the line about the code gives its number. */
export const marksCodeAsError = 'mark it as entered in error';

/** What a practice does with a letter that it should not have. The notice has the same reference, so it names each letter in full. */
export function removalTasks(referral: Referral, options: LetterSources): Task[] {
  const { facts, purpose } = options;
  const letters = facts?.earlierLetters ?? [];
  const areMany = letters.length > 1;
  const toTell = whoToTell(referral, options);
  const code = codesToRemove(referral, options).length > 0;
  const isWrongPractice = purpose === 'removal';
  const right = keepRight(referral, options);
  const isShown = mayHaveAsked(referral, options);
  const details = [
    ...(letters.length > 0 && askedNothing(referral, options)
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
          giveBeforeRemoval(referral, options, areMany),
          clinicianTask(
            atOnce,
            `stop what our ${areMany ? 'letters' : 'letter'} asked for${unlessAskedTwice(referral, options)}${whatToStop(referral, options)}`,
            { details: `If it is done already, ring ${toTell}` },
          ),
        ]
      : []),
    clerkTask(
      isShown ? onceSeen : atOnce,
      `remove ${whatToRemove(referral, options, isWrongPractice ? 'wherever you put' : undefined)}${code ? codeOfRemoved(referral, options, areMany) : ''}`,
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
function whatToRemove(referral: Referral, options: LetterSources, wherever: string | undefined): string {
  const letters = (options.facts?.earlierLetters ?? []).map((each) => nameOfLetter(referral, options, each));
  const reference = `reference ${referral.reference}`;
  const from = (them: string) => `from ${wherever ? `${wherever} ${them}` : 'this patient’s record'}`;
  if (letters.length <= 1)
    return `our letter${letters.length === 0 ? '' : ` ${letters[0]}`}, ${reference}, ${from('it')}.`;
  const each = letters.map(
    (name, index) => `(${String.fromCodePoint(97 + index)}) ${/^\d/.test(name) ? 'letter ' : ''}${name}`,
  );
  return `our ${letters.length} letters, ${reference}, ${from('them')}: ${each.join('; ')}.`;
}

/** Where the line about the code says what to do with it, the step adds nothing. */
function codeOfRemoved(referral: Referral, options: LetterSources, areMany: boolean): string {
  return hasCodeOfOther(referral, options)
    ? ''
    : ` If you filed the code above from ${areMany ? 'them' : 'it'}, ${marksCodeAsError}.`;
}

export function isSentTwice(
  { status_reason: reason }: Referral,
  { purpose }: Pick<LetterSources, 'purpose'>,
): boolean {
  return purpose !== 'removal' && reason?.code === 'sent-twice';
}

/** Whether the other letter of a referral that was sent twice has the same code of the same day: a record with it once has it rightly. */
export function hasCodeOfOther(referral: Referral, options: LetterSources): boolean {
  const other = isSentTwice(referral, options) ? options.facts?.followedBy : undefined;
  return other?.madeAt !== undefined && momentAsDay(other.madeAt) === momentAsDay(referral.requested_at);
}

function unlessAskedTwice(referral: Referral, options: LetterSources): string {
  return isSentTwice(referral, options) && isListed(referral, options)
    ? ', unless the other letter asks for it too'
    : '';
}

/**
 * Whether an earlier letter may have asked for something. A practice that was named by mistake is told nothing about that, and neither
 * is one that had a code and no details: a task that is there or not would tell.
 */
function mayHaveAsked(referral: Referral, options: LetterSources): boolean {
  const { purpose, facts } = options;
  if (purpose === 'removal') return true;
  if (isCodesOnly('gp_practice', referral))
    return (facts?.earlierLetters ?? []).some(({ hadDetails }) => hadDetails);
  return tasksToStop(referral, options).length > 0;
}

/** What the earlier letters asked for. Those with a code alone asked for nothing. */
function tasksToStop({ content }: Referral, { facts }: LetterSources): string[] {
  const letters = (facts?.earlierLetters ?? []).filter(
    ({ version = 0 }) => version >= (content.full_copies_since ?? 0),
  );
  if (letters.length === 0) return [];
  const hadEnd = letters.some(({ purpose }) => purpose === 'outcome');
  return (content.gp_actions ?? [])
    .filter(({ asked_with, done_by_hand }) => !done_by_hand && (asked_with === 'referral' || hadEnd))
    .map(({ text }) => `“${paragraphsOf(text).join(' ')}”`);
}

/** Once the letter is gone, nobody finds what it asked for. Where the notice must not say whether it did, the clinician sees the letter too. */
function giveBeforeRemoval(referral: Referral, options: LetterSources, areMany: boolean): Task {
  const letters = isListed(referral, options) ? '' : ` and our ${areMany ? 'letters' : 'letter'}`;
  return handOverTask(atOnce, `this notice${letters} to a clinician, before you remove anything`);
}

/** Only where the notice may tell it. */
function isListed(referral: Referral, { purpose }: Pick<LetterSources, 'purpose'>): boolean {
  return purpose !== 'removal' && !isCodesOnly('gp_practice', referral);
}

/** The whole list, or where the notice must not have it, “if anything”. */
function whatToStop(referral: Referral, options: LetterSources): string {
  return isListed(referral, options) ? `: ${tasksToStop(referral, options).join('; ')}` : ', if anything.';
}

function askedNothing(referral: Referral, options: LetterSources): boolean {
  return isListed(referral, options) && tasksToStop(referral, options).length === 0;
}

/** “headed “Copy of a referral to Sarrowby Choir …”, of 21 November 2026 at 9:30am”. */
function nameOfLetter(
  referral: Referral,
  options: LetterSources,
  letter: LetterFacts['earlierLetters'][number],
): string {
  const title = titleOfLetter(referral, options.purpose === 'removal', letter);
  const number = numberOfLetter(options, letter.at);
  return `${number === undefined ? '' : `${number}, `}headed “${title}”, of ${momentWithTime(letter.at)}`;
}

/** With the service only where the earlier letter surely named it, and this notice may. */
function titleOfLetter(
  referral: Referral,
  isWrongPractice: boolean,
  { purpose, version = 0 }: LetterFacts['earlierLetters'][number],
): string {
  const { service, content, urgency } = referral;
  const hadCodesOnly = version < (content.full_copies_since ?? 0);
  if (isCodesOnly('gp_practice', referral) || hadCodesOnly)
    return `${headingStarts.code} – community service`;
  const copy = urgency === 'urgent' ? headingStarts.urgent : headingStarts.copy;
  const start = purpose === 'outcome' ? headingStarts.outcome : copy;
  if (isWrongPractice) return start;
  return `${start} to ${service.name}`;
}

/** By number and words, so that they are found in the record. The message around the letter has none that a program could file. */
export function codesToRemove({ content }: Referral, { facts, purpose }: LetterSources): Code[] {
  const letters = facts?.earlierLetters ?? [];
  const brought = letters.some(({ at }) => facts?.codeSentAt && isSameMoment(at, facts.codeSentAt));
  // A practice that was named by mistake is told no more than what finds the letter.
  const mayHaveDeclined =
    letters.some((letter) => letter.purpose === 'outcome') &&
    (purpose === 'removal' || content.declines_social_prescribing === true);
  return [...(brought ? [referralCode] : []), ...(mayHaveDeclined ? [declinedCode] : [])];
}

const mistakes: Partial<Record<StatusReason['code'], string>> = {
  'wrong-service': 'another service was meant',
  'sent-twice': 'it was sent twice',
};

/** “Other” is often a wrong birth date, and then a right referral follows. */
function whyWithdrawn(
  { status_reason: reason, reference }: Referral,
  options: Pick<LetterSources, 'facts' | 'series'>,
): string {
  const { facts } = options;
  const right = facts?.followedBy;
  const isTwice = reason?.code === 'sent-twice';
  const keep =
    right &&
    ` ${upperFirst(otherLetter(right))}, ${isTwice ? 'is about the same referral' : 'has the right details'}: keep that one.`;
  const what = `What ${earlierInWords(options)} says`;
  if (reason?.code === 'wrong-person')
    return `The referral should not have been made: another person was meant. ${what} is not about this patient.`;
  const mistake = reason && mistakes[reason.code];
  if (mistake) return `The referral should not have been made: ${mistake}.${keep ?? ''}`;
  return `The referral was withdrawn because of a mistake in it. ${what} may be wrong, or not about this patient.${keep ?? ` Another letter with the right details may follow, and names this reference, ${reference}: keep that one.`}`;
}

/** A clerk who removes one letter of two must not remove the other. */
function keepRight(referral: Referral, options: LetterSources): Task[] {
  const { status_reason: reason } = referral;
  const { facts, purpose } = options;
  const right = facts?.followedBy;
  if (purpose === 'removal' || reason?.code === 'wrong-person') return [];
  if (right && isSentTwice(referral, options)) {
    const code = hasCodeOfOther(referral, options) ? '' : ', and the code filed from it';
    return [clerkTask(undefined, `keep ${otherLetter(right)}${code}: it is about the same referral.`)];
  }
  if (right)
    return [
      clerkTask(
        undefined,
        `keep ${otherLetter(right)}, and the code filed from it: it has the right details.`,
      ),
    ];
  return isSentTwice(referral, options)
    ? [
        clerkTask(
          undefined,
          'keep the other letter about it, which has another reference, and the code filed from that letter.',
        ),
      ]
    : [];
}

/** “our letter 1”: the step that removes it has its date. */
function earlierInWords({ facts, series }: Pick<LetterSources, 'facts' | 'series'>): string {
  const letters = facts?.earlierLetters ?? [];
  return letters.length === 1 ? lettersInShort({ series }, [letters[0]!.at]) : 'each of our earlier letters';
}

export function removalSummary(
  referral: Referral,
  options: Pick<LetterSources, 'purpose' | 'facts' | 'series'>,
): Section {
  const words =
    options.purpose === 'removal'
      ? `${upperFirst(earlierInWords(options))} was for another GP practice: your practice was named by mistake, and that has been put right.`
      : whyWithdrawn(referral, options);
  return { heading: 'Summary', paragraphs: [words] };
}
