import { buffer } from 'node:stream/consumers';
import { encode } from 'uqr';
import type { Leaflet } from '../../../referrals/index.ts';
import { testMark } from '../letter.ts';
import { element, ink, openPaper, type Paper, type Typesetting } from './paper.ts';

export type PrintedLeaflet = Leaflet & { largePrint: boolean };

/** In points. Large print begins at 18 (UK Association for Accessible Formats). */
const sizes = {
  normal: { text: 12, heading: 15, title: 22 },
  large: { text: 18, heading: 22, title: 28 },
};

type Sizes = (typeof sizes)['normal'];

/** A leaflet to take home, as an accessible PDF. */
export async function drawLeaflet(typesetting: Typesetting, leaflet: PrintedLeaflet): Promise<Buffer> {
  const { siteName, service, appointments, now, next, toRing, operatorContact, link } = leaflet;
  const size = leaflet.largePrint ? sizes.large : sizes.normal;
  const paper = openPaper(typesetting, {
    title: 'Your referral',
    author: siteName,
    at: new Date(leaflet.at),
  });
  const whole = buffer(paper.doc as unknown as NodeJS.ReadableStream);
  const say = (text: string, style: Parameters<Paper['style']>[0] = {}) => line(paper, size, text, style);
  const begin = (text: string) => heading(paper, 'H2', text, size.heading);

  if (leaflet.simulated) say(testMark, { bold: true, color: ink.alarm });
  heading(paper, 'H1', 'Your referral', size.title);
  for (const text of now) say(text);
  if (service) {
    begin('Where');
    say([service.name, service.organisation].filter(Boolean).join(', '), { bold: true });
    if (service.address.length > 0) say(service.address.join(', '));
  }
  if (appointments.length > 0 || (service && service.times.length > 0)) {
    begin('When');
    for (const each of appointments) say(`Your appointment: ${each}`, { bold: true });
    // Beside an appointment, the opening hours alone would read as a second one.
    const usually = appointments.length > 0 ? 'Usually open: ' : '';
    for (const each of service?.times ?? []) say(`${usually}${each}`);
  }
  begin('What happens next');
  if (appointments.length > 0)
    say('Keep your appointment. If you cannot, ring the service as soon as you can.');
  for (const text of next) say(text);
  begin('Who to call');
  for (const { who, telephone } of toRing) say(`${who}: ${telephone}`, { bold: true });
  if (toRing.length === 0 && operatorContact) say(operatorContact, { bold: true });
  say(`Say your reference: ${leaflet.reference}.`);
  say('If you are in danger, call 999. If you need medical help and it cannot wait, call 111.');
  if (link !== undefined) drawLink(paper, size, link);
  paper.close();
  return whole;
}

/** The code holds the link to the person’s page, which opens only with what is sent to their own address. */
function drawLink(paper: Paper, size: Sizes, link: string): void {
  const side = 130;
  paper.ensureRoomFor(side + 8 * size.text);
  heading(paper, 'H2', 'See how your referral is going', size.heading);
  line(
    paper,
    size,
    'Point the camera of your telephone at this. The page sends a code to your email address, and opens with that code. Keep this leaflet away from anybody who should not know about it.',
  );
  const { doc, left } = paper;
  const { data } = encode(link, { ecc: 'M', border: 0 });
  const dot = side / data.length;
  const top = doc.y + 8;
  const draw = () => {
    doc.fillColor(ink.text);
    for (const [row, dots] of data.entries())
      for (const [column, isDark] of dots.entries())
        if (isDark) doc.rect(left + column * dot, top + row * dot, dot, dot);
    doc.fill();
  };
  const alt = 'A code for the camera of a telephone, which leads to your page';
  paper.structure.add(doc.struct('Figure', { alt }, [draw]));
  doc.y = top + side + 8;
}

function heading(paper: Paper, type: 'H1' | 'H2', text: string, size: number): void {
  const { doc, left, width } = paper;
  doc.y += size * 0.6;
  paper.ensureRoomFor(size * 3);
  element(paper, type, () => {
    paper.style({ bold: true, size, color: ink.accent }).text(paper.clean(text), left, doc.y, { width });
  });
  doc.y += 4;
}

function line(
  paper: Paper,
  { text: size }: Sizes,
  text: string,
  style: Parameters<Paper['style']>[0] = {},
): void {
  const { doc, left, width } = paper;
  paper.ensureRoomFor(size * 1.5);
  element(paper, 'P', () => {
    paper.style({ size, ...style }).text(paper.clean(text), left, doc.y, { width, lineGap: size / 5 });
  });
  doc.y += size / 4;
}
