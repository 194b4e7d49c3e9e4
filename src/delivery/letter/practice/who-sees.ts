import { changesOfMeasures, type Referral } from '../../../referrals/index.ts';
import { hasNewContact, isUrgentNow } from '../changes.ts';
import type { PracticeLetterOptions } from '../letter.ts';
import { ageInYears } from '../words.ts';
import { hasNewsToAsk, mayWarn, wasNotReached, whyForClinician } from './dangers.ts';
import { actionsAsked } from './what-was-said.ts';

/**
 * When a clinician sees a letter that asks for nothing by name. The tasks, the heading, the weight of the box and the message around
 * the letter all go by this, so that they never disagree. A danger that is open has steps of its own.
 */
export function whenClinicianSees(
  referral: Referral,
  options: PracticeLetterOptions,
): 'today' | 'when-filed' | undefined {
  if (!mayWarn(referral)) return undefined;
  if (isUrgentWithoutTask(referral, options) || wasNotReached(referral, options)) return 'today';
  if (isNewlyUnsafe(referral, options)) return 'today';
  const isForClinician =
    measuresWorse(referral, options).length > 0 ||
    isNewSafeguarding(referral, options) ||
    whyForClinician(referral, options).length > 0 ||
    hasNewsToAsk(referral, options);
  return isForClinician ? 'when-filed' : undefined;
}

/** Contact that is not safe in any way, or a child with a secret, may be abuse: a clerk who files it cannot judge that. */
function isNewlyUnsafe({ content }: Referral, options: PracticeLetterOptions): boolean {
  const { purpose, facts, date } = options;
  const isNew = hasNewContact(options) || (facts?.earlierLetters ?? []).length === 0;
  const { contact, patient } = content;
  const isSecretOfChild =
    contact?.who_must_not_know !== undefined && ageInYears(patient.birth_date, date) < 16;
  return purpose === 'referral' && isNew && (contact?.safe === 'no' || isSecretOfChild);
}

/** Somebody is kept safe without having agreed, and perhaps without knowing: a clinician may know more. */
export function isNewSafeguarding({ content }: Referral, { purpose, facts }: PracticeLetterOptions): boolean {
  const isFirst = (facts?.earlierLetters ?? []).length === 0;
  return purpose === 'referral' && isFirst && content.agreement?.basis === 'safeguarding';
}

/** The first letter that says “urgent”: a clerk who finds no task in it would file it with the others. */
export function isUrgentWithoutTask(referral: Referral, options: PracticeLetterOptions): boolean {
  const { purpose, replacesLetterOf } = options;
  if (purpose !== 'referral' || referral.urgency !== 'urgent' || !mayWarn(referral)) return false;
  const isFirst = !replacesLetterOf || isUrgentNow(options);
  return isFirst && actionsAsked(referral, options).length === 0;
}

/** The measures that are worse at the end: the service may not be able to judge what that means. */
export function measuresWorse(
  referral: Referral,
  { purpose }: Pick<PracticeLetterOptions, 'purpose'>,
): ReturnType<typeof changesOfMeasures> {
  if (purpose !== 'outcome' || !mayWarn(referral)) return [];
  return changesOfMeasures(referral).filter(({ change }) => change === 'worse');
}
