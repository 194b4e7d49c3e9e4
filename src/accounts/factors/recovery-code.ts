import { randomOctets } from '../../platform/secrets/index.ts';

export const recoveryCodesAtOnce = 10;

/** Without what is easily misread: i, l, o and u. Thirty-two letters: each is five random bits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const groups = 3;
const groupLength = 4;

/** A new code of 60 random bits, such as `7k2m-x9qa-0tvz`. */
export function newRecoveryCode(): string {
  const text = [...randomOctets(groups * groupLength)]
    .map((octet) => letters[octet % letters.length])
    .join('');
  return inGroups(text);
}

/**
 * The one form of a code, however somebody wrote it: capitals, spaces, no dashes, the letters that look alike.
 * Undefined for what cannot be one.
 */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  if (text.length !== groups * groupLength || [...text].some((each) => !letters.includes(each)))
    return undefined;
  return inGroups(text);
}

function inGroups(text: string): string {
  return text.match(new RegExp(`.{${groupLength}}`, 'g'))!.join('-');
}
