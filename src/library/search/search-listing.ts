import type { Db } from '../../platform/database/index.ts';
import { alikeWords } from './alike-words.ts';
import type { Wanted } from './list-parameters.ts';
import { tellingWords } from './small-words.ts';
import type { Found, Window } from './store.ts';
import {
  allWords,
  inWords,
  searchedWords,
  type TextQuery,
  typedWords,
  type WordsQuery,
} from './text-query.ts';
import { isCorrectable, plain } from './words.ts';
import { findMeanings, findWordsStarting } from './words-store.ts';

/** Anything that can be listed: how its pages and its lines are read. */
export type Listing = {
  /** One page of it. */
  find(text: TextQuery | undefined, window: Window): Promise<Found>;
  isAny(text: TextQuery): Promise<boolean>;
  /** What comes after an id, in the order of the ids. */
  findAfter(text: TextQuery | undefined, after: string, limit: number): Promise<Line[]>;
};

export type Line = { id: string; content: string };

/** A page; `searchedFor` where it was found by other words than the ones that were typed. */
export type SearchedPage = Found & { searchedFor?: string };

const mostEndings = 20;
const rowsAtOnce = 500;

/** The page that is asked for, and how many there are in all. */
export async function searchPage(db: Db, listing: Listing, wanted: Wanted): Promise<SearchedPage> {
  const { search, page, perPage } = wanted;
  const window = { limit: perPage, offset: (page - 1) * perPage };
  if (search === undefined) return listing.find(undefined, window);
  let found: SearchedPage = { total: 0, size: 0, contents: '' };
  for await (const { text, searchedFor } of attempts(db, search)) {
    found = await listing.find(text, window);
    if (found.total > 0) return searchedFor === undefined ? found : { ...found, searchedFor };
  }
  return found;
}

/** All that fit, one a line, in the order of their ids. No connection is held while the reader is slow. */
export async function* searchLines(
  db: Db,
  listing: Listing,
  search: string | undefined,
): AsyncGenerator<string> {
  const text = search === undefined ? undefined : await fruitfulText(db, listing, search);
  let after = '';
  for (;;) {
    const rows = await listing.findAfter(text, after, rowsAtOnce);
    if (rows.length > 0) yield rows.map(({ content }) => `${content}\n`).join('');
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)!.id;
  }
}

async function fruitfulText(db: Db, listing: Listing, search: string): Promise<TextQuery> {
  let latest: TextQuery | undefined;
  for await (const { text } of attempts(db, search)) {
    latest = text;
    if (await listing.isAny(text)) break;
  }
  return latest!;
}

type Attempt = { text: TextQuery; searchedFor?: string };

/**
 * The ways to look for what was typed, each to be tried only where those before it found nothing: what has all the
 * words; with all of them that tell something, misspelt ones corrected; with all of these or what they mean; with any.
 */
async function* attempts(db: Db, search: string): AsyncGenerator<Attempt> {
  const typed = typedWords(search);
  const last = plain(typed.last ?? '');
  const endings = isCorrectable(last) ? await findWordsStarting(db, last, mostEndings) : [];
  yield { text: allWords(search, typed, endings) };
  const words = tellingWords(searchedWords(search));
  const corrections = await alikeWords(db, 'search_words', words);
  const corrected = [...new Set(words.map((word) => corrections.get(word)?.[0] ?? word))];
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
