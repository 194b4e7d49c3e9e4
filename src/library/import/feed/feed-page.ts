/** A page of a feed: HSDS 3.0 and Open Referral UK, today's names and those of version 1. */
export type FeedPage = { entries: unknown[]; total: number | undefined; isLast: boolean };

/** @returns undefined for what is no page of a list. */
export function feedPage(answer: unknown, number: number): FeedPage | undefined {
  if (Array.isArray(answer)) return { entries: answer, total: answer.length, isLast: true };
  if (typeof answer !== 'object' || answer === null) return undefined;
  const page = answer as Record<string, unknown>;
  const entries = page.contents ?? page.content;
  if (!Array.isArray(entries)) return undefined;
  const total = numberOf(page.total_items ?? page.totalElements);
  const pages = numberOf(page.total_pages ?? page.totalPages);
  const saysLast = page.last_page ?? page.last;
  const isLast =
    entries.length === 0 ||
    (typeof saysLast === 'boolean' ? saysLast : pages !== undefined && number >= pages);
  return { entries, total, isLast };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
