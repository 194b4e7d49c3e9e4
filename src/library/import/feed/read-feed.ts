import { idOf } from '../collect-ids.ts';
import type { FileRecord } from '../file-record.ts';
import { detailReader } from './detail-reader.ts';
import type { FeedClient } from './feed-client.ts';
import { readPages } from './read-pages.ts';

/** How far an earlier reading came: the page that was stored last, and how many entries the list had at its beginning. */
export type FeedPosition = { page: number; total: number | null };

export type FeedPlan = {
  /** What changed since then is asked for, where the feed was read to its end before. */
  changedSince: Date | undefined;
  position: FeedPosition | undefined;
  seen: ReadonlySet<string>;
  /** Of these ids, those that the library has not, or not as the feed last had them. */
  missing(ids: readonly string[]): Promise<string[]>;
};

const perPage = 100;
/** Ids alone are short; feeds that do not know so large a page make it smaller. */
const idsPerPage = 500;

/**
 * Reads a feed. The first time all of it; later what changed since, and the list of its ids, since what vanished is in
 * no list of changes. `entries` are the ids of all that it has, where they were read to the end and nothing moved.
 */
export function readFeed(client: FeedClient, plan: FeedPlan) {
  const seen = new Set(plan.seen);
  let isWhole = false;
  let total = plan.position?.total ?? undefined;
  const detail = detailReader(client);

  async function* entriesOf(path: string): AsyncGenerator<FileRecord> {
    const from = plan.position?.page;
    const pages = readPages(client, path, { ...(from !== undefined && { from, total }) });
    let steady = false;
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done) {
        steady = next.value.isSteady;
        break;
      }
      const { number, entries } = next.value;
      // A reading that goes on must learn of a change that this one has seen.
      total ??= next.value.total;
      for (const entry of entries) {
        const id = idOf(entry);
        if (id !== undefined) seen.add(id);
      }
      for (const [index, entry] of entries.entries()) {
        yield { page: number, line: index + 1, value: await detail(entry) };
      }
    }
    isWhole = steady && (total === undefined || seen.size === total);
  }

  async function* changes(since: Date): AsyncGenerator<FileRecord> {
    yield* entriesOf(`/services?full=true&per_page=${perPage}&modified_after=${since.toISOString()}`);
    const read = new Set(seen);
    seen.clear();
    isWhole = false;
    total = undefined;
    const pages = readPages(client, `/services?minimal=true&per_page=${idsPerPage}`);
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done) {
        isWhole = next.value.isSteady && (total === undefined || seen.size === total);
        return;
      }
      const { number, entries } = next.value;
      total ??= next.value.total;
      const ids = entries.flatMap((entry) => idOf(entry) ?? []);
      for (const id of ids) seen.add(id);
      const missing = await plan.missing(ids.filter((id) => !read.has(id)));
      for (const [index, id] of missing.entries())
        yield { page: number, line: index + 1, value: await detail.byId(id) };
    }
  }

  const { changedSince } = plan;
  return {
    records:
      changedSince === undefined
        ? entriesOf(`/services?full=true&per_page=${perPage}`)
        : changes(changedSince),
    entries: () => (isWhole ? seen : undefined),
    seen,
    total: () => total,
  };
}
