/** The placeholder for words that were taken out: a private-use character, which nobody types. {@link closeGaps} removes it. */
export const gap = '\u{E000}';

// Removes what would show that a name stood there: its address, title and initials, and the punctuation around it. The order matters:
// each step leaves one gap for the next.
const steps: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // A web or email address with the name in it.
  [new RegExp(`https?://\\S*${gap}\\S*`, 'gu'), gap],
  [new RegExp(`[^\\s@<>()]*${gap}[^\\s@<>()]*@[\\w.-]*\\w`, 'gu'), gap],
  [new RegExp(`[^\\s@<>()]+@[\\w.-]*${gap}[\\w.-]*\\w`, 'gu'), gap],
  // The title and the initials before a name.
  [new RegExp(`(?<![\\p{L}\\p{N}])(?:\\p{Lu}\\.[ \\u00A0]?){1,3}(?=${gap})`, 'gu'), ''],
  [
    new RegExp(`(?<![\\p{L}\\p{N}])(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Lady)\\.?[ \\u00A0](?=${gap})`, 'giu'),
    '',
  ],
  // Gaps beside each other, such as of a first and a last name.
  [new RegExp(`${gap}(?:[\\s._/'’–-]*${gap})+`, 'gu'), gap],
  [new RegExp(`${gap}['’]s(?![\\p{L}\\p{N}])`, 'gu'), gap],
  [new RegExp(`[(\\[<“‘"']\\s*${gap}\\s*[)\\]>”’"']`, 'gu'), gap],
  // Inside a word or the name of a file.
  [new RegExp(`([_/–-])${gap}\\1`, 'gu'), '$1'],
  [new RegExp(`[_/–-]+${gap}|${gap}[_/–-]+`, 'gu'), ''],
  [new RegExp(`\\.${gap}(?=\\.)`, 'gu'), ''],
  // A sentence, or a part between commas, that held nothing else.
  [new RegExp(`(^|[.!?]\\s+)${gap}\\s*[.!?,;:]+(?:\\s+|$)`, 'gu'), '$1'],
  [new RegExp(`[,;:]\\s*${gap}\\s*(?=[.,;:!?]|$)`, 'gu'), ''],
  [new RegExp(gap, 'gu'), ''],
  [/ {2,}/g, ' '],
  [/ +(?=[.,;:!?)])/g, ''],
];

/** The text without its gaps, as if the words had never stood there. */
export function closeGaps(text: string): string {
  const result = steps.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text).trim();
  // The words were the whole name of a file, and only its ending remains.
  if (/^\.[a-z\d]{2,5}$/i.test(result)) return `file${result}`;
  return /[\p{L}\p{N}]/u.test(result) ? result : '';
}
