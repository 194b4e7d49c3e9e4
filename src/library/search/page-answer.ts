import type { Place } from './filters.ts';
import type { SearchedPage } from './search-listing.ts';

/**
 * HSDS's page, as JSON text. In one go, because V8 copies a text that was put together from others once more before it is
 * hashed.
 */
export function pageAnswer(found: SearchedPage, page: number, perPage: number, place?: Place): string {
  return pageTexts(found, page, perPage, place).join('');
}

/**
 * The texts that a page is made of: the numbers, and around the services' own texts a pair of brackets. Besides, where from
 * distances are measured and the counts of facets, where these were asked for.
 */
export function pageTexts(found: SearchedPage, page: number, perPage: number, place?: Place): string[] {
  const totalPages = Math.ceil(found.total / perPage);
  const numbers = JSON.stringify({
    total_items: found.total,
    total_pages: totalPages,
    page_number: page,
    size: found.size,
    first_page: page === 1,
    last_page: page >= totalPages,
    empty: found.size === 0,
    place,
    facets: found.facets,
  });
  const [first = '', ...others] = found.contents;
  return [`${numbers.slice(0, -1)},"contents":[`, first, ...others.flatMap((text) => [',', text]), ']}'];
}
