import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, describe, expect, it } from 'vitest';
import { element, loadTypesetting, openPaper } from './paper.ts';

const folder = mkdtempSync(join(tmpdir(), 'onward-pdf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Long, with characters of other scripts, and with ones that are written in several ways. */
const passwords = [
  'otter kettle violin marsh tent',
  'Zürich\u00a0ﬁnch ½ soft\u00adhyphen',
  'пароль для копии',
  'x'.repeat(140),
];

async function aPaper(password: string): Promise<Buffer> {
  const paper = openPaper(await loadTypesetting(), {
    title: 'Open referrals',
    author: 'A site',
    at: new Date('2026-11-21T10:00:00Z'),
    password,
  });
  const whole = buffer(paper.doc as unknown as NodeJS.ReadableStream);
  element(paper, 'P', () => paper.style({}).text('Margaret Example'));
  paper.close();
  return whole;
}

async function textOf(pdf: Buffer, password: string): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), password, verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join('');
}

describe('a PDF with a password', () => {
  it.each(passwords)('is encrypted as ISO 32000-2 says, and opens with “%s” alone', async (password) => {
    const pdf = await aPaper(password);
    expect(pdf.toString('latin1')).toMatch(/\/R 6\b/);
    expect(pdf.toString('latin1')).not.toMatch(/\/R 5\b/);
    expect(await textOf(pdf, password)).toContain('Margaret Example');
    await expect(textOf(pdf, `!${password}`)).rejects.toMatchObject({ name: 'PasswordException' });
  });

  const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;
  it.skipIf(!hasPoppler)('opens in poppler, for people and for owners', async () => {
    const file = join(folder, 'copy.pdf');
    writeFileSync(file, await aPaper(passwords[0]!));
    const read = (...given: string[]) => {
      const { status, stdout } = spawnSync('pdftotext', [...given, file, '-'], { encoding: 'utf8' });
      return { status, text: stdout };
    };
    for (const which of ['-upw', '-opw'])
      expect(read(which, passwords[0]!)).toEqual({
        status: 0,
        text: expect.stringContaining('Margaret Example'),
      });
    expect(read('-upw', 'kettle').status).not.toBe(0);
    expect(read().status).not.toBe(0);
  });
});
