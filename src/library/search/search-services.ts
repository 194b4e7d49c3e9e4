import type { Db } from '../../platform/database/index.ts';
import type { Filters, Form, ListRequest } from './list-query.ts';
import {
  type Found,
  findCorrections,
  findServices,
  findServicesAfter,
  findWordsStarting,
  isAnyService,
} from './store.ts';
import { allWords, anyWord, isCorrectable, searchedWords, type TextQuery, typedWords } from './text-query.ts';
import { plain } from './words.ts';

/** A page of services; `searchedFor` where it was found by other words than the ones that were typed. */
export type ServicesPage = Found & { searchedFor?: string };

const mostEndings = 20;
const rowsAtOnce = 500;

/** The page of services that is asked for, and how many there are in all. */
export async function searchServices(db: Db, request: ListRequest): Promise<ServicesPage> {
  const { search, filters, form, page, perPage } = request;
  const window = { limit: perPage, offset: (page - 1) * perPage };
  if (search === undefined) return findServices(db, filters, undefined, form, window);
  let found: ServicesPage = { total: 0, size: 0, contents: '' };
  for await (const { text, searchedFor } of attempts(db, search)) {
    found = await findServices(db, filters, text, form, window);
    if (found.total > 0) return searchedFor === undefined ? found : { ...found, searchedFor };
  }
  return found;
}

/** All services that fit, one a line, in the order of their ids. No connection is held while the reader is slow. */
export async function* serviceLines(
  db: Db,
  search: string | undefined,
  filters: Filters,
  form: Form,
): AsyncGenerator<string> {
  const text = search === undefined ? undefined : await fruitfulText(db, search, filters);
  let after = '';
  for (;;) {
    const rows = await findServicesAfter(db, filters, text, form, after, rowsAtOnce);
    if (rows.length > 0) yield rows.map(({ content }) => `${content}\n`).join('');
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)!.id;
  }
}

async function fruitfulText(db: Db, search: string, filters: Filters): Promise<TextQuery> {
  let latest: TextQuery | undefined;
  for await (const { text } of attempts(db, search)) {
    latest = text;
    if (await isAnyService(db, filters, text)) break;
  }
  return latest!;
}

/**
 * The ways to look for what was typed, each to be tried only where those before it found nothing: services with all the
 * words; with all of them, misspelt ones corrected; with any of them.
 */
async function* attempts(db: Db, search: string): AsyncGenerator<{ text: TextQuery; searchedFor?: string }> {
  const typed = typedWords(search);
  const last = plain(typed.last ?? '');
  const endings = isCorrectable(last) ? await findWordsStarting(db, last, mostEndings) : [];
  yield { text: allWords(search, typed, endings) };
  const words = searchedWords(search);
  const corrections = await findCorrections(db, words.filter(isCorrectable));
  const corrected = words.map((word) => corrections.get(word) ?? word);
  const searchedFor = corrected.join(' ');
  if (corrections.size > 0) yield { text: { web: searchedFor, ending: '' }, searchedFor };
  if (corrected.length > 1) yield { text: anyWord(corrected), searchedFor: corrected.join(' or ') };
}
