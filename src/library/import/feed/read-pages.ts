import { Problem } from '../../../platform/problem/index.ts';
import { feedUnreadable } from '../../problems.ts';
import { idOf } from '../collect-ids.ts';
import type { FeedClient } from './feed-client.ts';
import { feedPage } from './feed-page.ts';

export type ReadPage = { number: number; entries: unknown[]; total: number | undefined };

/** Nobody's directory is this long: a feed that goes on has no end. */
const mostPages = 100_000;

/**
 * The pages of a list from a number on. What a page before it had is left out: a list that changes while it is read
 * shifts. A page of which nothing is left out of is the sign of a feed that gives the same again and again.
 */
export async function* readPages(
  client: FeedClient,
  path: string,
  { from = 1, total }: { from?: number; total?: number | undefined } = {},
): AsyncGenerator<ReadPage, { isSteady: boolean }> {
  const seen = new Set<string>();
  let isSteady = true;
  let expected = total;
  for (let number = from; number < mostPages; number += 1) {
    const page = feedPage(await client(`${path}&page=${number}`), number);
    if (!page)
      throw new Problem(
        feedUnreadable,
        'The feed answers with JSON that is no page of an Open Referral list.',
      );
    expected ??= page.total;
    if (page.total !== expected) isSteady = false;
    const entries = page.entries.filter((entry) => !seen.has(idOf(entry) ?? ''));
    if (page.entries.length > 0 && entries.length === 0) throw new Problem(feedUnreadable, sameAgain(number));
    for (const id of entries.map(idOf)) if (id !== undefined) seen.add(id);
    yield { number, entries, total: page.total };
    if (page.isLast) return { isSteady };
  }
  throw new Problem(feedUnreadable, 'The feed has no end.');
}

function sameAgain(number: number): string {
  return `On page ${number} the feed gives what it gave before: it does not know the parameter “page”, or goes round in circles.`;
}
