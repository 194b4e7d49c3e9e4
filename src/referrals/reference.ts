import { randomOctets } from '../platform/secrets/index.ts';

/** Crockford's base 32: no I, L, O or U, so that nothing is misread and nothing rude is spelt. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A referral's reference, for saying on the telephone: nine random characters and a check character, such as
 * `7K3QF-XW29D`. It means nothing, and tells nothing of how many there are.
 */
export function newReference(): string {
  const text = [...randomOctets(9)].map((octet) => letters[octet % 32]).join('');
  return grouped(text + checkCharacter(text));
}

function grouped(text: string): string {
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/** Luhn's algorithm over 32 characters: notices every single wrong character and nearly all swapped neighbours. */
function checkCharacter(text: string): string {
  let sum = 0;
  for (const [place, letter] of [...text].reverse().entries()) {
    const addend = letters.indexOf(letter) * (place % 2 === 0 ? 2 : 1);
    sum += Math.floor(addend / 32) + (addend % 32);
  }
  return letters[(32 - (sum % 32)) % 32]!;
}
