import { newRandomBytes } from '../../platform/secrets/index.ts';

/** Crockford’s base 32 has no I, L, O or U, so that nothing is misread and no rude word appears. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A referral’s reference, to be said on the telephone: nine random characters and a check character, such as
 * `7K3QF-XW29D`. It does not tell how many referrals there are.
 */
export function newReference(): string {
  const text = [...newRandomBytes(9)].map((byte) => letters[byte % 32]).join('');
  return addHyphen(text + checkCharacter(text));
}

function addHyphen(text: string): string {
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/**
 * Luhn’s algorithm over 32 characters: it notices every single wrong character and nearly all swapped neighbours.
 */
function checkCharacter(text: string): string {
  let sum = 0;
  for (const [index, letter] of [...text].reverse().entries()) {
    const addend = letters.indexOf(letter) * (index % 2 === 0 ? 2 : 1);
    sum += Math.floor(addend / 32) + (addend % 32);
  }
  return letters[(32 - (sum % 32)) % 32]!;
}
