import { upperFirst } from '../../../../platform/first-letter.ts';
import { hidesOnline } from '../../../../referrals/index.ts';
import { hasNewContact } from '../../changes.ts';
import type { Task } from '../../letter.ts';
import { ringReferrer } from '../../whom-to-ask.ts';
import { asksAboutCrisis, asksAboutRisk } from '../ask-first.ts';
import { howToContact } from '../contact-in-words.ts';
import { hasLimits, limitsInWords } from '../contact-limits.ts';
import { hiddenUntil } from '../hide-online.ts';
import type { PracticeLetter } from '../prepare-letter.ts';
import { atOnce, clerkTask } from './task.ts';

/**
 * The first step of the person who files the letter: the record is read when no letter is open. A letter with a code alone has the same step whether
 * there is something to know or not.
 */
export function contactLimitTasks(letter: PracticeLetter): Task[] {
  if (letter.isCodesOnly && !letter.isRemovalNotice)
    return [
      clerkTask(
        atOnce,
        `put on the record, hidden online: before any contact about this referral, ${ringReferrer(letter)}, to ask if it is safe.`,
        { details: 'We may not say here whether there is a safety concern' },
      ),
    ];
  if (hasNewContact(letter) || !hasLimits(letter)) return [];
  return [contactLimitTask(letter)];
}

/** What the record has may be unsafe now. */
export function newContactTask(letter: PracticeLetter): Task {
  if (hasLimits(letter)) return contactLimitTask(letter);
  const words = howToContact(letter);
  return clerkTask(atOnce, `change how to contact the patient in your record. ${words}`);
}

function contactLimitTask(letter: PracticeLetter): Task {
  const isHidden = hidesOnline(letter.referral.content) || hiddenUntil(letter) !== undefined;
  const hidden = isHidden ? ', hidden online' : '';
  const verb = verbForLimits(letter);
  // Among the red lines of a danger, nobody finds which ones are to be copied.
  const what = asksAboutRisk(letter)
    ? `${verb === 'check' ? 'check that the record has the contact limits' : `${verb} the contact limits on the record`}${hidden}: “${upperFirst(limitsInWords(letter)!)}”`
    : `${onTheRecord[verb]}${hidden}.`;
  return clerkTask(atOnce, what, { inHeading: 'contact limits' });
}

const onTheRecord = {
  change: 'change the contact limits on the record to those above',
  check: 'check that the record has the contact limits above',
  put: 'put on the record the contact limits above',
} as const;

/** An earlier letter may have brought them already. */
export function verbForLimits(letter: PracticeLetter): 'change' | 'check' | 'put' {
  if (hasNewContact(letter)) return 'change';
  // No earlier letter told whom to ring about the news.
  if (letter.hasNewsToAsk || asksAboutCrisis(letter)) return 'put';
  return letter.earlierLetters.length > 0 ? 'check' : 'put';
}
