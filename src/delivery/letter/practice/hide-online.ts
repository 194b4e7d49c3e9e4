import { hidesOnline } from '../../../referrals/index.ts';
import { referralCode } from '../codes.ts';
import type { Task } from '../letter.ts';
import { lettersInShort } from '../letter-order.ts';
import { askBeforeContact, askedFirst, asksAboutCrisis, asksAboutRisk } from './ask-first.ts';
import { isParentUnknown } from './patient-lines.ts';
import type { PracticeLetter } from './prepare-letter.ts';
import { atOnce, clerkTask } from './tasks/task.ts';

/** Whether the letter must not be seen online: always, or until somebody has decided. */
export function mustHide(letter: PracticeLetter): boolean {
  return isHiddenAtPractice(letter) || hiddenUntil(letter) !== undefined;
}

/** A letter with a code alone is always hidden: hidden only sometimes, it would tell of a sensitive service. */
function isHiddenAtPractice({ referral, isCodesOnly, isRemovalNotice }: PracticeLetter): boolean {
  return hidesOnline(referral.content) || (isCodesOnly && !isRemovalNotice);
}

/** Until when the letter is hidden where nobody said whether it may be shown: whom to ring first is a secret from who reads the record too. */
export function hiddenUntil(letter: PracticeLetter): string | undefined {
  if (!letter.mayWarn) return undefined;
  if (isHiddenAtPractice(letter)) return isHiddenForChildAlone(letter) ? untilParentMayKnow : undefined;
  const isForClinician = asksAboutRisk(letter) || asksAboutCrisis(letter) || letter.hasNewsToAsk;
  if (isForClinician) return 'a clinician has decided';
  if (askBeforeContact(letter) !== undefined) return 'you have rung and it is safe';
  return isParentUnknown(letter) ? untilParentMayKnow : undefined;
}

const untilParentMayKnow = 'the child says that a parent may know';

/** Nothing keeps the letter hidden but that the child agreed without a parent. */
function isHiddenForChildAlone(letter: PracticeLetter): boolean {
  const isTold = letter.referral.content.do_not_show_online === true;
  return !isTold && isParentUnknown(letter) && askedFirst(letter) === undefined;
}

/**
 * The record may be read by somebody at the patient’s side. Once nothing may be shown online, the letters that are there already are
 * hidden before anything else is done.
 */
export function hideEarlierLettersTasks(letter: PracticeLetter): Task[] {
  const isShown = letter.earlierLetters.some(({ isHidden }) => isHidden === false);
  if (letter.isRemovalNotice || !isShown || !hidesOnline(letter.referral.content)) return [];
  return [hideOnlineTask(letter)];
}

/** At once also where no earlier letter is seen online: this one would be, from the minute in which it is filed. */
export function hideOnlineTask(letter: PracticeLetter): Task {
  const ofParents = letter.isChild ? ' of parents' : '';
  const what = whatToHide(letter);
  const until = hiddenUntil(letter);
  return clerkTask(
    atOnce,
    `hide ${what} from the online record, also from proxy access${ofParents}${until === undefined ? '' : `, until ${until}`}.`,
    { inHeading: 'hide online' },
  );
}

/**
 * Everything about the referral, whichever letter brought it. A code that is filed late, because the letter with it never came, would be
 * seen as well.
 */
function whatToHide(letter: PracticeLetter): string {
  const { facts, codes, earlierLetters: earlier } = letter;
  const hasCode = codes.length > 0 || Boolean(facts?.codeSentAt);
  const isFirst = earlier.length === 0;
  if (isFirst) return hasCode ? `this letter and its code${codes.length > 1 ? 's' : ''}` : 'this letter';
  const others = lettersInShort(
    letter,
    earlier.map(({ at }) => at),
  );
  // “Its code” beside two of them leaves the other one to be seen.
  if (facts?.codeSentAt && codes.length > 0) {
    const numbers = [referralCode, ...codes].map(([number]) => number);
    return `this letter, ${others} and both codes, ${numbers.join(' and ')},`;
  }
  return hasCode
    ? `this letter, ${others} and ${earlier.length === 1 ? 'its' : 'their'} code`
    : `this letter and ${others}`;
}
