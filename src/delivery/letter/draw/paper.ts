import { join } from 'node:path';
import { toPrintable } from '../printable.ts';
import { type PdfSecurity, protectWithPassword } from './protect-with-password.ts';

type Doc = PDFKit.PDFDocument;

/** In points. The footer is in the bottom margin. */
const margins = { top: 56, right: 62, bottom: 78, left: 62 };
export const ink = {
  text: '#212b32',
  accent: '#005eb8',
  quiet: '#425563',
  rule: '#c8d0d5',
  alarm: '#c8102e',
  amber: '#8a4b00',
};

type Style = { bold?: boolean; size?: number; color?: string };

/** A PDF and the few operations that letters need. Everything that screen readers read is in its structure tree. */
export type Paper = {
  doc: Doc;
  /** The root of the structure tree. */
  structure: PDFKit.PDFStructureElement;
  left: number;
  width: number;
  /** Text is set closer, so that a letter with a few lines too many needs no other page. */
  isClose: boolean;
  /** The heading of what goes on at the top of a page, by the index of that page. */
  continued: Map<number, string>;
  style(style: Style): Doc;
  /** The text with only the characters that the typeface has. */
  clean(text: string): string;
  /** Whether any text had a character that the typeface does not have. */
  hasUnprintable(): boolean;
  /** Starts a new page when less than this height is left, to keep things together. */
  ensureRoomFor(height: number): void;
  /** Draws something that screen readers skip. */
  decorate(draw: () => void): void;
  close(): void;
};

type PaperOptions = {
  title: string;
  author: string;
  at: Date;
  isClose?: boolean;
  /** Where the text begins on each page but the first, if something stands above it there. */
  topOfLaterPages?: number;
  /** Encrypts the document (AES with 256 bits), and asks for this when it is opened. */
  password?: string;
};

export function openPaper(typesetting: Typesetting, options: PaperOptions): Paper {
  const { isClose = false, topOfLaterPages } = options;
  const doc = openDocument(typesetting, options);
  doc.addPage();
  if (topOfLaterPages !== undefined)
    doc.on('pageAdded', () => {
      doc.page.margins = { ...doc.page.margins, top: topOfLaterPages };
      doc.y = topOfLaterPages;
    });
  const structure = doc.struct('Document');
  doc.addStructure(structure);
  let hasUnprintable = false;
  return {
    doc,
    structure,
    left: margins.left,
    isClose,
    continued: new Map(),
    width: doc.page.width - margins.left - margins.right,
    style: ({ bold = false, size = 10, color = ink.text }) =>
      doc
        .font(bold ? 'bold' : 'regular')
        .fontSize(size)
        .fillColor(color),
    clean(text) {
      const clean = toPrintable(unbrokenDates(unbrokenReferences(text)), (point) =>
        typesetting.regular.hasGlyphForCodePoint(point),
      );
      hasUnprintable ||= clean.includes('\uFFFD');
      return clean;
    },
    hasUnprintable: () => hasUnprintable,
    ensureRoomFor(height) {
      if (doc.y + height > doc.page.height - margins.bottom) doc.addPage();
    },
    decorate(draw) {
      doc.markContent('Artifact', { type: 'Layout' });
      draw();
      doc.endMarkedContent();
    },
    close() {
      structure.end();
      doc.end();
    },
  };
}

/** An accessible document without a page yet; encrypted, if there is a password. */
function openDocument(
  typesetting: Typesetting,
  { title, author, at, password }: Pick<PaperOptions, 'title' | 'author' | 'at' | 'password'>,
): Doc {
  const doc = new typesetting.PDFDocument({
    size: 'A4',
    margins,
    autoFirstPage: false,
    bufferPages: true,
    ...(password === undefined
      ? { pdfVersion: '1.7' as const }
      : {
          pdfVersion: '1.7ext3' as const,
          userPassword: password,
          permissions: { printing: 'highResolution' as const, contentAccessibility: true },
        }),
    subset: 'PDF/UA' as PDFKit.Mixins.PDFSubsets, // Known to pdfkit, not yet to its types.
    tagged: true,
    displayTitle: true,
    lang: 'en-GB',
    font: typesetting.regular as never,
    // pdfkit would fill these in with the current time, and the same letter must have the same bytes every time.
    info: {
      Title: title,
      Author: author,
      Creator: 'Onward',
      CreationDate: at,
      ModDate: at,
    },
  });
  if (password !== undefined)
    protectWithPassword((doc as unknown as { _security: PdfSecurity })._security, password);
  doc.registerFont('regular', typesetting.regular as never).registerFont('bold', typesetting.bold as never);
  return doc;
}

const nonBreakingHyphen = '\u2011';

/** Keeps a reference on one line, because readers misread a broken one. Copies of it still have an ordinary hyphen: see `loadTypesetting`. */
function unbrokenReferences(text: string): string {
  return text.replaceAll(/\b([0-9A-Z]{5})-([0-9A-Z]{5})\b/g, `$1${nonBreakingHyphen}$2`);
}

