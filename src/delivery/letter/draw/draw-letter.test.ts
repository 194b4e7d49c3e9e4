import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import {
  openLetter,
  outcome,
  pagesOf,
  pagesOfPdf,
  renderLetter,
  textOf,
  toPractice,
  toService,
} from '../../../../test/delivery/letters.ts';
import { letterDrawer } from '../../../../test/delivery/test-site.ts';
import { composeLetter } from '../compose-letter.ts';
import { drawLetter } from './draw-letter.ts';
import { loadTypesetting } from './paper.ts';

type Node = { role?: string; type?: string; id?: string; children?: Node[] };

/** The pieces of content that a page's structure leads to, in its order. */
function leavesOf(node: Node): string[] {
  return node.type === 'content' ? [node.id!] : (node.children ?? []).flatMap(leavesOf);
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openLetter>>['getPage']>>;

/** What is written on a page, by the pieces that its structure can lead to; and the rest, which it never does. */
async function markedTexts(page: Page): Promise<{ tagged: Map<string, string>; rest: string }> {
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const tagged = new Map<string, string>();
  let rest = '';
  const within: (string | undefined)[] = [];
  for (const item of items) {
    if ('str' in item) {
      const id = within.findLast((each) => typeof each === 'string');
      if (id === undefined) rest += ` ${item.str}`;
      else tagged.set(id, `${tagged.get(id) ?? ''} ${item.str}`);
    } else if (item.type === 'endMarkedContent') within.pop();
    else within.push(item.id);
  }
  return { tagged, rest };
}

describe('a letter as a PDF', () => {
  it('has reference, page number and test mark on every page', async () => {
    const safety_notes = 'One of very many words. '.repeat(400);
    const pages = await pagesOf(toService, { content: { safety_notes } });
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, text] of pages.entries()) {
      expect(text).toContain('TEST – not a real patient');
      expect(text).toContain('Reference 7K3QF-XW29D');
      expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
    }
    const words = pages.join(' ').replaceAll(/ŻÓŁKIEWSKA-LLŶR.*?\(not traced\) /g, '');
    expect(words.match(/many/g)).toHaveLength(400);
  });

  it('has no test mark on a live site', async () => {
    expect(await textOf({ ...toService, test: false })).not.toContain('TEST');
  });

  it('is tagged, in English, and its title names nobody', async () => {
    const pdf = await renderLetter(exampleReferral(), toService);
    expect(pdf.includes('/Marked true')).toBe(true);
    const document = await openLetter(pdf);
    const { info } = (await document.getMetadata()) as { info: { Title: string; Language: string } };
    expect(info).toMatchObject({ Title: 'Sarrowby referrals: referral 7K3QF-XW29D', Language: 'en-GB' });
    const tree = JSON.stringify(await (await document.getPage(1)).getStructTree());
    for (const role of ['Document', 'H1', 'H2', 'P', 'L', 'LI', 'Lbl', 'LBody'])
      expect(tree).toContain(`"${role}"`);
  });

  it('is read aloud in order, without the decoration', async () => {
    const letter = exampleReferral({ content: { safety_notes: 'One of very many words. '.repeat(200) } });
    const document = await openLetter(await renderLetter(letter, toService));
    const aloud: string[] = [];
    const silent: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { tagged, rest } = await markedTexts(page);
      silent.push(rest);
      aloud.push(...leavesOf((await page.getStructTree()) as Node).map((id) => tagged.get(id) ?? ''));
      // Nothing is marked as content that the tree does not lead to.
      expect(leavesOf((await page.getStructTree()) as Node).sort()).toEqual([...tagged.keys()].sort());
    }
    const words = aloud.join(' ').replaceAll(/\s+/g, ' ');
    const order = [
      'Sarrowby referrals',
      'To Sarrowby Community Choir',
      'Date 21 November 2026',
      'Reference 7K3QF-XW29D',
      'TEST – not a real patient',
      'ŻÓŁKIEWSKA-LLŶR, Małgorzata Siân',
      'Referral to Sarrowby Community Choir',
      'For you to answer',
      'Keeping everyone safe One of',
      'Patient Gender: Female',
      'Reasons for the referral 1. She is lonely',
      '2. Low mood.',
      'What matters',
      'Referred by Name: Asha Patel',
      'Agreement To be referred: Yes',
    ];
    let from = 0;
    for (const each of order) {
      const found = words.indexOf(each, from);
      expect([each, found]).toEqual([each, Math.max(found, from)]);
      from = found;
    }
    expect(words.match(/One of very many words\./g)).toHaveLength(200);
    expect(silent.join(' ')).toContain('Page 1 of');
    expect(words).not.toContain('Page 1 of');
  });

  it('embeds its typefaces and declares PDF/UA', async () => {
    const pdf = (await renderLetter(exampleReferral(), toService)).toString('latin1');
    const fonts = pdf.match(/\/Type \/FontDescriptor/g) ?? [];
    expect(fonts.length).toBeGreaterThan(0);
    expect(pdf.match(/\/FontFile2 \d+ 0 R/g)).toHaveLength(fonts.length);
    for (const each of ['<pdfuaid:part>1</pdfuaid:part>', '/DisplayDocTitle true', '/Lang (en-GB)'])
      expect(pdf).toContain(each);
  });

  it('has the same bytes each time', async () => {
    const twice = [
      await renderLetter(exampleReferral(), toService),
      await renderLetter(exampleReferral(), toService),
    ];
    expect(twice[0]!.equals(twice[1]!)).toBe(true);
  });

  it.each([
    ['right to left', 'שלום עולם, العربية جميلة'],
    ['emoji', 'sad 😢 and 👨‍👩‍👧'],
    ['another script', 'বাংলা'],
    ['control characters', 'a\u0000b\u202Ec\uD800'],
    ['a very long word', 'x'.repeat(10_000)],
    ['very many lines', 'line\n'.repeat(2000)],
  ])('survives %s', async (_what, text) => {
    const reasons = [{ text }];
    expect(await textOf(toService, { content: { reasons } })).toContain('Reasons for the referral');
  });

  it('says where it could not print a character', async () => {
    const text = await textOf(toService, { content: { what_matters: 'বাংলা' } });
    expect(text).toContain('it cannot print what was written');
    expect(await textOf(toService)).not.toContain('it cannot print');
  });

  it('prints all news for a service, however long', async () => {
    const by = { at: '2026-11-21T09:30:00Z', by: 'Asha Patel' };
    const short = [{ ...by, text: 'His brother was arrested.' }];
    expect(await textOf({ ...toService, news: short })).toContain('Asha Patel: His brother was arrested.');
    const long = [...short, { ...by, text: `${'He slept in the car again. '.repeat(300)}Until Monday.` }];
    const pages = await pagesOf({ ...toService, news: long });
    expect(pages.join(' ')).toMatch(/His brother was arrested\..+Until Monday\./);
    expect(pages[0]).toContain('1. Today: read “News since the referral was sent”.');
  });

  it('is drawn also if stored before the box had paragraphs', async () => {
    const written = composeLetter(exampleReferral(), toPractice);
    const { patient, box } = written.letter.toPractice!;
    for (const words of ['One paragraph.', undefined]) {
      const { warnings: _, weight: __, code: ___, ...before } = box;
      const toPractice = { patient, box: { ...before, words: words as never } };
      const pdf = await letterDrawer.draw({ ...written, letter: { ...written.letter, toPractice } });
      const [page] = await pagesOfPdf(pdf);
      expect(page).toContain(`for the record ${words ? `${words} ` : ''}Questions:`);
    }
  });

  it('does not fail because another letter cannot be drawn', async () => {
    const written = composeLetter(exampleReferral(), toService);
    const broken = { ...written, letter: { ...written.letter, sections: null as never } };
    const [first, second, third] = await Promise.allSettled(
      [written, broken, written].map(letterDrawer.draw),
    );
    expect(second).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } });
    expect(first).toEqual(third);
    expect(first).toMatchObject({ status: 'fulfilled' });
  });
});

