import { readDistrict, readPostcode } from '../../library/index.ts';
import type { Referral } from '../../referrals/index.ts';
import { ageInYears } from '../letter/words.ts';

/** The little that a link shows of the person: enough to know which referral it is, and too little to know who it is. */
export function personInShort({ patient }: Referral['content'], now: Date) {
  return {
    initials: `${initialOf(patient.given_name)}${initialOf(patient.family_name)}`,
    ageBand: ageBand(ageInYears(patient.birth_date, now)),
    district: districtOf(patient.address.postcode),
  };
}

const initialOf = (name: string) => [...name.trim()][0]?.toUpperCase() ?? '';

function ageBand(age: number): string {
  if (age < 16) return 'Under 16';
  if (age < 18) return '16 to 17';
  if (age < 25) return '18 to 24';
  if (age >= 85) return '85 or over';
  const first = age - ((age - 25) % 10);
  return `${first} to ${first + 9}`;
}

/** The first half of a postcode, such as HR4; undefined if it is not one. */
function districtOf(postcode: string): string | undefined {
  return readPostcode(postcode)?.district ?? readDistrict(postcode);
}
