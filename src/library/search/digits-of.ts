const upTo999 = Array.from({ length: 1000 }, (_, number) => `${number}`);
const lastThree = upTo999.map((digits) => digits.padStart(3, '0'));

/**
 * A whole number from 0 on, as text. V8 keeps what it makes of a number itself until another number needs its room, so
 * that the distances of a page outlived its search by seconds (docs/decisions/0057).
 */
export function digitsOf(number: number): string {
  return number < 1000 ? upTo999[number]! : digitsOf(Math.floor(number / 1000)) + lastThree[number % 1000]!;
}
