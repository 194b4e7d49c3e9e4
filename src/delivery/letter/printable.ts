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
const maxTurnedWords = 5;

/**
 * pdfkit sets the letters of such a word from the right, but the words of a line from the left, so they are turned round here. A longer
 * text gets lines of its own before that.
 */
function turnRightToLeftWords(text: string): string {
  return text
    .split('\n')
    .map((line) => (beginsRightToLeft(line) ? inTurnedLines(line) : turnRunsWithin(line)))
    .join('\n');
}

/** Its first letter decides in which direction a line is read. */
function beginsRightToLeft(line: string): boolean {
  const [first = ''] = line.match(/\p{L}/u) ?? [];
  return anyRightToLeft.test(first);
}

function turnRunsWithin(line: string): string {
  const turned = line.replaceAll(rightToLeftWords, (run) =>
    run.split(' ').length > maxTurnedWords ? `\n${inTurnedLines(run)}\n` : turnedWords(run.split(' ')),
  );
  return turned.replaceAll(/^\n|(?<=\n) | (?=\n)|\n$/g, '');
}

function inTurnedLines(text: string): string {
  const words = text.split(' ');
  const count = Math.ceil(words.length / maxTurnedWords);
  return Array.from({ length: count }, (_, line) =>
    turnedWords(words.slice(line * maxTurnedWords, (line + 1) * maxTurnedWords)),
  ).join('\n');
}

/** The words of a line from the left. Names and numbers in other scripts keep their own order. */
function turnedWords(words: readonly string[]): string {
  const groups: string[][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last && !isRightToLeft(word) && !isRightToLeft(last[0]!)) last.push(word);
    else groups.push([word]);
  }
  return groups.toReversed().flat().join(' ');
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
  return turnRightToLeftWords(withGlyphs).replaceAll(longWord, '$&\u200B');
}
