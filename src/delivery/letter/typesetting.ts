import { join } from 'node:path';

const typefaces = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'dejavu-fonts-ttf', 'ttf');

type Typeface = { hasGlyphForCodePoint(codePoint: number): boolean };
export type Typesetting = {
  PDFDocument: new (options: PDFKit.PDFDocumentOptions) => PDFKit.PDFDocument;
  regular: Typeface;
  bold: Typeface;
};

let loaded: Promise<Typesetting> | undefined;

/** pdfkit and the typeface, loaded with the first letter: most processes and every start do without them. */
export function loadTypesetting(): Promise<Typesetting> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Typesetting> {
  const { default: PDFDocument } = await import('pdfkit');
  // Reading a typeface takes longer than setting a letter (25 of 32 ms), so it is read once, by a document that is
  // thrown away, and pdfkit takes what was read instead of the file.
  const read = (file: string) => {
    const document = new PDFDocument({ autoFirstPage: false, font: join(typefaces, file) });
    return (document as unknown as { _font: { font: Typeface } })._font.font;
  };
  return { PDFDocument, regular: read('DejaVuSans.ttf'), bold: read('DejaVuSans-Bold.ttf') };
}
