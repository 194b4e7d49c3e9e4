import type { Referral } from '../../../../referrals/index.ts';
import { CannotDeliver } from '../../channel.ts';

type Patient = Referral['content']['patient'];

/** Letters that Unicode does not decompose into a plain letter and an accent. */
const plain: Readonly<Record<string, string>> = {
  Ł: 'L',
  Ø: 'O',
  Đ: 'D',
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
  ẞ: 'SS',
};

/**
 * The address by which the exchange finds the practice of a patient. It compares the surname with the national register,
 * which has no accents.
 */
export function routingAddress({ nhs_number: number, birth_date, family_name }: Patient): string {
  if (number === undefined)
    throw new CannotDeliver(
      'Without the patient’s NHS number, the NHS message exchange cannot find their GP practice.',
    );
  const surname = family_name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^\0-\x7F]/g, (letter) => (letter === '’' ? "'" : (plain[letter] ?? letter)))
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!/^[A-Z' .-]{1,70}$/.test(surname) || !/[A-Z]/.test(surname))
    throw new CannotDeliver(
      'The NHS message exchange can only find a practice if the surname is in Latin letters.',
    );
  return `GPPROVIDER_${number}_${birth_date.replaceAll('-', '')}_${surname}`;
}
