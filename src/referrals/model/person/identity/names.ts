import { foldText } from '../../../../library/index.ts';
import { withoutInvisible } from '../../../../platform/visible-text.ts';

// How names are compared: of people with each other, and of an account's holder with a person. Stored hashes come from `normaliseName`.
// Changing it would invalidate them, so `foldName` stands beside it.

/** A name without accents, hyphens, spaces, capitals and invisible characters, which differ from form to form. */
export function normaliseName(name: string): string {
  return withoutInvisible(name)
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** A name without capitals, accents, apostrophes, hyphens and spaces; letters such as ø, ł and ß as people without them type them. */
export function foldName(name: string): string {
  return normaliseName(foldText(name));
}

/** Words of last names that many people share. They do not make two names alike. */
const particles = new Set(
  'al ap ab ben bin bint da das de del della den der di do dos du el ferch fitz la le mac mc ni nic o of san st ten ter van von y'.split(
    ' ',
  ),
);

/**
 * Whether a last name may be that of somebody with this full name, such as “Ada Ní Moss-Hale” or “MOSS, Ada”: the whole of it, however it is
 * divided, or one part of either, as of Smith and Smith-Jones. For review lists, where a false match does no harm.
 */
export function mayShareLastName(fullName: string, lastName: string): boolean {
  const last = foldName(lastName);
  if (last === '') return false;
  const [beforeComma = '', afterComma] = fullName.split(',');
  const words = wordsOfName(afterComma === undefined ? fullName : beforeComma);
  // Without a comma the first word is a first name.
  const lastWords = afterComma === undefined ? words.slice(1) : words;
  if (lastWords.some((_, index) => foldName(lastWords.slice(index).join(' ')) === last)) return true;
  const own = new Set(lastWords.map(foldName));
  return wordsOfName(lastName)
    .map(foldName)
    .some((part) => part.length > 1 && !particles.has(part) && own.has(part));
}

function wordsOfName(name: string): string[] {
  return name.split(/[\s\p{Pd}]+/u).filter((word) => foldName(word) !== '');
}

/** An email address without what is after a plus sign, which reaches the same person. */
export function plainAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*@/, '@');
}

/** The scripts that letters can print: those of the typeface that they are set in. */
const printedScripts = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic'];
const notPrinted = `(?!${printedScripts.map((script) => `\\p{Script_Extensions=${script}}`).join('|')})\\p{L}`;

const anyNotPrinted = new RegExp(notPrinted, 'u');
const runsNotPrinted = new RegExp(`(${notPrinted}\\p{M}*)+`, 'gu');

/** Whether letters, which are set in one typeface, cannot print a name: it is in Chinese or Bengali, say. */
export function cannotBePrinted(name: string): boolean {
  return anyNotPrinted.test(name);
}

/** What letters can print of a name, without the brackets that stood around the rest: “王 (Wang)” gives “Wang”. */
export function printedPart(name: string): string {
  return name
    .replaceAll(runsNotPrinted, ' ')
    .replaceAll(/\(\s*\)|\[\s*\]/g, ' ')
    .replace(/^\s*\(([^()]*)\)\s*$/, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
