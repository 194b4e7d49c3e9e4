import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { otherProcess } from '../../../test/database/other-process.ts';
import {
  activeServices,
  appendToNames,
  changeService,
  deleteService,
  removeAvailability,
  renameService,
  renameTerms,
  setAccepts,
  setAvailability,
  setMedianDays,
  storedDocuments,
  storedServices,
} from '../../../test/library/stored.ts';
import { deleteSynonym, storeSynonym } from '../../../test/search/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import type { SearchIndex, SearchText } from '../index/search-index.ts';
import type { LibraryInMemory } from '../typed-words/vocabulary.ts';
import { followLibrary, type LibraryFollower, readLibrary } from './follow-library.ts';
import { findLibraryVersion, listAllSynonyms } from './library-store.ts';

// An index that has caught up must equal one that is read from the start, after any change.

let site: TestApp;
let other: ReturnType<typeof otherProcess>;
let search: LibraryFollower;
/** The stems of all sayings, and of one that comes and goes. */
let sayings: string[][];
beforeAll(async () => {
  site = await makeApp();
  other = otherProcess(site.database);
  search = followLibrary(site.deps.db, site.deps.notices);
  const sample = join(import.meta.dirname, '..', '..', '..', 'sample', 'library.ndjson');
  await importServices(site.deps, siteActor, createReadStream(sample));
  await search.awaitVersion(0);
  const synonyms = await inTransaction(site.deps.db, listAllSynonyms);
  sayings = [['aloft'], ...synonyms.map(({ saying }) => saying.split(' '))];
});
afterAll(async () => {
  await search.stop();
  await other.close();
  await site.close();
});

/** Without waiting for notices. */
async function now(of = search): Promise<LibraryInMemory> {
  return of.awaitVersion(await findLibraryVersion(other.db));
}

async function expectAnew(library: LibraryInMemory): Promise<void> {
  expect(contentsOf(library)).toEqual(contentsOf(await readLibrary(site.deps.db)));
}

const place = { latitude: 54.05, longitude: -2.14, precision: 'point' } as const;
const everything = { filters: {}, today: '2026-11-21', place } as const;
const window = { limit: 1000, offset: 0 };
const facets = ['taxonomy_term_id', 'day', 'capacity'] as const;

/** All that can be found, by every word and in every order. */
function contentsOf({ index, vocabulary }: LibraryInMemory) {
  const find = (sort: 'name' | 'distance' | 'responsiveness') =>
    index.search({ selection: { ...everything, sort }, of: 'services', facets, window });
  const words = index.stemsStartingWith('').filter((stem) => index.countWith(stem) > 0);
  const conceptOf = (stem: string) => ({
    rarity: 1,
    wordings: [{ parts: [{ stems: [stem] }], serviceCount: 1, worth: 1 }],
  });
  const filters = [
    { accepting: true },
    { availabilities: ['waitlist'] as const },
    { minimumAge: 70 },
    { hours: { days: [1], from: 600 } },
  ];
  return {
    size: index.size,
    orders: (['name', 'distance', 'responsiveness'] as const).map((sort) => find(sort)),
    locations: index.search({ selection: { ...everything, sort: 'distance' }, of: 'locations', window }),
    filtered: filters.map((each) =>
      index.search({ selection: { ...everything, filters: each, sort: 'name' }, of: 'services', window }),
    ),
    words: words.map((stem) => {
      const text: SearchText = { concepts: [conceptOf(stem)], share: 1, typed: stem, isBroad: false };
      const selection = { ...everything, sort: 'relevance' } as const;
      return [stem, index.search({ selection, of: 'services', text, window }).hits.map(({ id }) => id)];
    }),
    sayings: sayings.map((stems) => vocabulary.meaningsOf(stems)),
    kites: vocabulary.stemOf('kites'),
  };
}

/** Each is done with the first active service. */
const changes: [string, (db: Db, first: string) => Promise<void>][] = [
  ['a name', (db, first) => renameService(db, first, 'Aaa kites')],
  ['a status', (db, first) => changeService(db, first, { status: 'inactive' })],
  [
    'a status that comes back',
    async (db) => {
      for (const { id, status } of await storedServices(db))
        if (status === 'inactive') await changeService(db, id, { status: 'active' });
    },
  ],
  ['availability', (db, first) => setAvailability(db, first, { status: 'waitlist' })],
  ['another availability', (db, first) => setAvailability(db, first, { status: 'no-capacity' })],
  ['an availability taken away', removeAvailability],
  ['referral settings', (db, first) => setAccepts(db, first, false)],
  ['responsiveness', (db, first) => setMedianDays(db, first, 3)],
  ['a term', (db) => renameTerms(db, 'Kites')],
  ['a synonym', (db) => storeSynonym(db, 'aloft', 'kites')],
  ['a synonym taken away', (db) => deleteSynonym(db, 'aloft')],
  ['a deleted service', deleteService],
];

describe('a search index', () => {
  it.each(changes)('takes in what another process changes: %s', async (_, change) => {
    const before = contentsOf(await now());
    const [first] = await activeServices(other.db);
    await change(other.db, first!);
    const library = await now();
    expect(contentsOf(library)).not.toEqual(before);
    await expectAnew(library);
  });

  it('finds a new service by a new word, also after it returns', async () => {
    const [document] = (await storedDocuments(other.db)).values();
    const service = { ...JSON.parse(document!), name: 'Kites again' };
    for (const id of ['new', 'new']) {
      await deleteService(other.db, id);
      const source = Readable.from([
        Buffer.from(JSON.stringify({ ...service, id, service_at_locations: [] })),
      ]);
      await importServices({ ...site.deps, db: other.db }, siteActor, source);
      const library = await now();
      expect(nameIn(library.index, id)).toBe('Kites again');
      await expectAnew(library);
    }
  });

  it('does not miss a transaction that began first and ends last', async () => {
    const [one, another] = await storedServices(other.db);
    const first = async () => {
      const selection = { ...everything, sort: 'name' } as const;
      const { index } = await now();
      return index.search({ selection, of: 'services', window }).hits[0]!.id;
    };
    const isWritten = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const early = other.db.transaction().execute(async (trx) => {
      await changeService(trx, one!.id, { name: '000 early' });
      isWritten.resolve();
      await mayEnd.promise;
    });
    await isWritten.promise;
    await changeService(site.deps.db, another!.id, { name: '001 late' });
    expect(await first()).toBe(another!.id);
    mayEnd.resolve();
    await early;
    expect(await first()).toBe(one!.id);
  });

  it('has what changed while it was filled', async () => {
    const another = followLibrary(site.deps.db, site.deps.notices);
    const reading = another.awaitVersion(0);
    const [first] = await activeServices(other.db);
    for (const name of ['One', 'Two', 'Three']) await changeService(other.db, first!, { name });
    await reading;
    await expectAnew(await now(another));
    await another.stop();
  });

  it('equals a freshly filled one after many changes', async () => {
    for (let round = 0; round < 5; round += 1) {
      await appendToNames(other.db, String(round));
      await expectAnew(await now());
    }
  });
});

function nameIn(index: SearchIndex, id: string): unknown {
  const { hits } = index.search({ selection: { ...everything, sort: 'name' }, of: 'services', window });
  return hits.find((hit) => hit.id === id)!.summary!.name;
}
