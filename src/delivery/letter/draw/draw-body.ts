import { type ActionBox, type Letter, type Section, type Task, testMark } from '../letter.ts';
import { isRightToLeft } from '../printable.ts';
import { drawAlarm, drawRule, element, fitsInAlarm, ink, type Paper } from './paper.ts';

const lineHeight = 13;
const labelWidth = 122;
/** A letter that is a few lines too long for its pages is set a little closer. */
const spacing = {
  usual: { lineGap: 1.5, textSize: 9.5, below: 4 },
  close: { lineGap: 0.6, textSize: 9, below: 3 },
};

function spacingOf({ isClose }: Paper): (typeof spacing)['usual'] {
  return isClose ? spacing.close : spacing.usual;
}

type PatientAndBox = NonNullable<Letter['toPractice']>;

/** The patient and the box at the top of a letter. Undefined for letters that a test site stored before services had a box. */
export function patientAndBoxOf({ toPractice, toService }: Letter): PatientAndBox | undefined {
  return toPractice ?? toService;
}

/**
 * A letter on one page, if it can be. Who, what has happened and what to do come first, and are found in 30 seconds: so what explains or
 * compares, such as which of our letters it is, comes after the box.
 */
export function drawBody(paper: Paper, letter: Letter): void {
  const { doc } = paper;
  const patientAndBox = patientAndBoxOf(letter);
  drawSender(paper, letter);
  if (patientAndBox) drawPatient(paper, patientAndBox.patient);
  element(paper, 'H1', () => {
    paper.style({ bold: true, size: 12.5 }).text(paper.clean(letter.heading), paper.left, doc.y, {
      width: paper.width,
    });
  });
  doc.y += 6;
  if (patientAndBox) drawBox(paper, patientAndBox.box);
  for (const text of letter.opening) drawText(paper, text, { left: paper.left, width: paper.width });
  if (letter.opening.length > 0) doc.y += 4;
  if (patientAndBox)
    drawSection(paper, { heading: 'Patient’s details', paragraphs: detailsOf(patientAndBox.patient) });
  for (const section of letter.sections) drawSection(paper, section);
  if (letter.order) drawSection(paper, { heading: 'This letter', paragraphs: [letter.order.words] });
}

function detailsOf({ address, contact, numberNote }: PatientAndBox['patient']): string[] {
  return [address, contact, numberNote].filter((each) => each !== undefined);
}

/** Who writes to whom, in two lines or three. */
function drawSender(paper: Paper, letter: Letter): void {
  const { doc, left, width } = paper;
  const to = paper.clean(`To ${letter.to.join(', ')}`);
  const particulars = letter.particulars
    .map(([label, value]) => paper.clean(`${label} ${value}`.replaceAll(' ', '\u00A0')))
    .join('   ');
  element(paper, 'P', () => {
    paper
      .style({ bold: true, size: 11, color: ink.accent })
      .text(paper.clean(letter.siteName), left, doc.y, { width });
  });
  // If the line is too long, the date and reference get a line of their own, so that the reference is not broken.
  const isOneLine =
    paper.style({ size: spacingOf(paper).textSize }).widthOfString(`${to}   ${particulars}`) <= width;
  for (const line of isOneLine ? [`${to}   ${particulars}`] : [to, particulars])
    element(paper, 'P', () => {
      paper
        .style({ size: spacingOf(paper).textSize, color: ink.quiet })
        .text(line, left, doc.y + 2, { width });
    });
  if (letter.test)
    element(paper, 'P', () => {
      paper
        .style({ bold: true, size: spacingOf(paper).textSize, color: ink.alarm })
        .text(testMark, left, doc.y + 2, { width });
    });
  doc.y += 7;
}

