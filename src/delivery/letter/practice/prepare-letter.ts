import { mentionsCrisis } from '../../../library/index.ts';
import type { Referral } from '../../../referrals/index.ts';
import { isCodesOnly, type LetterFacts } from '../../model/delivery.ts';
import { type Code, hasDied, newCodes } from '../codes.ts';
import type { PracticeLetterInput } from '../letter.ts';
import { ageInYears } from '../words.ts';

/** What the practice is asked to do: a task of the letter. */
export type GpAction = NonNullable<Referral['content']['gp_actions']>[number];

/** What somebody said has changed for the patient. */
export type ReportedChange = NonNullable<LetterFacts['reported']>[number];

/** A letter to a practice before it is composed: the referral, the options, and facts of both that most parts of the letter need. */
export type PreparedLetter = PracticeLetterInput & {
  referral: Referral;
  /** The patient agreed to a code and no details. */
  isCodesOnly: boolean;
  /** The letter asks the practice to remove earlier letters: the referral was a mistake, or went to the wrong practice. */
  isRemovalNotice: boolean;
  hasDied: boolean;
  /** Whether the letter may tell of a danger. With a code alone, and about a death or a mistake, it must not. */
  mayWarn: boolean;
  /** The patient is under 16. */
  isChild: boolean;
  /** No way to contact the patient is safe. */
  isContactUnsafe: boolean;
  /** Those that this practice has, or may have, the first one first. */
  earlierLetters: LetterFacts['earlierLetters'];
  /** Those of them that had details, and not a code alone. */
  earlierFullLetters: LetterFacts['earlierLetters'];
  /** What the practice is asked to do, in the order in which it is due. */
  actions: GpAction[];
  /** The codes to file from this letter. */
  codes: Code[];
  /** Something has changed for the patient since somebody said what the practice has to do. */
  hasNews: boolean;
  /** The last news in which somebody used words of a crisis. */
  crisis: ReportedChange | undefined;
  /** The practice has to ask somebody what has changed. In a crisis, its steps are others. */
  hasNewsToAsk: boolean;
};

/** Works out once what all parts of a letter to a practice go by, so that two parts never disagree. */
export function prepareLetter(referral: Referral, options: PracticeLetterInput): PreparedLetter {
  const { purpose, facts } = options;
  const isInCodes = isCodesOnly('gp_practice', referral);
  const earlierLetters = facts?.earlierLetters ?? [];
  const { full_copies_since: fullCopiesSince = 0 } = referral.content;
  const isRemovalNotice = referral.status === 'entered-in-error';
  const mayWarn = !isRemovalNotice && !isInCodes && !hasDied(referral);
  const reported = facts?.reported ?? [];
  // At the end, the service answers once more, and knows what was told before.
  const hasNews = purpose === 'referral' && reported.length > 0;
  const crisis = reported.findLast(({ text }) => mentionsCrisis(text, options.site.crisisPhrases));
  return {
    ...options,
    referral,
    isCodesOnly: isInCodes,
    isRemovalNotice,
    hasDied: hasDied(referral),
    mayWarn,
    isChild: ageInYears(referral.content.patient.birth_date, options.date) < 16,
    isContactUnsafe: referral.content.contact?.safe === 'no',
    earlierLetters,
    earlierFullLetters: earlierLetters.filter(({ version = 0 }) => version >= fullCopiesSince),
    actions: requestedActions(referral, options),
    codes: newCodes(referral, options),
    hasNews,
    crisis,
    hasNewsToAsk: mayWarn && hasNews && crisis === undefined,
  };
}

/** What the practice is asked to do in this letter, and in the message around it, in the order in which it is due. */
export function requestedActions(
  referral: Referral,
  { purpose, facts }: Pick<PracticeLetterInput, 'purpose' | 'facts'>,
): GpAction[] {
  if (referral.status === 'entered-in-error' || isCodesOnly('gp_practice', referral)) return [];
  const actions = (referral.content.gp_actions ?? []).filter(({ asked_with, done_by_hand }) => {
    if (purpose === 'referral') return asked_with === 'referral' && !done_by_hand;
    // An outcome repeats what the referral asked for, until the practice has confirmed that letter.
    return asked_with === 'outcome' || !(done_by_hand || facts?.wasEarlierConfirmed);
  });
  return actions.toSorted(soonestFirst);
}

/** Actions without a date come last. The sort keeps the order of those with the same date. */
function soonestFirst({ by_date: one = '9999' }: GpAction, { by_date: other = '9999' }: GpAction): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
