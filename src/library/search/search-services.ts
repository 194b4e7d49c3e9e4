import type { Db } from '../../platform/database/index.ts';
import { correctWords } from './correct-words.ts';
import type { Filters, Form, ListRequest } from './list-query.ts';
import { tellingWords } from './small-words.ts';
import {
  type Found,
  findMeanings,
  findServices,
  findServicesAfter,
  findWordsStarting,
  isAnyService,
} from './store.ts';
import {
  allWords,
  inWords,
  isCorrectable,
  searchedWords,
  type TextQuery,
  typedWords,
  type WordsQuery,
} from './text-query.ts';
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

type Attempt = { text: TextQuery; searchedFor?: string };

/**
 * The ways to look for what was typed, each to be tried only where those before it found nothing: services with all the
 * words; with all of them that tell something, misspelt ones corrected; with all of these or what they mean; with any.
 */
async function* attempts(db: Db, search: string): AsyncGenerator<Attempt> {
  const typed = typedWords(search);
  const last = plain(typed.last ?? '');
  const endings = isCorrectable(last) ? await findWordsStarting(db, last, mostEndings) : [];
  yield { text: allWords(search, typed, endings) };
  const words = tellingWords(searchedWords(search));
  const corrections = await correctWords(db, words);
  const corrected = [...new Set(words.map((word) => corrections.get(word) ?? word))];
  if (corrections.size > 0) {
    const searchedFor = corrected.join(' ');
    yield { text: { web: searchedFor, ending: '' }, searchedFor };
  }
  const meanings = await findMeanings(db, corrected);
  const meant = corrected.map((word) => [word, ...(meanings.get(word) ?? [])]);
  if (meanings.size > 0) yield byWords({ wanted: 'all', words: meant });
  if (corrected.length > 1) yield byWords({ wanted: 'any', words: meant });
}

function byWords(text: WordsQuery): Attempt {
  return { text, searchedFor: inWords(text) };
}
