import { buffer } from 'node:stream/consumers';
import { drawFacts, drawParagraph, drawSection, element } from './draw-section.ts';
import { type Letter, testMark, type WrittenLetter } from './letter.ts';
import { ink, openPaper, type Paper } from './paper.ts';
import { unprintable } from './printable.ts';
import { loadTypesetting } from './typesetting.ts';

/** A letter as an accessible PDF. The same letter gives the same bytes every time. */
export async function drawLetter({ letter, at, where }: WrittenLetter): Promise<Buffer> {
  const paper = openPaper(await loadTypesetting(), {
    // Titles are shown in tabs and lists of files, so this one names nobody.
    title: `${letter.siteName}: referral ${letter.reference}`,
    author: letter.siteName,
    at: new Date(at),
  });
  const whole = buffer(paper.doc as unknown as NodeJS.ReadableStream);
  drawTop(paper, letter);
  for (const section of letter.sections) drawSection(paper, section);
  if (paper.incomplete()) {
    paper.doc.y += 13;
    drawParagraph(
      paper,
      `Where this letter has ${unprintable}, it cannot print what was written. See ${where}`,
    );
  }
  drawOnEveryPage(paper, letter);
  paper.close();
  return whole;
}

function drawTop(paper: Paper, letter: Letter): void {
  const { doc, left, width } = paper;
  element(paper, 'P', () => {
    paper
      .style({ bold: true, size: 15, color: ink.accent })
      .text(paper.clean(letter.siteName), left, doc.y, { width });
  });
  const ruleAt = doc.y + 5;
  paper.decorate(() => {
    doc
      .lineWidth(2)
      .strokeColor(ink.accent)
      .moveTo(left, ruleAt)
      .lineTo(left + width, ruleAt)
      .stroke();
  });
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

/** What stands on every page is drawn when their number is known. */
function drawOnEveryPage(paper: Paper, letter: Letter): void {
  const { doc } = paper;
  const { count } = doc.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(index);
    paper.decorate(() => {
      drawFooter(paper, letter, `Page ${index + 1} of ${count}`);
      if (letter.test) drawTestMark(paper);
    });
  }
}

function drawFooter(paper: Paper, letter: Letter, pageNumber: string): void {
  const { doc, left, width } = paper;
  const y = doc.page.height - 52;
  doc
    .lineWidth(0.5)
    .strokeColor(ink.rule)
    .moveTo(left, y - 8)
    .lineTo(left + width, y - 8)
    .stroke();
  paper.style({ size: 8, color: ink.quiet });
  const line = { lineBreak: false } as const;
  doc.text(`Reference ${letter.reference}`, left, y, line);
  doc.text(pageNumber, left + width - doc.widthOfString(pageNumber), y, line);
  doc.text(
    'This letter is about a person. If it is not meant for you, tell the sender and destroy it.',
    left,
    y + 12,
    line,
  );
}

/** From corner to corner, over the text and faint enough to read it through. */
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
