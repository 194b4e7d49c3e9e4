import type { Referral } from '../../referrals/index.ts';
import { isCodesOnly } from '../model/delivery.ts';
import type { PracticeLetterInput } from './letter.ts';
import { momentAsDay } from './words.ts';

/** A SNOMED CT code that a practice files. */
export type Code = readonly [code: string, display: string];

/** For practices. Messages to services carry it, too. */
export const referralCode: Code = ['871731000000106', 'Referral to social prescribing service'];
export const declinedCode: Code = ['871711000000103', 'Social prescribing declined'];

/** The type of document, used when a letter brings no clinical code. */
export const clinicalLetter: Code = ['823691000000103', 'Clinical letter'];

export function hasDied({ status_reason: reason }: Pick<Referral, 'status_reason'>): boolean {
  return reason?.code === 'died';
}

/** Whether somebody said that the person has died, even if nobody has confirmed it. Then nobody rings, writes or visits. */
export function isSaidToHaveDied(referral: Pick<Referral, 'status_reason' | 'deathReportedAt'>): boolean {
  return hasDied(referral) || referral.deathReportedAt !== null;
}

/** The code as a record shows it: 871731000000106 “Referral to social prescribing service”. */
export function codeInWords([code, display]: Code): string {
  return `${code} “${display}”`;
}

/**
 * The codes to file from a letter to a practice. A referral is coded once, in its first letter: coded twice, it would count as two.
 * “Declined” is only coded if staff ticked it, because it may keep later offers away.
 */
export function newCodes(
  referral: Referral,
  { purpose, facts }: Pick<PracticeLetterInput, 'purpose' | 'facts'>,
): Code[] {
  const { status, content } = referral;
  if (status === 'entered-in-error') return [];
  // After a death, the practice needs no code. A letter with a code alone keeps it, because without it the letter would tell of the death.
  if (hasDied(referral) && !isCodesOnly('gp_practice', referral)) return [];
  // For a GP, a later referral of the same episode is no new one.
  const referred = facts?.codeSentAt || content.episode === 'continuing' ? [] : [referralCode];
  const hasDeclined =
    purpose === 'outcome' && content.declines_social_prescribing === true && !hasSentDeclinedCode(facts);
  if (!hasDeclined) return referred;
  // A letter with a code alone has exactly one.
  return isCodesOnly('gp_practice', referral) ? [declinedCode] : [...referred, declinedCode];
}

/**
 * The earlier letter that had the code of the referral. `at`: when we wrote the letter, in ISO 8601. `dated`: the date to file with the
 * code, in words. `reference`: only if the letter was about another referral, which this one replaces.
 */
export function codeBefore(
  { reference: own, requested_at }: Pick<Referral, 'reference' | 'requested_at'>,
  facts: PracticeLetterInput['facts'],
): { at: string; dated: string; reference?: string } | undefined {
  const { codeSentAt: at, codeSentIn: reference } = facts ?? {};
  if (!at) return undefined;
  return reference == null || reference === own
    ? { at, dated: momentAsDay(requested_at) }
    : { at, dated: momentAsDay(at), reference };
}

/** Whether an earlier letter about this end had the code for declined. A letter that replaces it must not have it again. */
export function hasSentDeclinedCode(facts: PracticeLetterInput['facts']): boolean {
  const { statusAt, earlierLetters = [] } = facts ?? {};
  return earlierLetters.some(
    ({ at, purpose }) => purpose === 'outcome' && statusAt && new Date(at) >= new Date(statusAt),
  );
}
