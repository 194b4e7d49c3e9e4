import type { Referral } from '../../referrals/index.ts';
import { isCodesOnly } from '../model/delivery.ts';
import type { PracticeLetterOptions } from './letter.ts';
import { momentAsDay } from './words.ts';

/** A SNOMED CT code that a practice files. */
export type Code = readonly [code: string, display: string];

/** For practices, and for services, which get the referral under it. */
export const referralCode: Code = ['871731000000106', 'Referral to social prescribing service'];
export const declinedCode: Code = ['871711000000103', 'Social prescribing declined'];

/** The type of document, used when a letter brings no clinical code. */
export const clinicalLetter: Code = ['823691000000103', 'Clinical letter'];

export function hasDied({ status_reason: reason }: Pick<Referral, 'status_reason'>): boolean {
  return reason?.code === 'died';
}

/** Also while nobody has confirmed it: until then nobody rings, writes or visits. */
export function isSaidToHaveDied(referral: Pick<Referral, 'status_reason' | 'deathReportedAt'>): boolean {
  return hasDied(referral) || referral.deathReportedAt !== null;
}

/** The code as a reader finds it in a record: by its number and by its words. */
export function codeInWords([code, display]: Code): string {
  return `${code} “${display}”`;
}

/**
 * The codes that are new with a letter to a practice. That there was a referral is coded once, however many letters there are:
 * twice, it would count as two. The code for declined needs a tick by staff: it may keep later offers away.
 */
export function newCodes(
  referral: Referral,
  { purpose, facts }: Pick<PracticeLetterOptions, 'purpose' | 'facts'>,
): Code[] {
  const { status, content } = referral;
  if (status === 'entered-in-error') return [];
  // The practice closes the case. With codes alone the code stays: leaving it out would tell of the death.
  if (hasDied(referral) && !isCodesOnly('gp_practice', referral)) return [];
  // A later referral of an episode is no second one to a GP.
  const referred = facts?.codeSentAt || content.episode === 'continuing' ? [] : [referralCode];
  const hasDeclined =
    purpose === 'outcome' && content.declines_social_prescribing === true && !wasDeclinedCoded(facts);
  if (!hasDeclined) return referred;
  // With codes alone, the letter has exactly one.
  return isCodesOnly('gp_practice', referral) ? [declinedCode] : [...referred, declinedCode];
}

/**
 * When an earlier letter brought the code of the referral, and how it is dated. `reference`: of another referral, which this one takes the
 * place of.
 */
export function codeBefore(
  { reference: own, requested_at }: Pick<Referral, 'reference' | 'requested_at'>,
  facts: PracticeLetterOptions['facts'],
): { at: string; dated: string; reference?: string } | undefined {
  const { codeSentAt: at, codeSentIn: reference } = facts ?? {};
  if (!at) return undefined;
  return reference == null || reference === own
    ? { at, dated: momentAsDay(requested_at) }
    : { at, dated: momentAsDay(at), reference };
}

/** Whether an earlier letter about this end brought the code for declined: a letter that replaces it has no code of its own. */
export function wasDeclinedCoded(facts: PracticeLetterOptions['facts']): boolean {
  const { statusAt, earlierLetters = [] } = facts ?? {};
  return earlierLetters.some(
    ({ at, purpose }) => purpose === 'outcome' && statusAt && new Date(at) >= new Date(statusAt),
  );
}
