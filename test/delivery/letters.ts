import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { composeLetter } from '../../src/delivery/letter/compose-letter.ts';
import type {
  LetterInput,
  PracticeLetterInput,
  ServiceLetterInput,
} from '../../src/delivery/letter/letter.ts';
import { exampleReferral } from './example-referral.ts';
import { letterDrawer } from './test-site.ts';

export type Given = NonNullable<Parameters<typeof exampleReferral>[0]>;
export type GivenContent = Given['content'];

export const renderLetter = (...given: Parameters<typeof composeLetter>) =>
  letterDrawer.draw(composeLetter(...given));

const site = { siteName: 'Sarrowby referrals', baseUrl: 'https://referrals.example.org' };
const common = {
  site,
  purpose: 'referral',
  date: new Date('2026-11-21T09:30:00Z'),
  test: true,
  contactElsewhere: [],
} as const;
export const toService: ServiceLetterInput = {
  ...common,
  leg: 'service',
  receiver: { name: 'Sarrowby Community Choir' },
  news: [],
  files: [],
};
export const toPractice: PracticeLetterInput = {
  ...common,
  leg: 'gp_practice',
  receiver: { name: 'Mill Lane Surgery' },
};
export const outcome: PracticeLetterInput = { ...toPractice, purpose: 'outcome' };

/** A letter as a PDF reader opens it. */
export async function openLetter(pdf: Buffer) {
  return getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 }).promise;
}

/** The text of each page, as somebody would select and copy it. */
export async function pagesOf(options: LetterInput, given: Given = {}): Promise<string[]> {
  return pagesOfPdf(await renderLetter(exampleReferral(given), options));
}

/** The text of each page of any PDF file. */
export async function pagesOfPdf(pdf: Buffer): Promise<string[]> {
  const document = await openLetter(pdf);
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    );
  }
  return pages;
}

/** The text of a whole letter. */
export async function textOf(options: LetterInput, given: Given = {}): Promise<string> {
  return (await pagesOf(options, given)).join(' ');
}
