import type { FieldError } from '../../../../platform/problem/index.ts';

/** Nine digits and a check digit (modulus 11). */
export function isNhsNumber(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = digits.slice(0, 9).reduce((total, digit, index) => total + digit * (10 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return check !== 10 && check === digits[9];
}

/** Ten digits, alone or in groups. None begins with 0, as telephone numbers do. */
const tenDigits = /(?<!\d)[1-9](?:[ -]?\d){9}(?!\d)/g;

export function hasNhsNumber(text: string): boolean {
  return (text.match(tenDigits) ?? []).some((digits) => isNhsNumber(digits.replaceAll(/[ -]/g, '')));
}

/** An NHS number in its three groups: 999 000 0018. */
export function groupedNhsNumber(number: string): string {
  return number.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3');
}

/** People write an NHS number in groups of digits. We check, store and search it without spaces. */
export function withCompactNumber<T extends { nhs_number?: string | undefined }>(patient: T): T {
  const { nhs_number } = patient;
  return nhs_number === undefined ? patient : { ...patient, nhs_number: nhs_number.replaceAll(' ', '') };
}

/** Numbers that begin with 999 are reserved for tests: no person has one. */
export function isTestNhsNumber(text: string): boolean {
  return text.startsWith('999');
}

/**
 * Why this site does not take a number, if it does not. The numbers that England and Wales issue begin with 4, 6 or 7 (NHS Data
 * Dictionary, NHS NUMBER). Other nations’ numbers have the same check digit: a Scottish CHI number begins with a birth date, a Health and
 * Care number of Northern Ireland with 32 to 39. Numbers that begin with 9 belong to the made-up patients of the NHS’s integration
 * environments, against which a live site is tried before it is assured.
 */
export function nhsNumberError(
  number: string,
  mode: 'test' | 'live',
): Omit<FieldError, 'pointer'> | undefined {
  if (!isNhsNumber(number))
    return { message: 'is not an NHS number: check its ten digits', code: 'not-nhs-number' };
  if (mode === 'test')
    return isTestNhsNumber(number)
      ? undefined
      : {
          message: 'must begin with 999 on a test site, such as 9990000018: use made-up people only',
          code: 'real-number',
        };
  if (isTestNhsNumber(number)) return { message: 'is kept for tests: no person has it', code: 'test-number' };
  if (/^[4679]/.test(number)) return undefined;
  const leaveOut = 'This site takes NHS numbers of England and Wales: leave it out';
  if (/^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])/.test(number))
    return { message: `may be a CHI number of Scotland. ${leaveOut}`, code: 'chi-number' };
  if (/^3[2-9]/.test(number))
    return {
      message: `may be a Health and Care number of Northern Ireland. ${leaveOut}`,
      code: 'health-and-care-number',
    };
  return {
    message: 'is not a number that England or Wales has issued: check its ten digits',
    code: 'not-issued',
  };
}
