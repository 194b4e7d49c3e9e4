import { hidesOnline } from '../../../referrals/index.ts';
import { referralCode } from '../codes.ts';
import type { Task } from '../letter.ts';
import { lettersInShort } from '../letter-order.ts';
import {
  mustAskAboutCrisis,
  mustAskAboutRisk,
  whomToAskFirst,
  whomToAskIfAnswersDiffer,
} from './ask-first.ts';
import { isParentUnknown } from './patient-lines.ts';
import type { PreparedLetter } from './prepare-letter.ts';
import { atOnce, clerkTask } from './tasks/task.ts';

/** Whether the practice must hide the letter online: for good, or until somebody decides. */
export function mustHide(letter: PreparedLetter): boolean {
  return isHiddenAtPractice(letter) || hiddenUntil(letter) !== undefined;
}

/** Every letter with a code alone is hidden. If only some were, that would tell of a sensitive service. */
function isHiddenAtPractice({ referral, isCodesOnly, isRemovalNotice }: PreparedLetter): boolean {
  return hidesOnline(referral.content) || (isCodesOnly && !isRemovalNotice);
}

/**
 * Until when the letter is hidden, as in “until a clinician has decided”. Undefined if it is hidden for good, or not at all.
 * A relative who reads the record online must not learn whom the practice rings first.
 */
export function hiddenUntil(letter: PreparedLetter): string | undefined {
  if (!letter.mayWarn) return undefined;
  if (isHiddenAtPractice(letter)) return isHiddenForChildAlone(letter) ? untilParentMayKnow : undefined;
  const isForClinician = mustAskAboutRisk(letter) || mustAskAboutCrisis(letter) || letter.hasNewsToAsk;
  if (isForClinician) return 'a clinician has decided';
  if (whomToAskIfAnswersDiffer(letter) !== undefined) return 'you have rung and it is safe';
  return isParentUnknown(letter) ? untilParentMayKnow : undefined;
}

const untilParentMayKnow = 'the child says that a parent may know';

/** Whether the only reason to hide the letter is that a child agreed without a parent. */
function isHiddenForChildAlone(letter: PreparedLetter): boolean {
  const isTold = letter.referral.content.do_not_show_online === true;
  return !isTold && isParentUnknown(letter) && whomToAskFirst(letter) === undefined;
}

/** If earlier letters can be seen online and no longer may be, somebody hides them before anything else. */
export function hideEarlierLettersTasks(letter: PreparedLetter): Task[] {
  const isShown = letter.earlierLetters.some(({ isHidden }) => isHidden === false);
  if (letter.isRemovalNotice || !isShown || !hidesOnline(letter.referral.content)) return [];
  return [hideOnlineTask(letter)];
}

/** At once, because this letter can be seen online as soon as it is filed. */
export function hideOnlineTask(letter: PreparedLetter): Task {
  const ofParents = letter.isChild ? ' of parents' : '';
  const what = whatToHide(letter);
  const until = hiddenUntil(letter);
  return clerkTask(
    atOnce,
    `hide ${what} from the online record, also from proxy access${ofParents}${until === undefined ? '' : `, until ${until}`}.`,
    { inHeading: 'hide online' },
  );
}

/** All letters about the referral and their codes, also a code that a clerk may file late. */
function whatToHide(letter: PreparedLetter): string {
  const { facts, codes, earlierLetters: earlier } = letter;
  const hasCode = codes.length > 0 || Boolean(facts?.codeSentAt);
  const isFirst = earlier.length === 0;
  if (isFirst) return hasCode ? `this letter and its code${codes.length > 1 ? 's' : ''}` : 'this letter';
  const others = lettersInShort(
    letter,
    earlier.map(({ at }) => at),
  );
  // If there are two codes, “its code” would leave one of them to be seen.
  if (facts?.codeSentAt && codes.length > 0) {
    const numbers = [referralCode, ...codes].map(([number]) => number);
    return `this letter, ${others} and both codes, ${numbers.join(' and ')},`;
  }
  return hasCode
    ? `this letter, ${others} and ${earlier.length === 1 ? 'its' : 'their'} code`
    : `this letter and ${others}`;
}
