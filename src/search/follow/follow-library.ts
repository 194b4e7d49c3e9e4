import { createBatchLoader } from '../../platform/concurrency/batch-loader.ts';
import { cachedUntilNotice, type Db, type Notices, type Trx } from '../../platform/database/index.ts';
import { SearchIndex } from '../index/search-index.ts';
import { type LibraryInMemory, Vocabulary } from '../typed-words/vocabulary.ts';
import {
  everyService,
  findLibraryVersion,
  findSnapshot,
  findStems,
  findSynonymChange,
  findTermChange,
  type LibrarySnapshot,
  listAllSynonyms,
  listAllTerms,
  listChangedIds,
  listServices,
  listWords,
} from './library-store.ts';

/** Keeps the library in memory in step with PostgreSQL. */
export type LibraryFollower = {
  /** The library's version, from the database's notices or by a query. */
  version(): number | Promise<number>;
  /** The library's version, if it is certain without a query. */
  knownVersion(): number | undefined;
  /** Waits until the library in memory has every change up to this version, so that people find what they have just changed. */
  awaitVersion(version: number): Promise<LibraryInMemory>;
  /** The stems of words that the library does not know, by PostgreSQL. */
  stems(words: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Begins to fill the memory, before anybody searches. */
  start(): void;
  /** Whether the memory is filled, or has had enough time: a site whose first search is slow is better than no site. */
  isReady(): boolean;
  stop(): Promise<void>;
};

/** The topic of notices that the library has changed. */
const libraryChanged = 'library';

type FollowLimits = {
  /** The pause between a notice and reading the changes, so that the many notices of an import are followed up together. */
  followUpAfterMs: number;
  /** After this time the site is ready, also if the memory is not filled yet. */
  readyAfterMs: number;
};
const defaultLimits: FollowLimits = { followUpAfterMs: 500, readyAfterMs: 30_000 };

/** Services for each step into the index, so that no request waits for long. */
const rowsAtOnce = 250;

export function followLibrary(db: Db, notices: Notices, limits = defaultLimits): LibraryFollower {
  const ending = new AbortController();
  const version = cachedUntilNotice(db, notices, libraryChanged, () => findLibraryVersion(db));
  const stemOf = createBatchLoader((words) => findStems(db, words));
  let filled: FilledLibrary | undefined;
  let advancing: Promise<void> | undefined;
  let followUp: NodeJS.Timeout | undefined;
  let giveUpAtMs = Number.POSITIVE_INFINITY;

  /** Brings the index up to date. Calls that come while this runs share its result. */
  const advance = () => {
    advancing ??= (async () => {
      filled = (filled && (await catchUp(db, filled))) ?? (await readLibrary(db, ending.signal));
    })().finally(() => {
      advancing = undefined;
    });
    return advancing;
  };
  const followChanges = () => {
    followUp ??= setTimeout(() => {
      followUp = undefined;
      advance().catch(ignoreErrors);
    }, limits.followUpAfterMs).unref();
  };

  return {
    version: version.get,
    knownVersion: version.known,
    async awaitVersion(wanted) {
      while (!filled || filled.readAt.version < wanted) await advance();
      return filled;
    },
    async stems(words) {
      const stems = await Promise.all(words.map(async (word) => [word, (await stemOf(word))!] as const));
      return new Map(stems);
    },
    start() {
      giveUpAtMs = performance.now() + limits.readyAfterMs;
      notices.on(libraryChanged, followChanges);
      advance().catch(ignoreErrors);
    },
    isReady: () => filled !== undefined || performance.now() > giveUpAtMs,
    async stop() {
      ending.abort();
      clearTimeout(followUp);
      await Promise.allSettled([advancing]);
    },
  };
}

/** For work that nobody waits for: the next search does it again, and reports the error. */
const ignoreErrors = () => undefined;

/** The library in memory. */
export type FilledLibrary = LibraryInMemory & {
  /** The state of the database that it was read from. */
  readAt: LibrarySnapshot;
  /** How many rows each table has; undefined before the first reading. */
  rowCounts: { terms: number | undefined; synonyms: number | undefined };
};

/** Reads the whole library. @param signal ends it early */
export function readLibrary(db: Db, signal?: AbortSignal): Promise<FilledLibrary> {
  return inSnapshot(db, async (trx) => {
    const readAt = await findSnapshot(trx);
    const [index, vocabulary] = [new SearchIndex(), new Vocabulary()];
    for (const { word, stem, isStopWord } of await listWords(trx)) vocabulary.addWord(word, stem, isStopWord);
    const none = { terms: undefined, synonyms: undefined };
    const filled = await readSmallTables(trx, { index, vocabulary, readAt, rowCounts: none }, readAt);
    for await (const rows of everyService(trx, rowsAtOnce)) {
      signal?.throwIfAborted();
      for (const row of rows) index.put(row);
    }
    return filled;
  });
}

/** With more changes than this plus half the number of services, reading everything is faster. */
const maxChangesToCatchUp = 2000;

/** Reads the changes since `filled` into it; undefined if reading everything is faster. */
function catchUp(db: Db, filled: FilledLibrary): Promise<FilledLibrary | undefined> {
  const { index, vocabulary } = filled;
  const { snapshot } = filled.readAt;
  return inSnapshot(db, async (trx) => {
    const readAt = await findSnapshot(trx);
    const ids = await listChangedIds(trx, snapshot);
    if (ids.length > maxChangesToCatchUp + index.size / 2) return undefined;
    for (const { word, stem, isStopWord } of await listWords(trx, snapshot))
      vocabulary.addWord(word, stem, isStopWord);
    const caughtUp = await readSmallTables(trx, filled, readAt);
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const changed = ids.slice(from, from + rowsAtOnce);
      const rows = await listServices(trx, changed);
      for (const id of changed) index.remove(id);
      for (const row of rows) index.put(row);
    }
    return caughtUp;
  });
}

function inSnapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

async function readSmallTables(
  trx: Trx,
  { index, vocabulary, readAt: before, rowCounts }: FilledLibrary,
  readAt: LibrarySnapshot,
): Promise<FilledLibrary> {
  const terms = await findTermChange(trx, before.snapshot);
  if (terms.isNew || terms.rows !== rowCounts.terms) index.replaceTerms(await listAllTerms(trx));
  const synonyms = await findSynonymChange(trx, before.snapshot);
  if (synonyms.isNew || synonyms.rows !== rowCounts.synonyms) {
    vocabulary.replaceSayings(await listAllSynonyms(trx));
  }
  return { index, vocabulary, readAt, rowCounts: { terms: terms.rows, synonyms: synonyms.rows } };
}