function drawPatient(paper: Paper, patient: PatientAndBox['patient']): void {
  const { name, ownScript, identity, doNotTell } = patient;
  const { doc, left, width } = paper;
  const drawLine = (line: string | undefined, style: Parameters<Paper['style']>[0]) => {
    if (line === undefined) return;
    element(paper, 'P', () => {
      paper
        .style({ size: spacingOf(paper).textSize, ...style })
        .text(paper.clean(line), left, doc.y + 2, { width });
    });
  };
  rule(paper, doc.y);
  doc.y += 5;
  drawLine(name, { bold: true, size: 14 });
  drawLine(ownScript, {});
  // Readers who cannot read the name find the patient by these.
  const identityStyle = { bold: true, size: isRightToLeft(name + identity) ? 12 : 10.5 };
  const isOneLine = paper.style(identityStyle).widthOfString(identity) <= width;
  for (const line of isOneLine ? [identity] : identity.split('   ')) drawLine(line, identityStyle);
  const alarms = [
    ...alarmsOf(patient).map((each) => `${each}.`),
    ...(doNotTell === undefined ? [] : [doNotTell]),
  ];
  drawLine(alarms.join(' ') || undefined, { bold: true, size: 11, color: ink.alarm });
  doc.y += 5;
  rule(paper, doc.y);
  doc.y += 7;
}

/** The warnings in capitals at the top of each page. */
function alarmsOf({ hideOnline, isUnsafe }: PatientAndBox['patient']): string[] {
  return [
    ...(hideOnline ? ['HIDE FROM ONLINE RECORD'] : []),
    ...(isUnsafe ? ['DO NOT CONTACT THE PATIENT'] : []),
  ];
}

function rule(paper: Paper, y: number): void {
  paper.decorate(() => drawRule(paper, y, { lineWidth: 1, color: ink.accent }));
}

/** Printers and scan stamps cut what is less than 15 mm from the edge. */
const continuationTop = 43;
/** Where the text of such a page begins. */
export const topOfLaterPages = continuationTop + 45;

/** The top of every page but the first, so that no page is without its patient. */
export function drawContinuation(paper: Paper, { patient }: PatientAndBox, pageIndex: number): void {
  const { left, width } = paper;
  const name = paper.clean(patient.name);
  const doc = paper.style({ bold: true, size: spacingOf(paper).textSize });
  doc.text(
    shortenToFit(name, (text) => doc.widthOfString(text) <= width),
    left,
    continuationTop,
    { lineBreak: false },
  );
  paper
    .style({ size: spacingOf(paper).textSize })
    .text(paper.clean(patient.identity), left, continuationTop + 12.5, { lineBreak: false });
  const alarms = [
    ...alarmsOf(patient),
    ...(patient.doNotTell === undefined ? [] : ['DO NOT TELL: SEE PAGE 1']),
  ];
  paper.style({ bold: true, size: spacingOf(paper).textSize, color: ink.alarm });
  if (alarms.length > 0) doc.text(alarms.join('   '), left, continuationTop + 25, { lineBreak: false });
  const heading = paper.continued.get(pageIndex);
  paper.style({ bold: true, size: spacingOf(paper).textSize, color: ink.accent });
  if (heading !== undefined)
    doc.text(paper.clean(`${heading} (continued)`), left, topOfLaterPages, { width: labelWidth - 10 });
}

function shortenToFit(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  let end = text.length;
  while (end > 0 && !fits(`${text.slice(0, end)}…`)) end -= 1;
  return `${text.slice(0, end)}…`;
}

const boxInset = 9;

/** The box, in a frame. A box that is longer than a page has a frame on its first page only. */
function drawBox(paper: Paper, box: ActionBox): void {
  const { heading, code, limits, tasks, warnings = [], words, questions } = box;
  const { doc, left, width } = paper;
  const top = doc.y;
  const page = doc.page;
  const color = boxColor(box);
  const inner = { left: left + boxInset, width: width - 2 * boxInset };
  doc.y += boxInset;
  element(paper, 'H2', () => {
    paper
      .style({ bold: true, size: 11, color: color ?? ink.text })
      .text(paper.clean(heading), inner.left, doc.y, { width: inner.width });
  });
  doc.y += 3;
  if (code !== undefined) drawText(paper, code, inner, { bold: true });
  if (limits !== undefined) drawText(paper, limits, inner, { bold: true, color: ink.alarm });
  for (const text of warnings) drawText(paper, text, inner, { bold: true, color });
  // The words follow the steps, because they may say that nothing else was asked.
  drawTasks(paper, tasks, inner);
  // The outbox of a test site may have letters from before, with one paragraph or none.
  for (const text of [words ?? []].flat()) drawText(paper, text, inner);
  drawText(paper, `Questions: ${questions}.`, inner);
  if (doc.page === page) drawFrame(paper, top, color);
  doc.y += boxInset + 5;
}

