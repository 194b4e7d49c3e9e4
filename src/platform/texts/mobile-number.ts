/**
 * A UK mobile number in the one form in which it is stored and shown, “07700 900123”; undefined for any other number. Landlines take no
 * texts, and 070 and most of 076 are not mobiles (Ofcom’s numbering plan; 07624 is the Isle of Man).
 */
export function readMobileNumber(text: string | undefined): string | undefined {
  const digits = (text ?? '').replaceAll(/[\s().-]/g, '').replace(/^(\+|00)440?/, '0');
  return /^07(?:[1-57-9]\d{8}|624\d{6})$/.test(digits)
    ? `${digits.slice(0, 5)} ${digits.slice(5)}`
    : undefined;
}

/** For the person who reads it in an error. */
export const enterMobileNumber =
  'Enter a UK mobile number, such as 07700 900123: a landline gets no text messages';
