import { type FieldError, Problem, unprocessable } from './problem/index.ts';
import { cleanText, withoutInvisible } from './visible-text.ts';

const minLetterCount = 6;
/** “aaaa aaaaaa” and “asas sasa” say nothing. The shortest true reasons, such as “Dad died”, have as many different letters. */
const minDifferentLetterCount = 4;
/** In characters, unless the caller says otherwise. */
export const maxReasonLength = 500;

/** What a reason must be, for the API document and the hints of forms. */
export const reasonRule = 'A few words that a colleague would understand';

/**
 * Checks the reason that somebody gives for looking at something or changing it. People read it later in the audit, so one
 * word is not enough. @returns it without the spaces around it and invisible characters. @throws Problem `unprocessable`.
 */
export function requireReason(
  typed: string | undefined,
  { maxLength = maxReasonLength, pointer = '/reason' } = {},
): string {
  const errors = reasonErrors(typed, { maxLength, pointer });
  if (errors.length === 0) return cleanText(typed ?? '');
  throw new Problem(unprocessable, 'Give a reason.', { errors });
}

/**
 * What is wrong with the reason, to be said together with what else is wrong. A form that asks for something other than why,
 * such as what it is for, says so in `request`.
 */
export function reasonErrors(
  typed: string | undefined,
  options: { maxLength?: number; pointer?: string; request?: string } = {},
): FieldError[] {
  const { maxLength = maxReasonLength, pointer = '/reason', request } = options;
  const reason = withoutInvisible(cleanText(typed ?? ''));
  if (reason === '') return [{ pointer, code: 'required', message: request ?? 'Enter a reason' }];
  if ([...reason].length > maxLength)
    return [{ pointer, code: 'maxLength', message: `must have at most ${maxLength} characters` }];
  if (!saysNothing(reason)) return [];
  const message = `${request ?? 'Say why'} in a few words that a colleague would understand`;
  return [{ pointer, code: 'says-nothing', message }];
}

/**
 * What is wrong with the words about what somebody did. Others rely on it, so “nobody was told” is no answer.
 * It is for dangers, and for what did not arrive.
 */
export function errorsInWhatWasDone(
  typed: string | undefined,
  { request, ...options }: { request: string; maxLength?: number; pointer?: string },
): FieldError[] {
  const errors = reasonErrors(typed, { request, ...options });
  if (errors.length > 0 || !saysNothingDone(typed ?? '')) return errors;
  const message = `${request} in a few words that a colleague would understand. If nothing was done yet, act first`;
  return [{ pointer: options.pointer ?? '/reason', code: 'says-nothing', message }];
}

/** What an operator wrote about what they did. @throws Problem `unprocessable`. */
export function requireWhatWasDone(typed: string): string {
  const errors = errorsInWhatWasDone(typed, { pointer: '/words', request: 'Say what you did' });
  if (errors.length === 0) return cleanText(typed);
  throw new Problem(unprocessable, undefined, { errors });
}

