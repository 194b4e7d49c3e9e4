import { buffer } from 'node:stream/consumers';

/** The file that a simulated service sends: one page, which says what it is. */
export async function drawSimulatedFile(): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({ size: 'A5', lang: 'en-GB', info: { Title: 'A simulated leaflet' } });
  document.fontSize(18).text('A simulated leaflet').moveDown();
  document.fontSize(11).text('TEST: the simulator of a test site made this. No service has sent it.');
  document.end();
  return buffer(document);
}
