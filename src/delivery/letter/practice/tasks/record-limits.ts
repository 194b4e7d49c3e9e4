import { upperFirst } from '../../../../platform/first-letter.ts';
import { hidesOnline } from '../../../../referrals/index.ts';
import { hasNewContact } from '../../changes.ts';
import type { Task } from '../../letter.ts';
import { ringReferrer } from '../../whom-to-ask.ts';
import { mustAskAboutCrisis, mustAskAboutRisk } from '../ask-first.ts';
import { howToContact } from '../contact-in-words.ts';
import { hasLimits, limitsInWords } from '../contact-limits.ts';
import { hiddenUntil } from '../hide-online.ts';
import type { PreparedLetter } from '../prepare-letter.ts';
import { atOnce, clerkTask } from './task.ts';

/**
 * A clerk puts the contact limits on the record, because staff read it without the letter. A letter with a code alone always has this
 * step, so that it does not tell whether there are limits.
 */
export function contactLimitTasks(letter: PreparedLetter): Task[] {
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

/** A clerk changes how to contact the patient in the record, because the old way may be unsafe now. */
export function newContactTask(letter: PreparedLetter): Task {
  if (hasLimits(letter)) return contactLimitTask(letter);
  return clerkTask(atOnce, `change how to contact the patient in your record. ${howToContact(letter)}`);
}

function contactLimitTask(letter: PreparedLetter): Task {
  const isHidden = hidesOnline(letter.referral.content) || hiddenUntil(letter) !== undefined;
  const hidden = isHidden ? ', hidden online' : '';
  const verb = verbForLimits(letter);
  // The box of a danger has many red lines, so the step repeats those to copy.
  const what = mustAskAboutRisk(letter)
    ? `${verb === 'check' ? 'check that the record has the contact limits' : `${verb} the contact limits on the record`}${hidden}: “${upperFirst(limitsInWords(letter)!)}”`
    : `${onTheRecord[verb]}${hidden}.`;
  return clerkTask(atOnce, what, { inHeading: 'contact limits' });
}

const onTheRecord = {
  change: 'change the contact limits on the record to those above',
  check: 'check that the record has the contact limits above',
  put: 'put on the record the contact limits above',
} as const;

/** What a clerk does with the limits. An earlier letter may have asked to put them on the record. */
export function verbForLimits(letter: PreparedLetter): 'change' | 'check' | 'put' {
  if (hasNewContact(letter)) return 'change';
  // No earlier letter said whom to ring about the change.
  if (letter.hasNewsToAsk || mustAskAboutCrisis(letter)) return 'put';
  return letter.earlierLetters.length > 0 ? 'check' : 'put';
}
