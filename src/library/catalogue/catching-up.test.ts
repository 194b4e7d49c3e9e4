import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeApp, type TestApp } from '../../../test/make-app.ts';
import { otherProcess } from '../../../test/other-process.ts';
import { until } from '../../../test/until.ts';
import { theSite } from '../../accounts/index.ts';
import { importServices } from '../index.ts';
import type { Catalogue } from './catalogue.ts';
import { fillCatalogue } from './fill-catalogue.ts';
import { Keeper } from './keep-catalogue.ts';
import { ordinalOf, weightOf } from './postings.ts';

// A catalogue that has caught up must say what one says that is read anew, whatever changed and whoever changed it.

let site: TestApp;
let other: ReturnType<typeof otherProcess>;
let keeper: Keeper;
beforeAll(async () => {
  site = await makeApp();
  other = otherProcess(site.database);
  keeper = new Keeper(site.deps.db);
  const sample = join(import.meta.dirname, '..', '..', '..', 'sample', 'library.ndjson');
  await importServices(site.deps, theSite, createReadStream(sample));
  await keeper.at(0);
});
afterAll(async () => {
  await keeper.stop();
  await other.close();
  await site.close();
});

/** Without waiting for news. */
async function now(of = keeper): Promise<Catalogue> {
  const { rows } = await sql<{ version: number }>`
    select version::int from library_version`.execute(other.db);
  return of.at(rows[0]!.version);
}

async function expectAnew(catalogue: Catalogue): Promise<void> {
  expect(saidBy(catalogue)).toEqual(saidBy((await fillCatalogue(site.deps.db)).catalogue));
}

/** All that a catalogue says, by ids. */
function saidBy(catalogue: Catalogue) {
  const isLive = (ordinal: number) => catalogue.isLive.of[ordinal] === 1;
  const idOf = (ordinal: number) => catalogue.ids.at(ordinal);
  const live = [...Array(catalogue.size).keys()].filter(isLive);
  const services = live.map((ordinal) => [idOf(ordinal), serviceOf(catalogue, ordinal)] as const);
  const words = catalogue.postings.stemsStartingWith('').map((stem) => {
    const entries = [...catalogue.postings.of(stem)].filter((entry) => isLive(ordinalOf(entry)));
    return [stem, entries.map((entry) => [idOf(ordinalOf(entry)), weightOf(entry)]).sort()] as const;
  });
  const names = [...catalogue.byName.ordinals.subarray(0, catalogue.byName.length)];
  const ids = services.flatMap(([, { terms }]) => terms);
  return {
    services: new Map(services.toSorted(([one], [another]) => (one < another ? -1 : 1))),
    words: new Map(words.filter(([, entries]) => entries.length > 0)),
    names: names.filter(isLive).map(idOf),
    live: catalogue.live,
    synonyms: catalogue.synonyms,
    terms: new Map(ids.sort().map((id) => [id, catalogue.terms.get(id)])),
    kites: catalogue.vocabulary.stemOf('kites'),
  };
}

function serviceOf(catalogue: Catalogue, ordinal: number) {
  const within = (first: { of: Uint32Array }) => [first.of[ordinal]!, first.of[ordinal + 1]!] as const;
  const [place, lastPlace] = within(catalogue.firstPlace);
  const places = Array.from({ length: lastPlace - place }, (_, index) =>
    [catalogue.number, catalogue.x, catalogue.y, catalogue.z, catalogue.isListed].map(
      ({ of }) => of[place + index],
    ),
  );
  const terms = Array.from(catalogue.term.of.subarray(...within(catalogue.firstTerm)), (each) =>
    catalogue.termNumbers.text(each),
  );
  const { modifiedMs, minimumAge, maximumAge, capacity, isClosed, medianDays, hasAreas } = catalogue;
  const columns = [modifiedMs, minimumAge, maximumAge, capacity, isClosed, medianDays, hasAreas];
  return {
    name: catalogue.names[ordinal],
    columns: columns.map(({ of }) => of[ordinal]),
    organization: catalogue.organizations.at(catalogue.organization.of[ordinal]!),
    hours: catalogue.hours.get(ordinal),
    terms: terms.sort(),
    places,
  };
}

const one = sql`(select min(id) from services where status = 'active')`;

