import type { Fact, Section } from './letter.ts';
import { ink, type Paper } from './paper.ts';

const labelWidth = 138;
const line = { lineGap: 2.5 } as const;
const lineHeight = 15;

/** What is shorter than this stays together; what is longer begins where there is room for its first lines. */
const longestKept = 14 * lineHeight;

/** A heading with its facts, paragraphs and list, over as many pages as they need. */
export function drawSection(paper: Paper, section: Section): void {
  const { heading, facts, paragraphs, items } = section;
  const { doc, left, width } = paper;
  const height = heightOf(paper, section);
  paper.needs(height > longestKept ? 4 * lineHeight : height);
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

/** Near enough to tell whether it fits. */
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

export function drawParagraph(paper: Paper, text: string, bold = false): void {
  const { doc, left, width } = paper;
  paper.needs(lineHeight);
  element(paper, 'P', () => {
    paper.style({ bold }).text(paper.clean(text), left, doc.y, { width, ...line });
  });
  doc.y += 5;
}

/** One piece of the letter, as screen readers name it. */
export function element(paper: Paper, type: string, draw: () => void): void {
  paper.structure.add(paper.doc.struct(type, {}, [draw]));
}

/** Labels on the left, values on the right, as a table with a heading for each row. */
export function drawFacts(paper: Paper, facts: readonly Fact[]): void {
  const { doc } = paper;
  const table = doc.struct('Table');
  paper.structure.add(table);
  for (const fact of facts) {
    paper.needs(lineHeight + 4);
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
  // A value that flowed on to another page has left its label behind.
  if (doc.page === page) doc.y = Math.max(doc.y, labelEnd);
  doc.y += 1;
  const { y } = doc;
  paper.decorate(() => {
    doc
      .lineWidth(0.5)
      .strokeColor(ink.rule)
      .moveTo(left, y)
      .lineTo(left + width, y)
      .stroke();
  });
}

function drawList(paper: Paper, items: readonly string[]): void {
  const { doc, left, width } = paper;
  const list = doc.struct('L');
  paper.structure.add(list);
  for (const [index, text] of items.entries()) {
    paper.needs(lineHeight);
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
