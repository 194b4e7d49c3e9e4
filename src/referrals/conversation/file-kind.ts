const kinds = [
  { mediaType: 'application/pdf', ending: 'pdf', begins: Buffer.from('%PDF-') },
  { mediaType: 'image/png', ending: 'png', begins: Buffer.from('89504e470d0a1a0a', 'hex') },
  { mediaType: 'image/jpeg', ending: 'jpg', begins: Buffer.from('ffd8ff', 'hex') },
] as const;

export type MediaType = (typeof kinds)[number]['mediaType'];
export const mediaTypes = kinds.map(({ mediaType }) => mediaType);

/** The kind of a file by its first bytes, not by its name; undefined for a kind that we do not accept. */
export function kindOf(content: Buffer): (typeof kinds)[number] | undefined {
  return kinds.find(({ begins }) => content.subarray(0, begins.length).equals(begins));
}

/**
 * The name that we store: one line without a path, with the ending of its real kind, so that an HTML page which
 * begins like a PDF is never opened as a page.
 */
export function fileName(given: string, ending: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1)!;
  const line = last.replaceAll(/[\p{C}\p{Zl}\p{Zp}"<>|:*?]/gu, '').trim();
  const stem = line.replace(/\.[^.]*$/, '').slice(0, 100);
  return `${stem.replace(/^\.+/, '') || 'file'}.${ending}`;
}
