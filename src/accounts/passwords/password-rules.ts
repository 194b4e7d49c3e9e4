import { createRequire } from 'node:module';
import type { FieldError } from '../../platform/problem/index.ts';

export const minPasswordLength = { alone: 15, withSecondFactor: 8 } as const;
const maxLength = 256;

/** What somebody who guesses a password would try first. */
export type PasswordContext = {
  hasSecondFactor: boolean;
  /** The person's email address and name, and the site's name. */
  about: readonly string[];
};

/**
 * @returns what is wrong with a new password. Length makes a password hard to guess; rules about its characters only make it
 * hard to remember. So there are none, but passwords that are tried first are refused (NIST SP 800-63B, 3.1.1.2).
 */
export function checkNewPassword(
  password: string,
  { hasSecondFactor, about }: PasswordContext,
): readonly FieldError[] {
  const text = password.normalize('NFKC');
  const length = [...text].length;
  const min = hasSecondFactor ? minPasswordLength.withSecondFactor : minPasswordLength.alone;
  if (length < min) return [passwordError(`must have ${min} characters or more`)];
  if (length > maxLength) return [passwordError(`must have ${maxLength} characters or fewer`)];
  if (isRepeated(text) || isGuessable(text, about)) {
    const notThese = 'a common password, your name or email address, this site’s name, or a pattern';
    return [passwordError(`must be harder to guess: it must not be ${notThese}`)];
  }
  return [];
}

const passwordError = (message: string): FieldError => ({ pointer: '/password', message });

/** Whether the text is one part repeated, such as `abcabcabcab`. */
function isRepeated(text: string): boolean {
  for (let part = 1; part <= text.length / 2; part += 1) {
    if (text.startsWith(text.slice(part))) return true;
  }
  return false;
}

/** Whether what is left after taking out the names of the owner and the site, and keyboard runs, is short or common. */
function isGuessable(text: string, about: readonly string[]): boolean {
  let rest = keepLettersAndDigits(text);
  if (isCommonPassword(text.toLowerCase()) || isCommonPassword(rest)) return true;
  for (const word of wordsAbout(about)) rest = rest.replaceAll(word, '');
  const left = withoutRuns(rest);
  const core = left.replace(/^\p{N}+|\p{N}+$/gu, '');
  const isShort = core.length < minPartLength && left.length < keepLettersAndDigits(text).length;
  return isShort || isCommonPassword(core);
}

/** Only words and runs of at least this length are removed, since shorter ones occur in other words. */
const minPartLength = 4;

/** Only the letters and digits, in small letters: `P a s s w o r d!` becomes `password`. */
function keepLettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The words about the person and the site, the longest first: a whole name before its parts. */
function wordsAbout(about: readonly string[]): string[] {
  return about
    .flatMap((text) => [text, ...text.split('@', 1), ...(text.includes('@') ? [] : text.split(/\s+/))])
    .map(keepLettersAndDigits)
    .filter((word) => word.length >= minPartLength)
    .sort((a, b) => b.length - a.length);
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
].flatMap((row) => [row + row, [...row].toReversed().join('').repeat(2)]);

/** Removes four or more characters in a row of the alphabet or a keyboard, or all the same. */
function withoutRuns(text: string): string {
  let rest = '';
  for (let at = 0; at < text.length; ) {
    const length = runLength(text, at);
    if (length < minPartLength) rest += text.slice(at, at + Math.max(1, length));
    at += Math.max(1, length);
  }
  return rest;
}

function runLength(text: string, at: number): number {
  let length = 1;
  const isRun = (run: string) => rows.some((row) => row.includes(run)) || new Set(run).size === 1;
  while (at + length < text.length && isRun(text.slice(at, at + length + 1))) length += 1;
  return length;
}

let common: ReadonlySet<string> | undefined;

/**
 * Whether a password, in small letters, is one of the 49,000 most used (zxcvbn's list, from real leaks). The list is read
 * when first needed: it takes 25 ms and 4 MB, and most processes never check a new password.
 */
export function isCommonPassword(text: string): boolean {
  common ??= new Set(readList());
  return common.has(text);
}

function readList(): readonly string[] {
  const { dictionary } = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  ) as typeof import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'] as string[];
}

/** Whether a password is long enough to let somebody in without a second factor. */
export function isLongEnoughAlone(password: string): boolean {
  return [...password.normalize('NFKC')].length >= minPasswordLength.alone;
}
