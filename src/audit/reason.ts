import { type FieldError, Problem, unprocessable } from '../platform/problem/index.ts';
import { asTyped, withoutInvisible } from '../platform/visible-text.ts';

const minWords = 2;
const minLetters = 10;
/** “aaaa aaaaaa” and “xx xxxxxxxxxx” say nothing. The shortest true reasons have more than this many different letters. */
const minDifferentLetters = 5;
const defaultMaxLength = 500;

/** What an operator's reason must be, for the API document and the hints of forms. */
export const reasonRule = `At least ${minWords} different words and ${minLetters} letters, ${minDifferentLetters} of them different`;

/**
 * Checks the reason an operator gives for looking at something or changing it. People read it later in the audit, so one
 * word is not enough. @returns it without the spaces around it and invisible characters. @throws Problem `unprocessable`.
 */
export function requireReason(typed: string | undefined, { maxLength = defaultMaxLength } = {}): string {
  const errors = reasonErrors(typed, { maxLength });
  if (errors.length === 0) return asTyped(typed ?? '');
  throw new Problem(unprocessable, 'Give a reason.', { errors });
}

/** What is wrong with the reason, to be said together with what else is wrong. */
export function reasonErrors(typed: string | undefined, { maxLength = defaultMaxLength } = {}): FieldError[] {
  const fault = reasonFault(withoutInvisible(asTyped(typed ?? '')), maxLength);
  return fault === undefined ? [] : [{ pointer: '/reason', ...fault }];
}

function reasonFault(reason: string, maxLength: number): Omit<FieldError, 'pointer'> | undefined {
  if (reason === '') return { code: 'required', message: 'Enter a reason' };
  if ([...reason].length > maxLength)
    return { code: 'maxLength', message: `must have at most ${maxLength} characters` };
  const plain = reason.toLowerCase();
  const words = plain.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = plain.match(/\p{L}/gu) ?? [];
  const isEnough =
    new Set(words).size >= minWords &&
    letters.length >= minLetters &&
    new Set(letters).size >= minDifferentLetters;
  if (isEnough) return undefined;
  return { code: 'too-short', message: `must have ${reasonRule.toLowerCase()}` };
}
