import { serviceSchema } from '../../library/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { idOf } from '../import/import-services.ts';
import type { FileRecord } from '../import/model/record.ts';
import { type FeedClient, feedUnreadable } from './feed-client.ts';

/** How far an earlier import came: the page that it stored last, and how many entries the list had when it began. */
export type FeedPosition = { page: number; total: number | null };

export type FeedPlan = {
  /** Set if the feed was read to its end before: only what changed since then is asked for. */
  changedSince: Date | undefined;
  position: FeedPosition | undefined;
  seen: ReadonlySet<string>;
  /** Which of these ids the library lacks, or does not have as the feed last gave them. */
  missing(ids: readonly string[]): Promise<string[]>;
};

const perPage = 100;
/** Entries of a list of ids are short, so a page has many. A feed that does not allow such a large page sends a smaller one. */
const idsPerPage = 500;

/**
 * Reads a feed: the first time all of it; later what changed, and then the list of its ids, because a list of changes does not say what
 * vanished. `ids` returns all ids of the feed, if it was read to its end and did not change meanwhile.
 */
export function readFeed(client: FeedClient, plan: FeedPlan) {
  const handledIds = new Set(plan.seen);
  let isWhole = false;
  let total = plan.position?.total ?? undefined;
  const details = detailReader(client);

  async function* entriesOf(path: string): AsyncGenerator<FileRecord> {
    const from = plan.position?.page;
    const pages = readPages(client, path, { ...(from !== undefined && { from, total }) });
    let isSteady = false;
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done) {
        isSteady = next.value.isSteady;
        break;
      }
      const { number, entries } = next.value;
      // An import that continues later must know whether the list has changed since.
      total ??= next.value.total;
      for (const entry of entries) {
        const id = idOf(entry);
        if (id !== undefined) handledIds.add(id);
      }
      for (const [index, entry] of entries.entries()) {
        yield { page: number, line: index + 1, value: await details.inFull(entry) };
      }
    }
    isWhole = isSteady && (total === undefined || handledIds.size === total);
  }

  async function* changes(since: Date): AsyncGenerator<FileRecord> {
    yield* entriesOf(`/services?full=true&per_page=${perPage}&modified_after=${since.toISOString()}`);
    const changedIds = new Set(handledIds);
    handledIds.clear();
    isWhole = false;
    total = undefined;
    const pages = readPages(client, `/services?minimal=true&per_page=${idsPerPage}`);
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done) {
        isWhole = next.value.isSteady && (total === undefined || handledIds.size === total);
        return;
      }
      const { number, entries } = next.value;
      total ??= next.value.total;
      const ids = entries.flatMap((entry) => idOf(entry) ?? []);
      for (const id of ids) handledIds.add(id);
      const missing = await plan.missing(ids.filter((id) => !changedIds.has(id)));
      for (const [index, id] of missing.entries())
        yield { page: number, line: index + 1, value: await details.byId(id) };
    }
  }

  const { changedSince } = plan;
  return {
    records:
      changedSince === undefined
        ? entriesOf(`/services?full=true&per_page=${perPage}`)
        : changes(changedSince),
    ids: () => (isWhole ? handledIds : undefined),
    seen: handledIds,
    total: () => total,
  };
}

export type ReadPage = { number: number; entries: unknown[]; total: number | undefined };

/** No directory is this long, so such a feed has no end. */
const maxPages = 100_000;

/**
 * The pages of a list, from a number on. Entries that were on an earlier page are left out, because a list shifts if it changes while it is
 * read. A page with only such entries means that the feed sends the same page again and again.
 */
async function* readPages(
  client: FeedClient,
  path: string,
  { from = 1, total }: { from?: number; total?: number | undefined } = {},
): AsyncGenerator<ReadPage, { isSteady: boolean }> {
  const idsSoFar = new Set<string>();
  let isSteady = true;
  let expectedTotal = total;
  for (let number = from; number < maxPages; number += 1) {
    const page = parsePage(await client(`${path}&page=${number}`), number);
    if (!page)
      throw new Problem(
        feedUnreadable,
        'The feed answers with JSON that is no page of an Open Referral list.',
      );
    expectedTotal ??= page.total;
    if (page.total !== expectedTotal) isSteady = false;
    const entries = page.entries.filter((entry) => !idsSoFar.has(idOf(entry) ?? ''));
    if (page.entries.length > 0 && entries.length === 0)
      throw new Problem(feedUnreadable, repeatedPageDetail(number));
    for (const id of entries.map(idOf)) if (id !== undefined) idsSoFar.add(id);
    yield { number, entries, total: page.total };
    if (page.isLast) return { isSteady };
  }
  throw new Problem(feedUnreadable, 'The feed has no end.');
}

function repeatedPageDetail(number: number): string {
  return `On page ${number} the feed gives what it gave before: it does not know the parameter “page”, or goes round in circles.`;
}

/** A page of a feed, from the names of HSDS 3.0 and Open Referral UK, current or of version 1. */
type FeedPage = { entries: unknown[]; total: number | undefined; isLast: boolean };

/** @returns undefined if the answer is not a page of a list */
function parsePage(answer: unknown, number: number): FeedPage | undefined {
  if (Array.isArray(answer)) return { entries: answer, total: answer.length, isLast: true };
  if (typeof answer !== 'object' || answer === null) return undefined;
  const page = answer as Record<string, unknown>;
  const entries = page.contents ?? page.content;
  if (!Array.isArray(entries)) return undefined;
  const total = numberOf(page.total_items ?? page.totalElements);
  const pages = numberOf(page.total_pages ?? page.totalPages);
  const isLastPage = page.last_page ?? page.last;
  const isLast =
    entries.length === 0 ||
    (typeof isLastPage === 'boolean' ? isLastPage : pages !== undefined && number >= pages);
  return { entries, total, isLast };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** The lists that a service in full has. Lists of services leave out `metadata`, a feed's own record of changes. */
const lists = Object.entries(serviceSchema.properties)
  .filter(([name, schema]) => 'items' in schema && name !== 'metadata')
  .map(([name]) => name);

/**
 * Completes the entries of a list. Many feeds ignore `full=true`, and their entries lack the lists of a service. An entry with any list shows
 * that this feed's entries are complete. Before that, each service is read by itself; if it then has a list, the feed's entries are short.
 */
function detailReader(client: FeedClient) {
  let listsAreShort: boolean | undefined;
  const byId = async (id: string): Promise<unknown> => {
    const service = await client(`/services/${encodeURIComponent(id)}`);
    if (idOf(service) === id) return service;
    throw new Problem(feedUnreadable, 'The feed gives another service than the one it is asked for.');
  };
  const hasLists = (service: unknown) => lists.some((name) => name in (service as object));
  const inFull = async (entry: unknown): Promise<unknown> => {
    const id = idOf(entry);
    if (id === undefined) return entry;
    if (listsAreShort === undefined && hasLists(entry)) listsAreShort = false;
    if (listsAreShort === false) return entry;
    const whole = await byId(id);
    if (hasLists(whole)) listsAreShort = true;
    return whole;
  };
  return { byId, inFull };
}
