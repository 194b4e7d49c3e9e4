/** Stands on paper where the typeface has no sign for what was written. */
export const unprintable = '\uFFFD';

// Controls, marks of direction, and what only joins or colours signs: nothing to print. The one exception parts the
// letters of Persian words.
const invisible = /(?!\u200C)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Line breaking looks at a whole word again for every line of it: 10,000 characters without a space took 1.4 s, in
 * which the site did nothing else. Longer ones get an invisible place to break.
 */
const maxWordLength = /\S{200}/gu;

/** The text as it can be set: whole characters that the typeface has, each run of others as one sign. */
export function printable(text: string, hasSign: (codePoint: number) => boolean): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .normalize('NFC')
    .replaceAll(invisible, (character) => (character === '\n' ? '\n' : ''));
  const signs = [...clean].map((character) =>
    character === '\n' || hasSign(character.codePointAt(0)!) ? character : unprintable,
  );
  return signs
    .join('')
    .replaceAll(/\uFFFD+/g, unprintable)
    .replaceAll(maxWordLength, '$&\u200B');
}