test.each([
  [
    'a name',
    sql`update services set name = 'Aaa kites', search = service_search('Aaa kites', '', '', '') where id = ${one}`,
  ],
  ['a status', sql`update services set status = 'inactive' where id = ${one}`],
  ['a status back', sql`update services set status = 'active' where status = 'inactive'`],
  [
    'room',
    sql`insert into service_capacity (service_id, status, said_at) values (${one}, 'waitlist', now()) on conflict (service_id) do update set status = 'waitlist'`,
  ],
  ['other room', sql`update service_capacity set status = 'no-capacity' where service_id = ${one}`],
  ['room that nobody knows any more', sql`delete from service_capacity where service_id = ${one}`],
  ['settings', sql`insert into service_referral_settings (service_id, accepts) values (${one}, false)`],
  ['how it answers', sql`insert into service_responsiveness (service_id, median_days) values (${one}, 3)`],
  ['a term', sql`update taxonomy_terms set name = 'Kites'`],
  ['a synonym', sql`insert into search_synonyms (saying, meaning) values ('up in the air', 'kites')`],
  ['no synonym', sql`delete from search_synonyms where saying = 'up in the air'`],
  ['a service that is gone', sql`delete from services where id = ${one}`],
])('%s that another process changes', async (_, change) => {
  const before = saidBy(await now());
  await change.execute(other.db);
  const catalogue = await now();
  expect(saidBy(catalogue)).not.toEqual(before);
  await expectAnew(catalogue);
});

test('a new service with a new word, and one that comes back under its id', async () => {
  const { rows } = await sql<{ document: string }>`select document from service_documents limit 1`.execute(
    other.db,
  );
  const service = { ...JSON.parse(rows[0]!.document), name: 'Kites again' };
  for (const id of ['new', 'new']) {
    await sql`delete from services where id = ${id}`.execute(other.db);
    const source = Readable.from([Buffer.from(JSON.stringify({ ...service, id, service_at_locations: [] }))]);
    await importServices({ ...site.deps, db: other.db }, theSite, source);
    const catalogue = await now();
    expect(catalogue.ordinalOf(id)).toBeDefined();
    await expectAnew(catalogue);
  }
});

test('of two transactions, the one that began first and ends last is not missed', async () => {
  const { rows } = await sql<{ id: string }>`select id from services order by id limit 2`.execute(other.db);
  const nameOf = async (index: number) => {
    const catalogue = await now();
    return catalogue.names[catalogue.ordinalOf(rows[index]!.id)!];
  };
  const rename = (db: typeof other.db, index: number, name: string) =>
    sql`update services set name = ${name} where id = ${rows[index]!.id}`.execute(db);
  const isWritten = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const first = other.db.transaction().execute(async (trx) => {
    await rename(trx, 0, 'Early');
    isWritten.resolve();
    await mayEnd.promise;
  });
  await isWritten.promise;
  await rename(site.deps.db, 1, 'Late');
  expect([await nameOf(0), await nameOf(1)]).toEqual([expect.not.stringContaining('early'), 'late']);
  mayEnd.resolve();
  await first;
  expect(await nameOf(0)).toBe('early');
});

test('what changes while the library is read is in it afterwards', async () => {
  const another = new Keeper(site.deps.db);
  const reading = another.at(0);
  for (const name of ['One', 'Two', 'Three']) {
    await sql`update services set name = ${name} where id = ${one}`.execute(other.db);
  }
  await reading;
  await expectAnew(await now(another));
  await another.stop();
});

test('a catalogue in which most has changed is made anew, and goes on from there', async () => {
  const another = new Keeper(site.deps.db, { newsMs: 0, quietMs: 0, manyServices: Infinity });
  await another.at(0);
  await sql`update services set name = name || ' again'`.execute(other.db);
  for (let round = 0; round < 35; round += 1) {
    await sql`update services set name = name || ${round}::text where id > ''`.execute(other.db);
    await now(another);
  }
  // Thirty-five times sixty came, and as many left.
  await until(async () => (await now(another)).size < 1000);
  await expectAnew(await now(another));
  await another.stop();
});

test('what it took to fill a large catalogue is given back once', async () => {
  const collect = vi.fn();
  vi.stubGlobal('gc', collect);
  const limits = { newsMs: 0, quietMs: 5000 };
  const small = new Keeper(site.deps.db, { ...limits, manyServices: Infinity });
  await now(small);
  await delay(1500);
  expect(collect).not.toHaveBeenCalled();
  const large = new Keeper(site.deps.db, { ...limits, manyServices: 1 });
  await now(large);
  await until(() => collect.mock.calls.length > 0);
  await sql`update services set name = 'Later' where id = ${one}`.execute(other.db);
  await Promise.all([now(large), now(small)]);
  await delay(1500);
  expect(collect).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
  await Promise.all([large.stop(), small.stop()]);
});