/** Danger is red, something to do or decide is amber. A letter that was stored before boxes had a weight is amber too. */
function boxColor({ weight, mustBeRead }: ActionBox): string | undefined {
  if (weight === 'danger') return ink.alarm;
  return weight === 'action' || (weight === undefined && mustBeRead) ? ink.amber : undefined;
}

function drawFrame({ decorate, doc, left, width }: Paper, top: number, color: string | undefined): void {
  const height = doc.y + boxInset - 4 - top;
  decorate(() => {
    doc
      .lineWidth(color === ink.alarm ? 3 : color ? 1.6 : 0.8)
      .strokeColor(color ?? ink.quiet)
      .rect(left, top, width, height)
      .stroke();
  });
}

type Column = { left: number; width: number };

const whoseSteps = { clerk: 'Reception', clinician: 'GP or nurse' } as const;

/** The steps of reception and of clinicians, each under a heading. Their numbers go on, because steps refer to each other. */
function drawTasks(paper: Paper, tasks: readonly Task[], column: Column): void {
  let number = 0;
  while (number < tasks.length) {
    const { role } = tasks[number]!;
    const end = tasks.findIndex((each, index) => index > number && each.role !== role);
    const own = tasks.slice(number, end === -1 ? tasks.length : end);
    if (role !== undefined) {
      paper.ensureRoomFor(4 * lineHeight);
      element(paper, 'H3', () => {
        paper
          .style({ bold: true, size: 10, color: ink.accent })
          .text(whoseSteps[role], column.left, paper.doc.y + 1, { width: column.width });
      });
      paper.doc.y += 1;
    }
    drawSteps(paper, own, { ...column, first: number + 1 });
    number += own.length;
  }
}

function drawSteps(paper: Paper, tasks: readonly Task[], column: Column & { first: number }): void {
  const { doc } = paper;
  const list = doc.struct('L');
  paper.structure.add(list);
  for (const [index, { text, warning, details }] of tasks.entries()) {
    paper.ensureRoomFor(3 * lineHeight);
    const { before, link } = addressAtEnd(details ?? '');
    const item = doc.struct('LI');
    list.add(item);
    const top = doc.y;
    item.add(
      doc.struct('Lbl', {}, [
        () =>
          void paper
            .style({ bold: true, size: 10 })
            .text(`${column.first + index}.`, column.left, top, { width: 18 }),
      ]),
    );
    item.add(
      doc.struct('LBody', {}, [
        () => {
          const width = column.width - 18;
          paper
            .style({ bold: true, size: 10 })
            .text(paper.clean(text), column.left + 18, top, { width, lineGap: spacingOf(paper).lineGap });
          if (warning !== undefined)
            paper
              .style({ bold: true, size: spacingOf(paper).textSize, color: ink.alarm })
              .text(paper.clean(warning), column.left + 18, doc.y, {
                width,
                lineGap: spacingOf(paper).lineGap,
              });
          if (details !== undefined)
            paper
              .style({ size: spacingOf(paper).textSize })
              .text(paper.clean(link ? before : endedSentence(details)), column.left + 18, doc.y, {
                width,
                lineGap: spacingOf(paper).lineGap,
              });
        },
        ...(link === undefined
          ? []
          : [doc.struct('Link', {}, [() => drawAddress(paper, link, column.left + 18)])]),
      ]),
    );
    item.end();
    doc.y += spacingOf(paper).below;
  }
  list.end();
}

function endedSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

/** An address has a line of its own, without a full stop, so that a hyphen does not break it, and it opens where it is pressed. */
function addressAtEnd(text: string): { before: string; link?: string } {
  const match = /^(.*) (https?:\/\/\S+)$/s.exec(text);
  return match ? { before: match[1]!, link: match[2]! } : { before: text };
}

function drawAddress(paper: Paper, link: string, left: number): void {
  paper
    .style({ size: 9, color: ink.accent })
    .text(paper.clean(link), left, paper.doc.y, { link, lineGap: spacingOf(paper).lineGap });
}

/** A section that is shorter stays on one page. */
const maxKeptLength = 12 * lineHeight;

/** The heading on the left, and what it is about on the right. */
function drawSection(paper: Paper, section: Section): void {
  const { doc, left, width } = paper;
  const { heading, facts = [], paragraphs = [], items = [], isAlarm } = section;
  if (isAlarm && fitsInAlarm(paper, [heading, ...paragraphs, ...items])) {
    drawAlarm(paper, heading, [...paragraphs, ...items]);
    doc.y += 6;
    return;
  }
  const column = { left: left + labelWidth, width: width - labelWidth };
  const lines = [
    ...facts.map(([label, value, weight]) => ({ text: `${label}: ${value}`, bold: weight === 'bold' })),
    ...(isAlarm ? paragraphs.map((text) => ({ text, bold: true })) : []),
    ...items.map((text, index) => ({ text: items.length > 1 ? `${index + 1}. ${text}` : text, bold: false })),
    ...(isAlarm ? [] : paragraphs.map((text) => ({ text, bold: false }))),
  ];
  const height = lines.reduce((sum, { text }) => sum + heightOf(paper, text, column.width), 0);
  paper.ensureRoomFor(height > maxKeptLength ? 3 * lineHeight : height);
  const top = doc.y;
  const page = doc.page;
  element(paper, 'H2', () => {
    paper
      .style({ bold: true, size: spacingOf(paper).textSize, color: isAlarm ? ink.alarm : ink.accent })
      .text(paper.clean(heading), left, top, { width: labelWidth - 10, lineGap: spacingOf(paper).lineGap });
  });
  const headingEnd = doc.y;
  const pageIndex = lastPageIndex(paper);
  doc.y = top;
  for (const { text, bold } of lines) drawText(paper, text, column, { bold });
  for (let index = pageIndex + 1; index <= lastPageIndex(paper); index += 1)
    paper.continued.set(index, heading);
  if (doc.page === page) doc.y = Math.max(doc.y, headingEnd + 2);
  doc.y += spacingOf(paper).below;
}

function lastPageIndex({ doc }: Paper): number {
  return doc.bufferedPageRange().count - 1;
}

/** A note below everything else, across the page. */
export function drawNote(paper: Paper, text: string): void {
  paper.doc.y += 9;
  drawText(paper, text, { left: paper.left, width: paper.width });
}

function drawText(
  paper: Paper,
  text: string,
  { left, width }: Column,
  { bold = false, color }: { bold?: boolean; color?: string | undefined } = {},
): void {
  const { doc } = paper;
  const { before, link } = addressAtEnd(text);
  paper.ensureRoomFor(lineHeight);
  element(paper, 'P', () => {
    paper
      .style({ bold, size: spacingOf(paper).textSize, ...(color && { color }) })
      .text(paper.clean(before), left, doc.y, { width, lineGap: spacingOf(paper).lineGap });
  });
  if (link !== undefined) element(paper, 'Link', () => drawAddress(paper, link, left));
  doc.y += 2;
}

function heightOf(paper: Paper, text: string, width: number): number {
  const { style, clean } = paper;
  const { textSize, lineGap } = spacingOf(paper);
  return 2 + style({ size: textSize }).heightOfString(clean(text), { width, lineGap });
}
