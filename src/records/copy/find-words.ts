import { withoutInvisible } from '../../platform/visible-text.ts';

// Finds words to black out, in every form in which somebody may have written them.

/** Matches the accents, and what prints nothing, after a character, such as a soft hyphen from a word processor. */
const trail = String.raw`[\p{M}\p{Default_Ignorable_Code_Point}]*`;
/**
 * Matches white space, inside a class. `\s` also has a character that prints nothing, and a pattern that can match the same text in two
 * ways may take exponential time.
 */
const space = String.raw`\t\n\v\f\r\p{Zs}\u2028\u2029`;
const hyphens = '\\-‐‑‒–—−⁃';
const slashes = '/\\\\|⁄∕';
const apostrophes = "'’‘ʼ′`´";
/**
 * Matches a hyphen, at the end of a line too, a slash or an apostrophe. No two parts of a pattern here match the same character, so that
 * matching cannot take exponential time.
 */
const punctuation = `[${hyphens}${slashes}${apostrophes}]{1,3}[${space}\\p{Default_Ignorable_Code_Point}]*`;
/** Matches a space that is not typed between words, such as a no-break space. */
const hardSpace = String.raw`[\u00A0\u2007\u202F]+${trail}`;
/** Words of four letters and more are also found across a line end. Shorter ones are not: “in” and “a” on two lines are not Ina. */
const lineEnd = String.raw`[ \t]*[\r\n]+[ \t]*${trail}`;
const insideWord = `(?:${punctuation}|${hardSpace})?`;
const insideLongWord = `(?:${punctuation}|${hardSpace}|${lineEnd})?`;
/** Matches any space in a longer word, as in “Zebe dee”, with or without a hyphen after it. */
const spaceInLongWord = `(?:${punctuation}|[${space}]+${trail}(?:${punctuation})?)?`;
const minLongWord = 4;
/** If both halves of a name are words, as in “as if”, a space between them does not count as one inside the name. */
const ordinaryWords = new Set(
  `a i am an as at be by do go he if in is it me my no of oh on or so to up us we all and any are ask bad big but can car cat day did dog
  eat end far few for get got had has hat her him his hot how ill its job let lot man may men met new not now off old one our out own pay
  put ran red run said sat saw say see set she sit son ten than that the them then they this too two use van was way well went were what
  when who why will with yes yet you your`.split(/\s+/),
);
const betweenSpacedLetters = `[${space}._*·${slashes}${hyphens}]{1,3}${trail}`;
const betweenWords = `(?:[${space}._${slashes}${hyphens}]${trail})+`;
const betweenDigits = String.raw`(?:[${space}().${slashes}${hyphens}]|\p{Default_Ignorable_Code_Point})*`;

/** Letters of other alphabets that look like a Latin letter, in upper or lower case, and letters that are often typed instead. */
const lookalikes: Readonly<Record<string, string>> = {
  ...{ a: 'αа', b: 'βвь', c: 'сϲ', d: 'ԁđ', e: 'εе', f: 'ϝƒ', g: 'ԍɡ', h: 'ηнһ', i: 'ιіı', j: 'јϳ', k: 'κк' },
  ...{ l: 'ӏł', m: 'μм', n: 'νηп', o: 'οоøօ', p: 'ρр', q: 'ԛ', r: 'г', s: 'ѕ', t: 'τт', u: 'υս', v: 'νѵ' },
  ...{ w: 'ωԝ', x: 'χх', y: 'υγуү', z: 'ζ' },
};

/** Whether the words are in the text. */
export function hasWords(text: string, words: RegExp): boolean {
  return comparable(text).search(words) >= 0;
}

/** The text with `instead` in place of the words. */
export function replaceWords(text: string, words: RegExp, instead: string): string {
  return comparable(text).replaceAll(words, instead).normalize('NFC');
}

/** Makes each accent a character of its own, which {@link patternOf} ignores. */
function comparable(text: string): string {
  return text.normalize('NFD');
}

/**
 * A pattern that matches the words as whole words, with or without capitals and accents. It also matches them with characters that print
 * nothing between their letters; divided by a hyphen, a slash, a space or the end of a line; with a space after each letter; and with
 * letters of another alphabet that look the same. It matches the digits of a telephone number in any groups.
 */
export function patternOf(words: string): RegExp {
  const text = withoutInvisible(comparable(words)).trim();
  const isNumber = new RegExp(`^[\\d${space}()+${hyphens}]+$`, 'u').test(text) && /\d/.test(text);
  const body = isNumber
    ? [...text.replaceAll(/\D/g, '')].join(betweenDigits)
    : text
        .split(/(?<=[\p{L}\p{M}\p{N}])[\s._/-]+(?=[\p{L}\p{N}])|\s+/u)
        .map(patternOfWord)
        .join(betweenWords);
  return new RegExp(String.raw`(?<![\p{L}\p{N}]${trail})${body}(?!${trail}[\p{L}\p{N}])`, 'giu');
}

function patternOfWord(word: string): string {
  // People often leave out accents, and an apostrophe, as in OBrien.
  const isOptional = (character: string) =>
    /\p{M}/u.test(character) || (apostrophes.includes(character) && /\p{L}/u.test(word));
  const letters = [...word].filter((character) => !isOptional(character));
  const patterns = letters.map(patternOfLetter);
  const unspaced = patterns
    .map((pattern, index) => (index === 0 ? '' : insideAt(letters, index)) + pattern)
    .join('');
  return `(?:${unspaced}|${patterns.join(betweenSpacedLetters)})`;
}

/** Matches what may come in a word before the letter with this index. */
function insideAt(letters: readonly string[], index: number): string {
  if (letters.length < minLongWord) return insideWord;
  const parts = [letters.slice(0, index), letters.slice(index)];
  const areWords = parts.every((part) => ordinaryWords.has(part.join('').toLowerCase()));
  return areWords ? insideLongWord : spaceInLongWord;
}

function patternOfLetter(letter: string): string {
  if (!/\p{L}/u.test(letter)) return letter.replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`) + trail;
  return `[${lettersLike(letter.toLowerCase())}]${trail}`;
}

/** The letter itself, the Latin letters that it looks like, and all that look like those. */
function lettersLike(letter: string): string {
  const groups = Object.entries(lookalikes).map(
    ([latin, others]) => latin + String.fromCodePoint(latin.codePointAt(0)! + toWide) + others,
  );
  return letter + groups.filter((letters) => letters.includes(letter)).join('');
}

/** From a letter to its wide form, which Chinese and Japanese keyboards have. */
const toWide = 0xfee0;
