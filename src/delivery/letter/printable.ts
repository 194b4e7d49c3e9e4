/** Printed in place of characters that the typeface does not have. */
export const unprintable = '\uFFFD';

// Controls, marks of direction, joiners and selectors print nothing. The exception separates letters in Persian words.
const invisible = /(?!\u200C)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * pdfkit measures the whole rest of a word again for every line: 10,000 characters without a space took 1.4 s. Longer words
 * get invisible places to break.
 */
const longWord = /\S{200}/gu;

/** The text with only the characters that the typeface has. Each run of others becomes one `unprintable`. */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .normalize('NFC')
    .replaceAll(invisible, (character) => (character === '\n' ? '\n' : ''));
  const characters = [...clean].map((character) =>
    character === '\n' || hasGlyph(character.codePointAt(0)!) ? character : unprintable,
  );
  return characters
    .join('')
    .replaceAll(/\uFFFD+/g, unprintable)
    .replaceAll(longWord, '$&\u200B');
}
