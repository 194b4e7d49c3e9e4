import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../test/delivery/example-referral.ts';
import { renderLetter, toService } from '../../test/delivery/letters.ts';
import { countPages } from './count-pages.ts';

const count = (text: string) => countPages(Buffer.from(text, 'latin1'), 'application/pdf');
const tree = (pages: number) => `2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count ${pages} >>\nendobj\n`;
const catalogue = '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n';
const trailer = 'trailer\n<< /Root 1 0 R >>\n%%EOF';

describe('the pages of a file', () => {
  it('are one for a picture', () => {
    expect(countPages(Buffer.from('ffd8ff', 'hex'), 'image/jpeg')).toBe(1);
  });

  it('are counted in a letter of our own', async () => {
    const letter = (words: string) =>
      renderLetter(exampleReferral({ content: { what_matters: words } }), toService);
    const short = countPages(await letter('To sing.'), 'application/pdf')!;
    const long = countPages(await letter('One of very many words. '.repeat(900)), 'application/pdf')!;
    expect(short).toBeGreaterThan(0);
    expect(long).toBeGreaterThan(short + 2);
  });

  it('are those of the latest version of a file that was changed', () => {
    expect(count(`%PDF-1.7\n${catalogue}${tree(2)}${trailer}\n${tree(5)}${trailer}`)).toBe(5);
  });

  it('are found where objects are packed, as most programs do now', () => {
    const [one, two] = ['<< /Type /Catalog /Pages 22 0 R >>', '<< /Type /Pages /Count 7 >>'];
    const head = `21 0 22 ${one.length + 1} `;
    const packed = deflateSync(Buffer.from(`${head}${one} ${two}`)).toString('latin1');
    const stream = `9 0 obj\n<< /Type /ObjStm /N 2 /First ${head.length} /Filter /FlateDecode >>\nstream\r\n${packed}\nendstream\nendobj\n`;
    expect(count(`%PDF-1.7\n${stream}10 0 obj\n<< /Type /XRef /Root 21 0 R >>\nendobj`)).toBe(7);
  });

  it.each([
    ['nothing to count', '%PDF-1.7 A letter.'],
    ['a secret', `%PDF-1.7\n${catalogue}${tree(2)}trailer << /Root 1 0 R /Encrypt 8 0 R >>`],
    ['no tree', `%PDF-1.7\n${catalogue}${trailer}`],
    [
      'a broken stream',
      `%PDF-1.7\n9 0 obj << /Type /ObjStm /First 4 /FlateDecode >>\nstream\nxx\n${trailer}`,
    ],
    ['an absurd number', `%PDF-1.7\n${catalogue}${tree(99_999_999)}${trailer}`],
  ])('are not known in a file with %s', (_, text) => {
    expect(count(text)).toBeNull();
  });

  it('take no longer for a file that is made to be slow', () => {
    const begun = performance.now();
    expect(count(`%PDF-1.7 ${'/Type/ObjStm '.repeat(700_000)}${trailer}`)).toBeNull();
    expect(count(`%PDF-1.7 ${'1 0 obj '.repeat(1_200_000)}${trailer}`)).toBeNull();
    expect(performance.now() - begun).toBeLessThan(60_000);
  });
});
