import { createRequire } from 'node:module';
import type { FieldError } from '../../platform/problem/index.ts';

export const minPasswordLength = { alone: 15, withSecondFactor: 8 } as const;
const maxLength = 256;

/** What is known of whoever chooses a password: what somebody who guesses would try first. */
export type AboutPassword = {
  hasSecondFactor: boolean;
  /** Email address, name, the site's name. */
  about: readonly string[];
};

/**
 * What is wrong with a new password, if anything. Length is what makes one hard to guess; rules about its characters
 * only make it hard to remember. So there are none, but what is tried first by everybody who guesses is refused
 * (NIST SP 800-63B, 3.1.1.2).
 */
export function passwordErrors(
  password: string,
  { hasSecondFactor, about }: AboutPassword,
): readonly FieldError[] {
  const text = password.normalize('NFKC');
  const length = [...text].length;
  const min = hasSecondFactor ? minPasswordLength.withSecondFactor : minPasswordLength.alone;
  if (length < min) return [wrong(`must have ${min} characters or more`)];
  if (length > maxLength) return [wrong(`must have ${maxLength} characters or fewer`)];
  if (isRepeated(text) || isGuessable(text, about)) {
    const notThese = 'a common password, your name or email address, this site’s name, or a pattern';
    return [wrong(`must be harder to guess: it must not be ${notThese}`)];
  }
  return [];
}

const wrong = (message: string): FieldError => ({ pointer: '/password', message });

/** Whether it is one part over and over, such as `abcabcabcab`. */
function isRepeated(text: string): boolean {
  for (let part = 1; part <= text.length / 2; part += 1) {
    if (text.startsWith(text.slice(part))) return true;
  }
  return false;
}

/** Whether little is left of it, or a common password, without what is known of its owner and without runs. */
function isGuessable(text: string, about: readonly string[]): boolean {
  let rest = plain(text);
  if (isCommonPassword(text.toLowerCase()) || isCommonPassword(rest)) return true;
  for (const word of wordsAbout(about)) rest = rest.replaceAll(word, '');
  const left = withoutRuns(rest);
  const core = left.replace(/^\p{N}+|\p{N}+$/gu, '');
  const isLittle = core.length < fewest && left.length < plain(text).length;
  return isLittle || isCommonPassword(core);
}

/** What has to be left; and what is shorter is no word to look for, since it occurs in others. */
const fewest = 4;

/** Letters and digits alone, in small letters: `P a s s w o r d!` is `password`. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The longest first: a whole name before its parts. */
function wordsAbout(about: readonly string[]): string[] {
  return about
    .flatMap((text) => [text, ...text.split('@', 1), ...(text.includes('@') ? [] : text.split(/\s+/))])
    .map(plain)
    .filter((word) => word.length >= fewest)
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

/** Takes out every four characters or more that stand in a row, in the alphabet, on a keyboard or by being the same. */
function withoutRuns(text: string): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at);
    if (length < fewest) kept += text.slice(at, at + Math.max(1, length));
    at += Math.max(1, length);
  }
  return kept;
}

function runAt(text: string, at: number): number {
  let length = 1;
  const isRun = (run: string) => rows.some((row) => row.includes(run)) || new Set(run).size === 1;
  while (at + length < text.length && isRun(text.slice(at, at + length + 1))) length += 1;
  return length;
}

/**
 * Whether a password, in small letters, is among the 49,000 that people use most (those of zxcvbn, from real leaks).
 * The list is read when first asked for: most processes never check a new password, and it takes 25 ms and 4 MB.
 */
export function isCommonPassword(text: string): boolean {
  common ??= new Set(readList());
  return common.has(text);
}

let common: ReadonlySet<string> | undefined;

function readList(): readonly string[] {
  const { dictionary } = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  ) as typeof import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'] as string[];
}

/** Whether a password is long enough to let somebody in without a second factor. */
export function isEnoughAlone(password: string): boolean {
  return [...password.normalize('NFKC')].length >= minPasswordLength.alone;
}
