import type { Referral } from '../../referrals/index.ts';
import { isCodesOnly, type Purpose } from '../model/delivery.ts';

/** A SNOMED CT code that a practice files. */
export type Code = readonly [code: string, display: string];

const referredCode: Code = ['871731000000106', 'Referral to social prescribing service'];
const declinedCode: Code = ['871711000000103', 'Social prescribing declined'];

/** The type of a letter that brings no code: what it is, and nothing that happened to the patient. */
export const clinicalLetter: Code = ['823691000000103', 'Clinical letter'];

/**
 * The codes that are new with a letter to a practice. That there was a referral is coded once, however many letters there are:
 * twice, it would count as two. “Declined” closes doors, so only staff who ticked it say so, and never a reason alone.
 */
export function newCodes(
  referral: Referral,
  { purpose, isReferralCoded }: { purpose: Purpose; isReferralCoded: boolean },
): Code[] {
  const { status, content } = referral;
  if (status === 'entered-in-error') return [];
  const referred = isReferralCoded ? [] : [referredCode];
  const hasDeclined = purpose === 'outcome' && content.declines_social_prescribing === true;
  if (!hasDeclined) return referred;
  // Codes only is exactly one code.
  return isCodesOnly('gp_practice', referral) ? [declinedCode] : [...referred, declinedCode];
}

/** The code for which a service gets the referral. */
export const codeOfReferral = referredCode;