const date =
  /\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b/g;

/** Keeps a date on one line. */
function unbrokenDates(text: string): string {
  return text.replaceAll(date, '$1\u00A0$2\u00A0$3');
}

/** Adds an element with its type, for screen readers. */
export function element(paper: Paper, type: string, draw: () => void): void {
  paper.structure.add(paper.doc.struct(type, {}, [draw]));
}

/** A line across the page. */
export function drawRule(
  { doc, left, width }: Paper,
  y: number,
  { lineWidth, color }: { lineWidth: number; color: string },
): void {
  doc
    .lineWidth(lineWidth)
    .strokeColor(color)
    .moveTo(left, y)
    .lineTo(left + width, y)
    .stroke();
}

const alarmInset = 8;

function heightOfAlarm({ style, clean, width }: Paper, texts: readonly string[]): number {
  const heightOf = (text: string) =>
    style({ bold: true }).heightOfString(clean(text), { width: width - 2 * alarmInset });
  return texts.reduce((sum, each) => sum + heightOf(each) + 3, 2 * alarmInset + 12);
}

/** Whether a red box with these words fits on one page. */
export function fitsInAlarm(paper: Paper, texts: readonly string[]): boolean {
  const { height, margins } = paper.doc.page;
  return heightOfAlarm(paper, texts) <= height - margins.top - margins.bottom;
}

/** A red box with what nobody must overlook. */
export function drawAlarm(paper: Paper, heading: string, texts: readonly string[]): void {
  const { doc, left, width, style, clean } = paper;
  const inner = { left: left + alarmInset, width: width - 2 * alarmInset };
  paper.ensureRoomFor(heightOfAlarm(paper, [heading, ...texts]));
  const top = doc.y + 6;
  doc.y = top + alarmInset;
  const draw = (type: string, text: string, look: Parameters<Paper['style']>[0]) => {
    element(paper, type, () => {
      style(look).text(clean(text), inner.left, doc.y, { width: inner.width });
    });
    doc.y += 3;
  };
  draw('H2', heading, { bold: true, size: 11, color: ink.alarm });
  for (const text of texts) draw('P', text, { bold: true, size: 10 });
  const bottom = doc.y + alarmInset - 3;
  paper.decorate(() => {
    doc
      .lineWidth(1.6)
      .strokeColor(ink.alarm)
      .rect(left, top, width, bottom - top)
      .stroke();
  });
  doc.y = bottom + 4;
}

/** Draws what stands beside the text on each page. At the end, when the number of pages is known. */
export function decorateEveryPage(paper: Paper, draw: (index: number, pageNumber: string) => void): void {
  const { count } = paper.doc.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    paper.doc.switchToPage(index);
    paper.decorate(() => draw(index, `Page ${index + 1} of ${count}`));
  }
}

const typefaces = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'node_modules',
  'dejavu-fonts-ttf',
  'ttf',
);

const noLigatures = { liga: false, clig: false };
type Typeface = { hasGlyphForCodePoint(codePoint: number): boolean };
type ReadTypeface = Typeface & {
  readonly characterSet: readonly number[];
  glyphForCodePoint(codePoint: number): { codePoints: number[] };
  layout(text: string, features?: Readonly<Record<string, boolean>>, ...more: unknown[]): unknown;
};
export type Typesetting = {
  PDFDocument: new (options: PDFKit.PDFDocumentOptions) => PDFKit.PDFDocument;
  regular: Typeface;
  bold: Typeface;
};

/** Loads pdfkit and the typefaces. Only the thread that draws letters needs them. */
export async function loadTypesetting(): Promise<Typesetting> {
  const { default: PDFDocument } = await import('pdfkit');
  // Reading a typeface takes longer than setting a letter (25 of 32 ms). So each is read once, by a document that is
  // dropped, and pdfkit gets the typeface instead of its file.
  const read = (file: string) => {
    const document = new PDFDocument({ autoFirstPage: false, font: join(typefaces, file) });
    const { font } = (document as unknown as { _font: { font: ReadTypeface } })._font;
    // fontkit remembers for each glyph the character that first used it. If the O was first read as a part of Ó, it has none, and search
    // and screen readers miss every O of later letters.
    for (const point of font.characterSet) font.glyphForCodePoint(point);
    // A ligature is copied as one character: addresses with “ff” no longer open, and a search for “file” finds nothing.
    const { layout } = font;
    font.layout = (text, features, ...more) =>
      layout.call(font, text, { ...noLigatures, ...features }, ...more);
    font.glyphForCodePoint(nonBreakingHyphen.codePointAt(0)!).codePoints = ['-'.codePointAt(0)!];
    return font;
  };
  return { PDFDocument, regular: read('DejaVuSans.ttf'), bold: read('DejaVuSans-Bold.ttf') };
}
