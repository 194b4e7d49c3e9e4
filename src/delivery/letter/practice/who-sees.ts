import { changesOfMeasures, measures } from '../../../referrals/index.ts';
import { hasNewContact, isUrgentNow } from '../changes.ts';
import { wasNotReached, whyForClinician } from './dangers.ts';
import type { PracticeLetter } from './prepare-letter.ts';

export function worseMeasuresInWords(letter: PracticeLetter): string[] {
  const worse = worseMeasures(letter).map(
    (each) => `${measures[each.code].title}, ${each.start} → ${each.end}`,
  );
  return worse.length === 0 ? [] : [`Worse than at the start: ${worse.join('; ')}.`];
}

/**
 * When a clinician sees a letter that asks for nothing by name. The tasks, the heading, the weight of the box and the message around
 * the letter all go by this, so that they never disagree. A danger that is open has steps of its own.
 */
export function whenClinicianSees(letter: PracticeLetter): 'today' | 'when-filed' | undefined {
  if (!letter.mayWarn) return undefined;
  if (isUrgentWithoutTask(letter) || wasNotReached(letter)) return 'today';
  if (isNewlyUnsafe(letter)) return 'today';
  const isForClinician =
    worseMeasures(letter).length > 0 ||
    isNewSafeguarding(letter) ||
    whyForClinician(letter).length > 0 ||
    letter.hasNewsToAsk;
  return isForClinician ? 'when-filed' : undefined;
}

/** Contact that is not safe in any way, or a child with a secret, may be abuse: a clerk who files it cannot judge that. */
function isNewlyUnsafe(letter: PracticeLetter): boolean {
  const { contact } = letter.referral.content;
  const isNew = hasNewContact(letter) || letter.earlierLetters.length === 0;
  const isSecretOfChild = letter.isChild && contact?.who_must_not_know !== undefined;
  return letter.purpose === 'referral' && isNew && (letter.isContactUnsafe || isSecretOfChild);
}

/** Somebody is kept safe without having agreed, and perhaps without knowing: a clinician may know more. */
export function isNewSafeguarding({ referral, purpose, earlierLetters }: PracticeLetter): boolean {
  return (
    purpose === 'referral' &&
    earlierLetters.length === 0 &&
    referral.content.agreement?.basis === 'safeguarding'
  );
}

/** The first letter that says “urgent”: a clerk who finds no task in it would file it with the others. */
export function isUrgentWithoutTask(letter: PracticeLetter): boolean {
  const { purpose, replacesLetterOf } = letter;
  if (purpose !== 'referral' || letter.referral.urgency !== 'urgent' || !letter.mayWarn) return false;
  const isFirst = !replacesLetterOf || isUrgentNow(letter);
  return isFirst && letter.actions.length === 0;
}

/** The measures that are worse at the end: the service may not be able to judge what that means. */
export function worseMeasures({
  referral,
  purpose,
  mayWarn,
}: PracticeLetter): ReturnType<typeof changesOfMeasures> {
  if (purpose !== 'outcome' || !mayWarn) return [];
  return changesOfMeasures(referral).filter(({ change }) => change === 'worse');
}
