import { upperFirst } from '../../platform/first-letter.ts';
import type { Referral } from '../../referrals/index.ts';
import { isCodesOnly } from '../model/delivery.ts';
import { type Letter, type LetterInput, type PracticeLetterInput, saidDeathByMistake } from './letter.ts';
import { requestedActions } from './practice/prepare-letter.ts';
import { isSameMoment, momentWithTime } from './words.ts';

type OrderOptions = Pick<LetterInput, 'leg' | 'purpose' | 'replacesLetterOf' | 'series'> & {
  facts?: PracticeLetterInput['facts'];
};

/**
 * The number of this letter, and what to do with the earlier ones. A reader who gets three in a week cannot tell by their dates which
 * one is valid. Undefined where somebody reads on the site what the letter would say.
 */
export function orderOf(referral: Referral, options: OrderOptions): Letter['order'] {
  const { series } = options;
  if (!series) return undefined;
  const words = `Letter ${series.number} to you about this referral. ${wordsAboutEarlier(referral, options)}`;
  return { number: series.number, words };
}

function wordsAboutEarlier(referral: Referral, options: OrderOptions): string {
  const { purpose, leg } = options;
  const earlier = numberedEarlier(options);
  const valid = earlier.filter(({ isWithdrawn }) => !isWithdrawn);
  const withdrawn = 'facts' in options ? options.facts?.withdrawnBefore : undefined;
  if (earlier.length === 0)
    return withdrawn
      ? `It takes the place of ${otherLetter(withdrawn)}, which we withdrew.`
      : 'It replaces no other letter.';
  if (valid.length === 0)
    return `Go by this one. ${upperFirst(lettersWithDates(earlier))}, no longer ${holds(earlier)}.`;
  if (purpose === 'removal' || referral.status === 'entered-in-error')
    return `It withdraws ${lettersWithDates(valid)}.`;
  if (leg === 'service' && purpose === 'outcome')
    return `${upperFirst(lettersByNumber(valid))} no longer ${valid.length === 1 ? 'applies' : 'apply'}.`;
  const hadDetails = valid.filter(({ at }) => mustBeRestricted(referral, options, at));
  if (hadDetails.length > 0) return `What to do with ${lettersByNumber(hadDetails)} is in the box.`;
  const replaced = replacedLetter(options);
  const kept = valid.findLast((each) => each.purpose !== purpose);
  return [
    ...(replaced || !kept
      ? [
          `It replaces ${replaced ? letterInWords(replaced) : 'nothing'}.${sentenceAboutTasks(referral, replaced, options)}`,
        ]
      : []),
    ...(kept
      ? [
          `${upperFirst(letterInWords(kept))}, ${wordsAboutKept(referral, kept, options)}${sentenceAboutTasks(referral, kept, options)}`,
        ]
      : []),
  ].join(' ');
}

/** “stays on file; this one is newer.” A letter that said by mistake that the person has died must not stay on file. */
function wordsAboutKept(referral: Referral, { at, purpose }: NumberedLetter, { leg }: OrderOptions): string {
  const isWrong = purpose === 'outcome' && !isCodesOnly(leg, referral) && saidDeathByMistake(referral, at);
  if (!isWrong) return 'stays on file; this one is newer.';
  return leg === 'service' ? 'was wrong: the person is alive.' : 'was wrong.';
}

/** That the box repeats what an earlier letter asked and is still to do, so that nobody looks for that letter. */
function sentenceAboutTasks(
  referral: Referral,
  letter: NumberedLetter | undefined,
  { leg, purpose, facts }: OrderOptions,
): string {
  const earlierLetter = facts?.earlierLetters.find(({ at }) => letter && isSameMoment(at, letter.at));
  if (leg === 'service' || earlierLetter?.purpose !== 'referral' || isCodesOnly(leg, referral)) return '';
  if ((earlierLetter.version ?? 0) < (referral.content.full_copies_since ?? 0)) return '';
  const isOpen = requestedActions(referral, { purpose, facts }).some(
    ({ asked_with }) => asked_with === 'referral',
  );
  return isOpen ? ` What letter ${letter!.number} asked, and is still to do, is in the box.` : '';
}

/** Whether that letter has details, but the patient now agrees to a code alone. */
function mustBeRestricted(referral: Referral, { leg, facts }: OrderOptions, at: string): boolean {
  if (!isCodesOnly(leg, referral)) return false;
  return (facts?.earlierLetters ?? []).some((each) => each.hadDetails && isSameMoment(each.at, at));
}

type NumberedLetter = NonNullable<LetterInput['series']>['earlier'][number] & { number: number };

