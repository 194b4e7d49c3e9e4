import { longestSearch } from '../search/list-parameters.ts';
import { searchText } from '../search/text-query.ts';
import type { UsedTerm } from '../services/store.ts';

export const resultsPerPage = 20;

/** What the form on the find page was sent with. */
export type Asked = { search: string; termId: string; page: number; error: string | undefined };

/** Reads the form's query. A page that makes no sense is the first; a search that cannot be is said to the person. */
export function readAsked(query: Readonly<Record<string, unknown>>): Asked {
  const search = oneText(query.search).trim();
  const page = /^[1-9]\d{0,6}$/.test(oneText(query.page)) ? Number(oneText(query.page)) : 1;
  const termId = oneText(query.taxonomy_term_id);
  const tooLong = search.length > longestSearch;
  const unusable = search.includes('\0') || termId.includes('\0') || termId.length > 100;
  const error = tooLong
    ? `Search for ${longestSearch} characters or fewer`
    : unusable
      ? 'Search for words, without special characters'
      : undefined;
  // What was refused stays in the field, to be mended.
  const shown = error === undefined ? searchText(search) : search.slice(0, 2 * longestSearch);
  return { search: shown ?? '', termId, page, error };
}

function oneText(value: unknown): string {
  const [first] = [value].flat();
  return typeof first === 'string' ? first : '';
}

export function findPath({ search, termId }: Pick<Asked, 'search' | 'termId'>, page: number): string {
  const query = new URLSearchParams();
  if (search !== '') query.set('search', search);
  if (termId !== '') query.set('taxonomy_term_id', termId);
  if (page > 1) query.set('page', String(page));
  const text = query.toString();
  return text === '' ? '/services' : `/services?${text}`;
}

type Item = { number: number; href: string; current: boolean } | { ellipsis: true };

/** Links to the other pages: the first, the last, and those around the one that is shown. */
export function pagination(asked: Asked, total: number) {
  const last = Math.ceil(total / resultsPerPage);
  if (last < 2) return undefined;
  const { page } = asked;
  const shown = [...new Set([1, page - 1, page, page + 1, last])].filter(
    (number) => number >= 1 && number <= last,
  );
  const items = shown.flatMap((number, index): Item[] => {
    const gap = index > 0 && number - shown[index - 1]! > 1;
    const item = { number, href: findPath(asked, number), current: number === page };
    return gap ? [{ ellipsis: true }, item] : [item];
  });
  return {
    items,
    ...(page > 1 && { previous: { href: findPath(asked, page - 1) } }),
    ...(page < last && { next: { href: findPath(asked, page + 1) } }),
    last,
  };
}

/** The terms to choose from, under the names of their taxonomies. */
export function termGroups(terms: readonly UsedTerm[]) {
  return [...Map.groupBy(terms, ({ taxonomy }) => taxonomy ?? 'Other terms')].map(([taxonomy, options]) => ({
    taxonomy,
    options,
  }));
}
