export const enterTelephone = 'Enter a telephone number such as 01632 960001';

/** People write extensions, words and names beside a number, and short ones have three digits. */
export function hasNumber(text: string): boolean {
  return text.replaceAll(/\D/g, '').length >= 3;
}
