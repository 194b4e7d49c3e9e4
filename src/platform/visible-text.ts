/**
 * Characters that print nothing: controls, marks of direction, zero-width joiners, fillers. Two texts may look the same and differ only in
 * these, so that a name is not recognised. Line ends and tabs are not among them.
 */
const invisible = /(?![\n\r\t])[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** Zero-width joiners: they join the letters of Persian and Indic words and the parts of an emoji. */
const joiners = '\u200C\u200D\uFE0F';

/**
 * Whether a name, of a patient or of an account, is one line without invisible characters. With them it could pretend to be part of a
 * letter or a page, or look like another name. Joiners may stand in it, beside something that prints.
 */
export function isPlainLine(name: string): boolean {
  if (/[\n\r\t\u2028\u2029]/.test(name)) return false;
  const visible = withoutInvisible(name);
  const unjoined = [...name].filter((character) => !joiners.includes(character)).join('');
  return visible === unjoined && (visible.trim() !== '' || name.trim() === '');
}

/** A name on one line: line ends and tabs, which come along when it is copied from a table, become a space. */
export function onOneLine(name: string): string {
  return name.replaceAll(/\s*[\n\r\t\u2028\u2029]\s*/g, ' ').trim();
}

/** Brings the names in these fields onto one line. A field that is absent stays absent. */
export function withNamesOnOneLine<T extends object>(fields: T, names: readonly (keyof T)[]): T {
  const plain = names.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' ? [[name, onOneLine(value)]] : [];
  });
  return { ...fields, ...(Object.fromEntries(plain) as Partial<T>) };
}

/** The text without characters that print nothing. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, '');
}

/**
 * The text without white space around it and without invisible characters, which come along when a text is copied from elsewhere.
 * Joiners stay, unless there is nothing to join.
 */
export function cleanText(text: string): string {
  const clean = text
    .replaceAll('\r\n', '\n')
    .replaceAll(invisible, (character) => (joiners.includes(character) ? character : ''))
    .trim();
  return withoutInvisible(clean).trim() === '' ? '' : clean;
}
