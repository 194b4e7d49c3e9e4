import type { Referral } from '../../referrals/index.ts';
import type { Fact, Section } from './letter.ts';

const referredCode: Fact = ['871731000000106', 'Referral to social prescribing service'];
const declinedCode: Fact = ['871711000000103', 'Social prescribing declined'];

/** What a practice files the letter under. */
export function referralCode(referral: Referral): readonly [code: string, display: string] {
  const [code, display] = isDeclined(referral) ? declinedCode : referredCode;
  return [code, display];
}

function isDeclined({ status_reason: reason }: Referral): boolean {
  return reason?.code === 'client-declined';
}

/** The SNOMED CT codes that the practice files; `declined` is what the person chose, not what the service did. */
export function codesSection(referral: Referral): Section {
  return {
    heading: 'SNOMED CT codes',
    facts: isDeclined(referral) ? [referredCode, declinedCode] : [referredCode],
  };
}

/**
 * The codes among what was written by hand. A text in the place of a code is left out: the person agreed to codes, and
 * to nothing in words.
 */
export function reasonCodes(referral: Referral): string[] {
  return referral.content.reasons
    .map(({ code }) => code)
    .filter((code) => code !== undefined && isCode(code)) as string[];
}

export function isCode(text: string): boolean {
  return /^\d{6,18}$/.test(text);
}
