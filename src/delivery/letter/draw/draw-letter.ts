import { buffer } from 'node:stream/consumers';
import { type Letter, testMark, type WrittenLetter } from '../letter.ts';
import { unprintable } from '../printable.ts';
import { drawBody, drawContinuation, drawNote, patientAndBoxOf, topOfLaterPages } from './draw-body.ts';
import { decorateEveryPage, drawRule, ink, openPaper, type Paper, type Typesetting } from './paper.ts';

/** A letter as an accessible PDF. The same letter gives the same bytes every time. */
export async function drawLetter(typesetting: Typesetting, written: WrittenLetter): Promise<Buffer> {
  const { letter } = written;
  const paper = onFewestPages(typesetting, written);
  const whole = buffer(paper.doc as unknown as NodeJS.ReadableStream);
  drawOnEveryPage(paper, letter);
  paper.close();
  return whole;
}

/** Letters up to this length are set closer to save a page: a last page with a few lines gets lost. Longer ones would take too long. */
const maxPagesToSetCloser = 4;

function onFewestPages(typesetting: Typesetting, written: WrittenLetter): Paper {
  const usual = layOut(typesetting, written);
  const pages = usual.doc.bufferedPageRange().count;
  if (pages === 1 || pages > maxPagesToSetCloser) return usual;
  const close = layOut(typesetting, written, true);
  return close.doc.bufferedPageRange().count < pages ? close : usual;
}

function layOut(typesetting: Typesetting, { letter, at, where }: WrittenLetter, isClose = false): Paper {
  const paper = openPaper(typesetting, {
    // Titles are shown in tabs and lists of files, so this one does not name the patient.
    title: `${letter.siteName}: referral ${letter.reference}`,
    author: letter.siteName,
    at: new Date(at),
    isClose,
    ...(patientAndBoxOf(letter) && { topOfLaterPages }),
  });
  drawBody(paper, letter);
  if (paper.hasUnprintable())
    drawNote(paper, `Where this letter has ${unprintable}, it cannot print what was written. ${where}`);
  return paper;
}

function drawOnEveryPage(paper: Paper, letter: Letter): void {
  const { count } = paper.doc.bufferedPageRange();
  decorateEveryPage(paper, (index, pageNumber) => {
    const patientAndBox = patientAndBoxOf(letter);
    const more = patientAndBox && index + 1 < count ? ` – continues on page ${index + 2}` : '';
    drawFooter(paper, letter, `${pageNumber}${more}`);
    if (letter.test) drawTestMark(paper);
    if (patientAndBox && index > 0) drawContinuation(paper, patientAndBox, index);
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
  const order = letter.order ? `, letter ${letter.order.number}` : '';
  doc.text(`Reference ${letter.reference}${order}`, left, y, oneLine);
  doc.text(pageNumber, left + width - doc.widthOfString(pageNumber), y, oneLine);
  doc.text(paper.clean(letter.footer ?? usualFooter), left, y + 12, oneLine);
}

/** From corner to corner, and faint enough to read the text through it. */
function drawTestMark(paper: Paper): void {
  const { doc } = paper;
  const { width, height } = doc.page;
  paper.style({ bold: true, size: 50, color: ink.alarm });
  const length = doc.widthOfString(testMark);
  doc
    .save()
    .fillOpacity(0.13)
    .rotate((-Math.atan2(height, width) * 180) / Math.PI, { origin: [width / 2, height / 2] })
    .text(testMark, (width - length) / 2, height / 2 - 29, { lineBreak: false })
    .restore();
}
