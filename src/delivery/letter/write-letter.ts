import type { Referral } from '../../referrals/index.ts';
import { composeLetter } from './compose-letter.ts';
import type { LetterOptions, WrittenLetter } from './letter.ts';

/** What the letter of a delivery is drawn from. */
export function writeLetter(referral: Referral, options: LetterOptions): WrittenLetter {
  const where = `${options.site.baseUrl}/referrals/${referral.id}`;
  return { letter: composeLetter(referral, options), at: options.date.toISOString(), where };
}
