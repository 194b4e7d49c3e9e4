import { buffer } from 'node:stream/consumers';
import { type Fact, type Letter, type Section, testMark, type WrittenLetter } from '../letter.ts';
import { unprintable } from '../printable.ts';
import { drawContinuation, drawPracticeLetter } from './draw-practice-letter.ts';
import {
  decorateEveryPage,
  drawAlarm,
  drawRule,
  element,
  fitsInAlarm,
  ink,
  openPaper,
  type Paper,
  type Typesetting,
} from './paper.ts';

/** A letter as an accessible PDF. The same letter gives the same bytes every time. */
export async function drawLetter(typesetting: Typesetting, written: WrittenLetter): Promise<Buffer> {
  const { letter } = written;
  let paper = layOut(typesetting, written);
  const first = letter.sections.filter(({ firstIfSeveralPages }) => firstIfSeveralPages);
  // Only the drawing tells how many pages there are.
  if (first.length > 0 && paper.doc.bufferedPageRange().count > 1) {
    const others = letter.sections.filter(({ firstIfSeveralPages }) => !firstIfSeveralPages);
    paper = layOut(typesetting, { ...written, letter: { ...letter, sections: [...first, ...others] } });
  }
  const whole = buffer(paper.doc as unknown as NodeJS.ReadableStream);
  drawOnEveryPage(paper, letter);
  paper.close();
  return whole;
}

function layOut(typesetting: Typesetting, { letter, at, where }: WrittenLetter): Paper {
  const paper = openPaper(typesetting, {
    // Titles are shown in tabs and lists of files, so this one does not name the patient.
    title: `${letter.siteName}: referral ${letter.reference}`,
    author: letter.siteName,
    at: new Date(at),
  });
  if (letter.toPractice) drawPracticeLetter(paper, letter, letter.toPractice);
  else {
    drawTop(paper, letter);
    for (const section of letter.sections) drawSection(paper, section);
  }
  if (paper.hasUnprintable()) {
    paper.doc.y += 13;
    drawParagraph(
      paper,
      `Where this letter has ${unprintable}, it cannot print what was written. See ${where}`,
    );
  }
  return paper;
}

function drawTop(paper: Paper, letter: Letter): void {
  const { doc, left, width } = paper;
  element(paper, 'P', () => {
    paper
      .style({ bold: true, size: 15, color: ink.accent })
      .text(paper.clean(letter.siteName), left, doc.y, { width });
  });
  const ruleAt = doc.y + 5;
  paper.decorate(() => drawRule(paper, ruleAt, { lineWidth: 2, color: ink.accent }));
  doc.y = ruleAt + 20;
  element(paper, 'P', () => {
    paper.style({}).text(paper.clean(letter.to.join('\n')), left, doc.y, { width, lineGap: 2.5 });
  });
  doc.y += 10;
  drawFacts(paper, letter.particulars);
  doc.y += 18;
  element(paper, 'H1', () => {
    paper.style({ bold: true, size: 17 }).text(paper.clean(letter.heading), left, doc.y, { width });
  });
  doc.y += 8;
  for (const [index, text] of letter.opening.entries())
    drawParagraph(paper, text, letter.test && index === 0);
}

function drawOnEveryPage(paper: Paper, letter: Letter): void {
  const { count } = paper.doc.bufferedPageRange();
  decorateEveryPage(paper, (index, pageNumber) => {
    const more = letter.toPractice && index + 1 < count ? ` – continues on page ${index + 2}` : '';
    drawFooter(paper, letter, `${pageNumber}${more}`);
    if (letter.test) drawTestMark(paper);
    if (letter.toPractice && index > 0) drawContinuation(paper, letter.toPractice);
  });
}

const usualFooter =
  'This letter is about a person. If it is not meant for you, tell the sender and destroy it.';

function drawFooter(paper: Paper, letter: Letter, pageNumber: string): void {
  const { doc, left, width } = paper;
  const y = doc.page.height - 52;
  drawRule(paper, y - 8, { lineWidth: 0.5, color: ink.rule });
  paper.style({ size: 8, color: ink.quiet });
  const oneLine = { lineBreak: false } as const;
  doc.text(`Reference ${letter.reference}`, left, y, oneLine);
  doc.text(pageNumber, left + width - doc.widthOfString(pageNumber), y, oneLine);
  doc.text(paper.clean(letter.footer ?? usualFooter), left, y + 12, oneLine);
}

/** From corner to corner, and faint enough to read the text through it. */
function drawTestMark(paper: Paper): void {
  const { doc } = paper;
  const { width, height } = doc.page;
  paper.style({ bold: true, size: 50, color: ink.test });
  const length = doc.widthOfString(testMark);
  doc
    .save()
    .fillOpacity(0.13)
    .rotate((-Math.atan2(height, width) * 180) / Math.PI, { origin: [width / 2, height / 2] })
    .text(testMark, (width - length) / 2, height / 2 - 29, { lineBreak: false })
    .restore();
}

