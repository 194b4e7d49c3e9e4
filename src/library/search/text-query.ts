import { plain } from './words.ts';

/** What PostgreSQL is asked for. */
export type TextQuery = TypedQuery | WordsQuery;

/**
 * A search as it was typed. `web` is in the language of `websearch_to_tsquery`, which takes any text; `ending` in that
 * of `to_tsquery`, made of letters and digits only, and empty where no word is unfinished.
 */
export type TypedQuery = {
  web: string;
  ending: string;
  /** The whole search with its last word taken as finished, in the language of `web`: what matches it ranks first. */
  exact?: string;
};

/**
 * Words of a search, each with others that would do as well. With `any`, services that have more of the words come
 * before those that have fewer.
 */
export type WordsQuery = { wanted: 'all' | 'any'; words: readonly (readonly string[])[] };

/** The last word of a search that may be unfinished; none where it is quoted, left out with a minus, or short. */
export type Typed = { before: string; last: string | undefined };

export function typedWords(search: string): Typed {
  const text = search.trim();
  const found = /(?<before>^|.*[^\p{L}\p{M}\p{N}])(?<last>[\p{L}\p{M}\p{N}]{2,})$/su.exec(text);
  const { before = '', last } = found?.groups ?? {};
  if (last === undefined || /["-]$/.test(before) || isQuoted(before))
    return { before: text, last: undefined };
  return { before, last };
}

function isQuoted(before: string): boolean {
  return (before.match(/"/g)?.length ?? 0) % 2 === 1;
}

/** Services with all the words; the last one may go on. `endings` are words of the library that begin with it. */
export function allWords(search: string, typed: Typed, endings: readonly string[]): TypedQuery {
  if (typed.last === undefined) return { web: typed.before, ending: '' };
  const last = plain(typed.last).replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (last === '') return { web: typed.before, ending: '' };
  // The index holds stems. An unfinished word is rarely a stem's beginning (“bereaveme” of “bereav”), so what the
  // library has that begins so is asked for besides.
  return { web: typed.before, ending: [`${last}:*`, ...endings].join(' | '), exact: search };
}

/** The query as the page names it: “husband, died or bereavement”. */
export function inWords({ wanted, words }: WordsQuery): string {
  return words.map((each) => each.join(' or ')).join(wanted === 'any' ? ' or ' : ', ');
}

/** The search, or none where it has neither a letter nor a digit to look for. */
export function searchText(search: string | undefined): string | undefined {
  return search !== undefined && /[\p{L}\p{N}]/u.test(search) ? search : undefined;
}

/** The words of a search that stand for something, without the signs between them. */
export function searchedWords(search: string): string[] {
  const words = plain(search).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word !== 'or').slice(0, 50);
}
