import { type Asked, findPath } from './asked.ts';

export const resultsPerPage = 20;

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
