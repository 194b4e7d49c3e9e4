import type { Found } from './store.ts';

/** HSDS's page, as JSON text: the numbers, and around the services' own texts a pair of brackets. */
export function pageAnswer(found: Found, page: number, perPage: number): string {
  const totalPages = Math.ceil(found.total / perPage);
  const numbers = JSON.stringify({
    total_items: found.total,
    total_pages: totalPages,
    page_number: page,
    size: found.size,
    first_page: page === 1,
    last_page: page >= totalPages,
    empty: found.size === 0,
  });
  return `${numbers.slice(0, -1)},"contents":[${found.contents}]}`;
}