/** “Nobody was told”, “No action taken yet”, “I will do it later”: it denies or puts off, and has no word that says more. */
function saysNothingDone(typed: string): boolean {
  const plain = withoutInvisible(cleanText(typed)).toLowerCase().replaceAll('’', "'");
  const words = (plain.match(/\p{L}+(?:'\p{L}+)*/gu) ?? []).filter((word) => word.length > 1);
  return (
    words.some((word) => notDoneWords.has(word)) &&
    words.every((word) => notDoneWords.has(word) || deedWords.has(word) || emptyWords.has(word))
  );
}

/**
 * Whether a text only fills a field: one word, the same word again, one character, the keys beside each other, words that people
 * type in order to go on, or only who asked (“GP asked”), which does not say why. It judges every reason of the site,
 * in any language that has spaces between words.
 */
function saysNothing(reason: string): boolean {
  const plain = reason.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  if (namesTicket.test(plain)) return false;
  const letters = plain.match(/\p{L}/gu) ?? [];
  const words = new Set((plain.match(/\p{L}+(?:['’-]\p{L}+)*/gu) ?? []).filter(isWord));
  const isEmpty = [...words].every((word) => emptyWords.has(word) || whoAskedWords.has(word));
  return (
    words.size < 2 ||
    isEmpty ||
    letters.length < minLetterCount ||
    new Set(letters).size < minDifferentLetterCount
  );
}

/** “Ticket 77”, “case no. 12/3”, “INC0012345”, “letter of 3 May”: a colleague can look up why. */
const namesTicket =
  /(?<![\p{L}\p{N}])(?:ticket|case|incident|issue|complaint|request|enquiry|reference|ref|datix|jira|d?sar|foi|inc|req|chg|ritm|letter|e-?mail|form|call)s?[\s.:#/-]*(?:(?:no|nr|number|id|of|from|on|dated)[\s.:#/-]*)?\d/u;

/** A letter alone counts for nothing, and neither does one that is repeated (“xxxx”, “hahaha”). */
function isWord(word: string): boolean {
  const isRepeated = /^(.)\1*$|^(..)\2{2,}$|^(...)\3{2,}$/u.test(word);
  return word.length > 1 && !isRepeated && !isRunOfKeys(word);
}

const rowsOfKeys = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertz',
  'azerty',
  'qaz',
  'wsx',
  'edc',
  'rfv',
  'tgb',
  'yhn',
];
const minRunLength = 3;

/** Whether the word is nothing but keys beside each other, in one run or several: “asdfgh”, “qweasd”, “lkjhg”. */
function isRunOfKeys(word: string): boolean {
  let from = 0;
  while (from < word.length) {
    const length = Math.max(
      ...rowsOfKeys.map((row) => Math.max(runLength(word, from, row, 1), runLength(word, from, row, -1))),
    );
    if (length < minRunLength) return false;
    from += length;
  }
  return true;
}

function runLength(word: string, from: number, row: string, direction: 1 | -1): number {
  const start = row.indexOf(word[from]!);
  if (start < 0) return 0;
  let length = 1;
  while (from + length < word.length && row[start + direction * length] === word[from + length]) length++;
  return length;
}

/** Alone, these say nothing: words that fill a field, and the small words between them. */
const emptyWords = new Set(
  [
    'test tests testing tester tested entry dummy sample example blah bla foo bar baz qux lorem ipsum dolor sit amet',
    'none nothing nil null nope no not yes ok okay tbc tbd temp todo whatever various misc unknown known unsure',
    'reason reasons given needed required applicable available because just something anything thing things stuff',
    'hello hi hey other etc idk dunno fine',
    'note notes above below attached attachment letter form file referral details info information record records',
    'discussed agreed per same',
    'the an this that it is was to of for in on at and or as so by be do my me we us',
  ].flatMap((line) => line.split(' ')),
);

/** Somebody at work, and that they want it. A reader still does not know what for. */
const whoAskedWords = new Set(
  [
    'gp gps doctor doctors dr nurse nurses practice surgery colleague colleagues manager boss supervisor team staff',
    'he she they him her them his their you your somebody someone',
    'ask asks asked asking want wants wanted request requests requested requesting say says said tell tells told',
    'see look looked looking open opened opening check checked checking please',
  ].flatMap((line) => line.split(' ')),
);

/** They deny that something was done, or put it off. */
const notDoneWords = new Set(
  "no not none nil nothing nobody noone never will later haven't hasn't hadn't didn't wasn't weren't couldn't can't".split(
    ' ',
  ),
);

/** The other words of sentences such as “Nobody has been told yet” and “No further action was needed”. */
const deedWords = new Set(
  [
    'did do done doing does act acts acted acting action actions further taken take took happened',
    'tell tells told telling say said inform informed contact contacted call called ring rang rung phoned speak spoken',
    'has have had having been were are am be being yet so far now today tomorrow soon still',
    'one anyone anybody any somebody someone else he she him her they them us about with all need necessary',
  ].flatMap((line) => line.split(' ')),
);