const labelWidth = 138;
const line = { lineGap: 2.5 } as const;
const lineHeight = 15;

/** A shorter section stays on one page. A longer one begins where its first lines fit. */
const maxKeptLength = 14 * lineHeight;

/** A heading with its facts, paragraphs and list, over as many pages as they need. */
function drawSection(paper: Paper, section: Section): void {
  const { heading, facts, paragraphs, items } = section;
  const { doc, left, width } = paper;
  if (section.isAlarm) {
    doc.y += 8;
    const [texts, listed] = [paragraphs ?? [], items ?? []];
    const isWhole = fitsInAlarm(paper, [heading, ...texts, ...listed]);
    drawAlarm(paper, heading, isWhole ? [...texts, ...listed] : texts);
    if (!isWhole) drawList(paper, listed);
    return;
  }
  const height = heightOf(paper, section);
  paper.ensureRoomFor(height > maxKeptLength ? 4 * lineHeight : height);
  if (doc.y > doc.page.margins.top) doc.y += 13;
  element(paper, 'H2', () => {
    paper
      .style({ bold: true, size: 12, color: ink.accent })
      .text(paper.clean(heading), left, doc.y, { width });
  });
  doc.y += 4;
  if (facts) drawFacts(paper, facts);
  for (const paragraph of paragraphs ?? []) drawParagraph(paper, paragraph);
  if (items?.length === 1) drawParagraph(paper, items[0]!);
  else if (items) drawList(paper, items);
}

/** An estimate, good enough to tell whether the section fits. */
function heightOf({ style, clean, width }: Paper, section: Section): number {
  const { facts = [], paragraphs = [], items = [] } = section;
  const doc = style({});
  const tall = (text: string, room: number) => doc.heightOfString(clean(text), { width: room, ...line });
  const rows = facts.map(
    ([label, value]) => 4 + Math.max(tall(label, labelWidth - 12), tall(value, width - labelWidth)),
  );
  const texts = [...paragraphs, ...items].map((text) => 5 + tall(text, width - 22));
  return [...rows, ...texts].reduce((sum, each) => sum + each, 2 * lineHeight + 4);
}

function drawParagraph(paper: Paper, text: string, bold = false): void {
  const { doc, left, width } = paper;
  paper.ensureRoomFor(lineHeight);
  element(paper, 'P', () => {
    paper.style({ bold }).text(paper.clean(text), left, doc.y, { width, ...line });
  });
  doc.y += 5;
}

/** Labels on the left, values on the right, as a table with a heading for each row. */
function drawFacts(paper: Paper, facts: readonly Fact[]): void {
  const { doc } = paper;
  const table = doc.struct('Table');
  paper.structure.add(table);
  for (const fact of facts) {
    paper.ensureRoomFor(lineHeight + 4);
    drawFact(paper, table, fact);
  }
  table.end();
}

function drawFact(paper: Paper, table: PDFKit.PDFStructureElement, [label, value, weight]: Fact): void {
  const { doc, left, width } = paper;
  const top = doc.y + 3;
  const row = doc.struct('TR');
  table.add(row);
  const cell = (type: 'TH' | 'TD', draw: () => void) =>
    row.add(doc.struct(type, type === 'TH' ? { scope: 'Row' } : ({} as object), [draw]));
  const page = doc.page;
  cell('TH', () => {
    paper
      .style({ color: ink.quiet })
      .text(paper.clean(label), left, top, { width: labelWidth - 12, ...line });
  });
  const labelEnd = doc.y;
  cell('TD', () => {
    paper
      .style({ bold: weight === 'bold' })
      .text(paper.clean(value), left + labelWidth, top, { width: width - labelWidth, ...line });
  });
  row.end();
  // A value that continues on another page is below its label anyway.
  if (doc.page === page) doc.y = Math.max(doc.y, labelEnd);
  doc.y += 1;
  const { y } = doc;
  paper.decorate(() => drawRule(paper, y, { lineWidth: 0.5, color: ink.rule }));
}

function drawList(paper: Paper, items: readonly string[]): void {
  const { doc, left, width } = paper;
  const list = doc.struct('L');
  paper.structure.add(list);
  for (const [index, text] of items.entries()) {
    paper.ensureRoomFor(lineHeight);
    const item = doc.struct('LI');
    list.add(item);
    const top = doc.y;
    item.add(
      doc.struct('Lbl', {}, [
        () => void paper.style({}).text(`${index + 1}.`, left, top, { width: 20, ...line }),
      ]),
    );
    item.add(
      doc.struct('LBody', {}, [
        () => void paper.style({}).text(paper.clean(text), left + 22, top, { width: width - 22, ...line }),
      ]),
    );
    item.end();
    doc.y += 5;
  }
  list.end();
}
