import { upperFirst } from '../../../platform/first-letter.ts';
import type { Referral, StatusReason } from '../../../referrals/index.ts';
import { isCodesOnly, type LetterFacts } from '../../model/delivery.ts';
import { type Code, declinedCode, referralCode } from '../codes.ts';
import type { LetterSources, Section, Task } from '../letter.ts';
import { lettersInShort, numberOfLetter, otherLetter } from '../letter-order.ts';
import { whoToTell } from '../whom-to-ask.ts';
import { isSameMoment, momentWithTime, paragraphsOf } from '../words.ts';
import { headingStarts } from './headings.ts';
import { atOnce, beforeRemoval, clerkTask, clinicianTask, handOverTask } from './task.ts';

/** The step that takes a code out again: the line about the code gives its number. */
export const marksCodeAsError = 'mark it as entered in error';

/** What a practice does with a letter that it should not have. The notice has the same reference, so it names each letter in full. */
export function removalTasks(referral: Referral, options: LetterSources): Task[] {
  const { facts, purpose } = options;
  const letters = facts?.earlierLetters ?? [];
  const areMany = letters.length > 1;
  const which = letters.map((letter) => nameOfLetter(referral, options, letter)).join(', and ');
  const toTell = whoToTell(referral, options);
  const code = codesToRemove(referral, options).length > 0;
  const isWrongPractice = purpose === 'removal';
  const right = keepRight(referral, options);
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
    ...(mayHaveAsked(referral, options)
      ? [
          giveBeforeRemoval(referral, options, areMany),
          clinicianTask(
            atOnce,
            `stop what our ${areMany ? 'letters' : 'letter'} asked for${whatToStop(referral, options)}`,
            { details: `If it is done already, ring ${toTell}` },
          ),
        ]
      : []),
    clerkTask(
      atOnce,
      `remove our ${areMany ? 'letters' : 'letter'}${which && ` ${which}`}, reference ${referral.reference}, from ${isWrongPractice ? `wherever you put ${areMany ? 'them' : 'it'}` : 'this patient’s record'}.${code ? ` If you filed the code above from ${areMany ? 'them' : 'it'}, ${marksCodeAsError}.` : ''}`,
      details ? { details } : {},
    ),
    ...right,
    clerkTask(
      mayHaveAsked(referral, options) || right.length > 0 ? 'once all steps are done' : 'once this is done',
      `confirm it to ${toTell}. Keep this notice with your information governance papers, not in a patient’s record.`,
    ),
  ];
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
  return handOverTask(beforeRemoval, `this notice${letters} to a clinician`);
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
  const keep = right && ` ${upperFirst(otherLetter(right))}, has the right details: keep that one.`;
  const what = `What ${earlierInWords(options)} says`;
  if (reason?.code === 'wrong-person')
    return `The referral should not have been made: another person was meant. ${what} is not about this patient.`;
  const mistake = reason && mistakes[reason.code];
  if (mistake) return `The referral should not have been made: ${mistake}.${keep ?? ''}`;
  return `The referral was withdrawn because of a mistake in it. ${what} may be wrong, or not about this patient.${keep ?? ` Another letter with the right details may follow, and names this reference, ${reference}: keep that one.`}`;
}

/** Who removes one letter of two must not remove the other. */
function keepRight({ status_reason: reason }: Referral, { facts, purpose }: LetterSources): Task[] {
  const right = facts?.followedBy;
  if (purpose === 'removal' || reason?.code === 'wrong-person') return [];
  if (right)
    return [
      clerkTask(
        undefined,
        `keep ${otherLetter(right)}, and the code filed from it: it has the right details.`,
      ),
    ];
  return reason?.code === 'sent-twice'
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
