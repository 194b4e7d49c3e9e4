import bidiFactory, { type Bidi } from 'bidi-js';

/** Printed in place of characters that the typeface does not have. */
export const unprintable = '\uFFFD';

// Controls, marks of direction, joiners and selectors print nothing. The exception separates letters in Persian words.
const invisible = /(?!\u200C)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * pdfkit measures the whole rest of a word again for every line: 10,000 characters without a space took 1.4 s. Longer words
 * get invisible places to break.
 */
const longWord = /\S{200}/gu;

const rightToLeftLetter =
  '[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]';
const anyRightToLeft = new RegExp(rightToLeftLetter, 'u');

/** Whether any of it is in a script that is read from right to left, such as Arabic. */
export function isRightToLeft(text: string): boolean {
  return anyRightToLeft.test(text);
}

/** The same without those letters: “Yusuf (يوسف)” gives “Yusuf ()”, whose brackets `printedPart` removes. */
export function withoutRightToLeft(text: string): string {
  return text.replaceAll(new RegExp(`${rightToLeftLetter}+`, 'gu'), '');
}

/** Only those letters: “Yusuf (يوسف)” gives “يوسف”. */
export function onlyRightToLeft(text: string): string {
  return (text.match(new RegExp(`${rightToLeftLetter}+(?:\\s+${rightToLeftLetter}+)*`, 'gu')) ?? []).join(
    ' ',
  );
}

const rightToLeftWords = new RegExp(`${rightToLeftLetter}\\S*(?: ${rightToLeftLetter}\\S*)+`, 'gu');

/** As many words fit on a line of a letter, so pdfkit does not break them into lines at the wrong places. */
const maxWordsOnLine = 5;

/** A line of more words than fit gets lines of its own here, because pdfkit would break it in the order in which it is seen. */
function arrangeRightToLeft(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => (isReadFromRight(line) ? shortLines(line) : withoutLongRuns(line).split('\n')))
    .map(arrangeForPdfkit)
    .join('\n');
}

/**
 * Whether the line is read from right to left as a whole. An English sentence that begins with an Arabic name is not: at least a third of
 * the letters have to be of such a script.
 */
function isReadFromRight(line: string): boolean {
  const letters = line.match(/\p{L}/gu) ?? [];
  const fromRight = letters.filter((letter) => anyRightToLeft.test(letter));
  return letters[0] !== undefined && letters[0] === fromRight[0] && fromRight.length * 3 >= letters.length;
}

function withoutLongRuns(line: string): string {
  const parted = line.replaceAll(rightToLeftWords, (run) =>
    run.split(' ').length > maxWordsOnLine ? `\n${shortLines(run).join('\n')}\n` : run,
  );
  return parted.replaceAll(/^\n|(?<=\n) | (?=\n)|\n$/g, '');
}

function shortLines(text: string): string[] {
  const words = text.split(' ');
  const count = Math.ceil(words.length / maxWordsOnLine);
  return Array.from({ length: count }, (_, line) =>
    words.slice(line * maxWordsOnLine, (line + 1) * maxWordsOnLine).join(' '),
  );
}

// Its types describe the module for bundlers; Node loads the other one, which is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)();

/**
 * A line in the order in which pdfkit has to be given it. pdfkit sets each word, with the space behind it, on its own: from the right if
 * it has a letter of such a script, digits and brackets included. So each run of these words is given as one word, which is the run as
 * it is seen on paper (Unicode’s algorithm), turned round.
 */
function arrangeForPdfkit(line: string): string {
  if (!isRightToLeft(line)) return line;
  const isFromRight = isReadFromRight(line);
  const isolated = isFromRight ? line : line.replaceAll(runsToIsolate, '\u2067$&\u2069');
  const levels = bidi.getEmbeddingLevels(isolated, isFromRight ? 'rtl' : 'ltr');
  const asSeen = bidi.getReorderedString(isolated, levels).replaceAll(/[\u2067\u2069]/g, '');
  const words = asSeen.replaceAll(whereDirectionsMeet, '$& ').split(' ');
  return joinRuns(words).join(' ');
}

/** Otherwise a number that follows such a name would change its place: “Ali, 7 High Street”. */
const runsToIsolate = new RegExp(
  `${rightToLeftLetter}[^\\s,;]*(?: (?:${rightToLeftLetter}[^\\s,;]*|\\p{Nd}+))*`,
  'gu',
);

/** A letter of each direction without a space between them. */
const whereDirectionsMeet = new RegExp(
  `(${rightToLeftLetter})(?=(?!${rightToLeftLetter})\\p{L})|((?!${rightToLeftLetter})\\p{L})(?=${rightToLeftLetter})`,
  'gu',
);

/** These are set from the right, like the letters. */
const isSetFromRight = new RegExp(`${rightToLeftLetter}|[\\p{Nd}--[0-9]]|[\u060C\u061B\u061F]`, 'v');

/** @param words as they are seen, from the left. */
function joinRuns(words: readonly string[]): string[] {
  const parts: string[] = [];
  let run: string[] = [];
  const endRun = (isLast: boolean) => {
    if (run.length > 0) parts.push(turned(isLast ? run.join(' ') : `${run.join(' ')} `));
    run = [];
  };
  for (const [index, word] of words.entries()) {
    const isBetween = run.length > 0 && !/\p{L}/u.test(word) && isSetFromRight.test(words[index + 1] ?? '');
    if (isSetFromRight.test(word) || isBetween) run.push(word);
    else {
      endRun(false);
      parts.push(word);
    }
  }
  endRun(true);
  return parts;
}

/** No-break spaces keep it one word. */
function turned(run: string): string {
  return run
    .split('')
    .toReversed()
    .join('')
    .replaceAll(/([\uDC00-\uDFFF])([\uD800-\uDBFF])/g, '$2$1')
    .replaceAll(' ', '\u00A0');
}

/** The text with only the characters that the typeface has. Each run of others becomes one `unprintable`. */
export function toPrintable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .normalize('NFC')
    .replaceAll(invisible, (character) => (character === '\n' ? '\n' : ''));
  const characters = [...clean].map((character) =>
    character === '\n' || hasGlyph(character.codePointAt(0)!) ? character : unprintable,
  );
  const withGlyphs = characters.join('').replaceAll(/\uFFFD+/g, unprintable);
  return arrangeRightToLeft(withGlyphs).replaceAll(longWord, '$&\u200B');
}
