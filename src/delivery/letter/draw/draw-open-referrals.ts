import { buffer } from 'node:stream/consumers';
import { testMark } from '../letter.ts';
import {
  decorateEveryPage,
  drawRule,
  element,
  ink,
  openPaper,
  type Paper,
  type Typesetting,
} from './paper.ts';

/** The open referrals of an organisation, for days on which it cannot reach the site. */
export type OpenReferrals = {
  siteName: string;
  test: boolean;
  organisation: string;
  /** The time of the copy, in ISO 8601 and in words. */
  at: string;
  atInWords: string;
  sections: readonly { heading: string; people: readonly OpenReferral[] }[];
  /** How many more there are than the copy has. */
  leftOut: number;
};

export type OpenReferral = {
  name: string;
  /** How it is safe to contact the person; bold where care is needed. */
  contact: string;
  needsCare: boolean;
  telephone: string;
  service: string;
  due: string;
  reference: string;
};

const lineHeight = 13;
const gap = { lineGap: 1.5 } as const;

/** The copy as an accessible PDF that is encrypted with the password. */
export async function drawOpenReferrals(
  typesetting: Typesetting,
  openReferrals: OpenReferrals,
  password: string,
): Promise<Buffer> {
  const { siteName, organisation, at, atInWords, sections, leftOut } = openReferrals;
  const paper = openPaper(typesetting, {
    title: `${siteName}: open referrals`,
    author: siteName,
    at: new Date(at),
    password,
  });
  const whole = buffer(paper.doc as unknown as NodeJS.ReadableStream);
  if (openReferrals.test) line(paper, `${testMark}. From a test site.`, { bold: true, color: ink.alarm });
  heading(paper, 'H1', `Open referrals of ${organisation}`, 16);
  line(
    paper,
    `From ${siteName}, ${atInWords}. While you can reach the site, use it: this copy may be out of date.`,
  );
  line(paper, 'Look at how it is safe to contact a person before you do.', { bold: true });
  for (const section of sections) {
    paper.doc.y += 8;
    paper.ensureRoomFor(6 * lineHeight);
    heading(paper, 'H2', section.heading, 12.5);
    if (section.people.length === 0) line(paper, 'None.');
    for (const person of section.people) drawPerson(paper, person);
  }
  if (leftOut > 0)
    line(paper, `${leftOut} more are not in this copy, because it would be too long.`, { bold: true });
  drawFooters(paper, openReferrals);
  paper.close();
  return whole;
}

function drawPerson(paper: Paper, person: OpenReferral): void {
  const { doc } = paper;
  paper.ensureRoomFor(5 * lineHeight);
  const y = doc.y + 3;
  paper.decorate(() => drawRule(paper, y, { lineWidth: 0.5, color: ink.rule }));
  doc.y = y + 5;
  line(paper, person.contact, { bold: person.needsCare });
  line(paper, person.name, { bold: true, size: 11 });
  line(paper, `Telephone: ${person.telephone}`);
  line(paper, `${person.service}. ${person.due}. Reference ${person.reference}`);
}

function heading(paper: Paper, type: 'H1' | 'H2', text: string, size: number): void {
  const { doc, left, width } = paper;
  element(paper, type, () => {
    paper.style({ bold: true, size, color: ink.accent }).text(paper.clean(text), left, doc.y, { width });
  });
  doc.y += 4;
}

function line(paper: Paper, text: string, style: Parameters<Paper['style']>[0] = {}): void {
  const { doc, left, width } = paper;
  paper.ensureRoomFor(lineHeight);
  element(paper, 'P', () => {
    paper.style({ size: 9.5, ...style }).text(paper.clean(text), left, doc.y, { width, ...gap });
  });
}

function drawFooters(paper: Paper, { organisation, atInWords }: OpenReferrals): void {
  const { doc, left, width } = paper;
  decorateEveryPage(paper, (_, pageNumber) => {
    const y = doc.page.height - 52;
    const oneLine = { lineBreak: false } as const;
    paper.style({ size: 8, color: ink.quiet });
    doc.text(paper.clean(`Confidential. ${organisation}, ${atInWords}`), left, y, {
      ...oneLine,
      width: width - 80,
      ellipsis: true,
      height: 10,
    });
    doc.text(pageNumber, left + width - doc.widthOfString(pageNumber), y, oneLine);
    doc.text('Destroy this copy when you have a newer one.', left, y + 12, oneLine);
  });
}