describe('letters that are drawn one after another', () => {
  it('keep every character, also after an accented capital', async () => {
    const typesetting = await loadTypesetting();
    const { patient } = exampleReferral().content;
    const named = exampleReferral({ content: { patient: { ...patient, family_name: 'Óg' } } });
    // Nothing else in bold has an O without an accent.
    await drawLetter(typesetting, composeLetter({ ...named, reference: 'X' }, toPractice));
    const pdf = await drawLetter(
      typesetting,
      composeLetter(exampleReferral({ status: 'entered-in-error' }), outcome),
    );
    const page = await (await openLetter(pdf)).getPage(1);
    const text = (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join(' ');
    expect(text).toContain('REMOVE FROM RECORD');
  });
});

describe('the text of a letter', () => {
  it('is copied letter by letter, so that links and words work', async () => {
    const text = await textOf(toService, {
      content: { reasons: [{ text: 'Her office has a file, ff67 and affluent.' }] },
    });
    expect(text).toContain('Her office has a file, ff67 and affluent.');
    expect(text).not.toMatch(/[\uFB00-\uFB06]/);
  });

  it('has the referral’s address as a link on a line of its own', async () => {
    const page = await (await openLetter(await renderLetter(exampleReferral(), toService))).getPage(1);
    const address = 'https://referrals.example.org/referrals/0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f';
    const links = (await page.getAnnotations()).map(({ url }: { url?: string }) => url);
    expect(links).toEqual([address]);
    const lines = (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : ''));
    expect(lines).toContain(address);
  });

  it('breaks no date over two lines, in headings as in the text', async () => {
    for (let length = 1; length < 40; length += 3) {
      const service = { name: 'C'.repeat(length), organization_id: 'a', organization_name: 'Arts' };
      const page = await openLetter(await renderLetter(exampleReferral({ service }), toPractice));
      const { items } = await (await page.getPage(1)).getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      expect(text).not.toMatch(/\d\n(?:November|2026)|November\n2026/);
    }
  });

  it('repeats a heading at the top of the page where it goes on', async () => {
    const reasons = [{ text: 'He finds it hard to leave the house. '.repeat(150) }];
    const [first, second] = await pagesOf(toPractice, { content: { reasons } });
    expect(second).toContain('Reason for referral (continued)');
    expect(first).not.toContain('(continued)');
  });

  it('is set closer if that saves a page', async () => {
    const pages = (count: number) =>
      pagesOf(toPractice, { content: { what_matters: 'One of many words. '.repeat(count) } });
    const closer: number[] = [];
    for (let count = 72; count < 112; count += 4) closer.push((await pages(count)).length);
    expect(new Set(closer)).toEqual(new Set([1, 2]));
  });
});
