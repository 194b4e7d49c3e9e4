import { changesOfMeasures, measures } from '../../../referrals/index.ts';
import { becameUrgent, hasNewContact } from '../changes.ts';
import { nobodyReachedPatient, whyForClinician } from './dangers.ts';
import type { PreparedLetter } from './prepare-letter.ts';

/**
 * When a clinician has to see a letter that asks for no particular action. The tasks, the heading and weight of the box, and the message
 * around the letter go by this, so that they never disagree. An open danger has steps of its own.
 */
export function whenClinicianSees(letter: PreparedLetter): 'today' | 'when-filed' | undefined {
  if (!letter.mayWarn) return undefined;
  if (isUrgentWithoutTask(letter) || nobodyReachedPatient(letter)) return 'today';
  if (isNewlyUnsafe(letter)) return 'today';
  const isForClinician =
    worseMeasures(letter).length > 0 ||
    isNewSafeguarding(letter) ||
    whyForClinician(letter).length > 0 ||
    letter.hasNewsToAsk;
  return isForClinician ? 'when-filed' : undefined;
}

/** If no contact is safe, or a child has a secret, it may be abuse. A clerk cannot judge that. */
function isNewlyUnsafe(letter: PreparedLetter): boolean {
  const { contact } = letter.referral.content;
  const isNew = hasNewContact(letter) || letter.earlierLetters.length === 0;
  const isSecretOfChild = letter.isChild && contact?.who_must_not_know !== undefined;
  return letter.purpose === 'referral' && isNew && (letter.isContactUnsafe || isSecretOfChild);
}

/** The referral keeps somebody safe who has not agreed, and may not know of it. A clinician may know more. */
export function isNewSafeguarding({ referral, purpose, earlierLetters }: PreparedLetter): boolean {
  return (
    purpose === 'referral' &&
    earlierLetters.length === 0 &&
    referral.content.agreement?.basis === 'safeguarding'
  );
}

/** Whether this is the first letter to say “urgent”, and has no task. A clerk would file it with the others. */
export function isUrgentWithoutTask(letter: PreparedLetter): boolean {
  const { purpose, replacesLetterOf } = letter;
  if (purpose !== 'referral' || letter.referral.urgency !== 'urgent' || !letter.mayWarn) return false;
  const isFirst = !replacesLetterOf || becameUrgent(letter);
  return isFirst && letter.actions.length === 0;
}

/** The measures that are worse at the end. The service may not be able to judge what that means. */
export function worseMeasures({
  referral,
  purpose,
  mayWarn,
}: PreparedLetter): ReturnType<typeof changesOfMeasures> {
  if (purpose !== 'outcome' || !mayWarn) return [];
  return changesOfMeasures(referral).filter(({ change }) => change === 'worse');
}

/** “Worse than at the start: Anxiety, 4 → 7.”, or nothing. */
export function worseMeasuresInWords(letter: PreparedLetter): string[] {
  const worse = worseMeasures(letter).map(
    (each) => `${measures[each.code].title}, ${each.start} → ${each.end}`,
  );
  return worse.length === 0 ? [] : [`Worse than at the start: ${worse.join('; ')}.`];
}
