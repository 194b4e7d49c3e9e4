const fileTypes = [
  { mediaType: 'application/pdf', extension: 'pdf', signature: Buffer.from('%PDF-') },
  { mediaType: 'image/png', extension: 'png', signature: Buffer.from('89504e470d0a1a0a', 'hex') },
  { mediaType: 'image/jpeg', extension: 'jpg', signature: Buffer.from('ffd8ff', 'hex') },
] as const;

export type MediaType = (typeof fileTypes)[number]['mediaType'];
export const mediaTypes = fileTypes.map(({ mediaType }) => mediaType);

/** The type of a file by its first bytes, not by its name; undefined for one that we do not accept. */
export function detectFileType(content: Buffer): (typeof fileTypes)[number] | undefined {
  return fileTypes.find(({ signature }) => content.subarray(0, signature.length).equals(signature));
}

/**
 * The name that we store: one line without a path, with the extension of its real type, so that an HTML page which
 * begins like a PDF is never opened as a page.
 */
export function cleanFileName(name: string, extension: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1)!;
  const line = last.replaceAll(/[\p{C}\p{Zl}\p{Zp}"<>|:*?]/gu, '').trim();
  const stem = line.replace(/\.[^.]*$/, '').slice(0, 100);
  return `${stem.replace(/^\.+/, '') || 'file'}.${extension}`;
}