function numberedEarlier({ series }: Pick<OrderOptions, 'series'>): NumberedLetter[] {
  return (series?.earlier ?? []).map((each, index) => ({ ...each, number: index + 1 }));
}

function replacedLetter({ replacesLetterOf, purpose, series }: OrderOptions): NumberedLetter | undefined {
  if (!replacesLetterOf) return undefined;
  return numberedEarlier({ series }).findLast(
    (each) => each.purpose === purpose && isSameMoment(each.at, replacesLetterOf),
  );
}

function letterOfMoment(
  { series }: Pick<OrderOptions, 'series'>,
  at: Date | string,
): NumberedLetter | undefined {
  return numberedEarlier({ series }).findLast((each) => isSameMoment(each.at, at));
}

/** The letter of each moment, in their order. Two letters of the same moment are found one after the other. */
function lettersOfMoments(
  { series }: Pick<OrderOptions, 'series'>,
  moments: readonly (Date | string)[],
): (NumberedLetter | undefined)[] {
  const left = numberedEarlier({ series });
  return moments
    .toReversed()
    .map((at) => {
      const index = left.findLastIndex((each) => isSameMoment(each.at, at));
      return index === -1 ? undefined : left.splice(index, 1)[0];
    })
    .toReversed();
}

/** Undefined if this reader got no letter at that moment. */
export function numberOfLetter(options: Pick<OrderOptions, 'series'>, at: Date | string): number | undefined {
  return letterOfMoment(options, at)?.number;
}

/** “letter 1, of 21 November 2026 at 9:30am” */
function letterInWords({ number, at }: NumberedLetter): string {
  return `letter ${number}, of ${momentWithTime(at)}`;
}

/** “letter 1, of 21 November 2026 at 9:30am, and letter 2, of 23 November 2026 at 10:00am” */
function lettersWithDates(letters: readonly NumberedLetter[]): string {
  return letters.map(letterInWords).join(', and ');
}

/** “letters 1 and 2” */
function lettersByNumber(letters: readonly NumberedLetter[]): string {
  const numbers = new Intl.ListFormat('en-GB').format(letters.map(({ number }) => `${number}`));
  return `${letters.length === 1 ? 'letter' : 'letters'} ${numbers}`;
}

function holds({ length }: readonly NumberedLetter[]): string {
  return length === 1 ? 'holds' : 'hold';
}

/** “our letter of 21 November 2026 at 9:30am, reference 7K3QF-XW29D”: a letter about another referral has no number here. */
export function otherLetter({ at, reference }: { at: string; reference: string }): string {
  return `our letter of ${momentWithTime(at)}, reference ${reference}`;
}

/** “our letter 1, of 21 November 2026 at 9:30am”, without the number if that is not known. */
export function ourLetter(options: Pick<OrderOptions, 'series'>, at: Date | string): string {
  const numbered = letterOfMoment(options, at);
  return numbered ? `our ${letterInWords(numbered)}` : `our letter of ${momentWithTime(at)}`;
}

/**
 * “our letter 1 (same reference)”: a clerk finds it by its number and reference, which stand in each letter. Another referral of the
 * patient has a letter 1, too. Without numbers, it gives the dates.
 */
export function lettersToFind(
  options: Pick<OrderOptions, 'series'>,
  moments: readonly (Date | string)[],
): string {
  const areNumbered = moments.every((at) => letterOfMoment(options, at));
  return areNumbered ? `${lettersInShort(options, moments)} (same reference)` : ourLetters(options, moments);
}

/** “our letter 1”, “our letters 1 and 2”, or “our earlier letter” if the number is not known. */
export function lettersInShort(
  options: Pick<OrderOptions, 'series'>,
  moments: readonly (Date | string)[],
): string {
  const numbered = lettersOfMoments(options, moments).filter((each) => each !== undefined);
  if (numbered.length === moments.length && numbered.length > 0) return `our ${lettersByNumber(numbered)}`;
  return moments.length === 1 ? 'our earlier letter' : 'our earlier letters';
}

/** Several letters with their dates: “our letters 1, of … and 2, of …”. `which` is a word before “letters”. */
export function ourLetters(
  options: Pick<OrderOptions, 'series'>,
  moments: readonly (Date | string)[],
  which = '',
): string {
  const noun = moments.length === 1 ? 'letter' : 'letters';
  const numbered = lettersOfMoments(options, moments);
  const each = moments.map((at, index) => {
    const { number } = numbered[index] ?? {};
    return `${number === undefined ? '' : `${number}, `}of ${momentWithTime(at)}`;
  });
  const comma = which !== '' && each[0]!.startsWith('of') ? ',' : '';
  return `our ${which}${noun}${comma} ${each.join(' and ')}`;
}
