const kinds = [
  { mediaType: 'application/pdf', ending: 'pdf', begins: Buffer.from('%PDF-') },
  { mediaType: 'image/png', ending: 'png', begins: Buffer.from('89504e470d0a1a0a', 'hex') },
  { mediaType: 'image/jpeg', ending: 'jpg', begins: Buffer.from('ffd8ff', 'hex') },
] as const;

export type MediaType = (typeof kinds)[number]['mediaType'];
export const mediaTypes = kinds.map(({ mediaType }) => mediaType);

/** What a file is by its first octets, whatever it is called; undefined for what is not taken. */
export function kindOf(content: Buffer): (typeof kinds)[number] | undefined {
  return kinds.find(({ begins }) => content.subarray(0, begins.length).equals(begins));
}

/**
 * The name under which a file is kept: one line without a path, and with the ending of what it is, so that a page of
 * HTML which begins like a PDF is not opened as a page.
 */
export function fileName(given: string, ending: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1)!;
  const line = last.replaceAll(/[\p{C}\p{Zl}\p{Zp}"<>|:*?]/gu, '').trim();
  const stem = line.replace(/\.[^.]*$/, '').slice(0, 100);
  return `${stem.replace(/^\.+/, '') || 'file'}.${ending}`;
}
