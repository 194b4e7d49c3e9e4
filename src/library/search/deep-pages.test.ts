import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { atLocationsListing } from '../service-at-locations/list-at-locations.ts';
import { namedListing } from './named-store.ts';
import { type Listing, searchPage } from './search-listing.ts';
import { searchServices } from './search-services.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  await add(1, 4100);
});
afterAll(() => database.close());

/** Services whose names are not in the order of their ids, three of one name each, and an organisation beside each. */
async function add(from: number, to: number): Promise<void> {
  const { db } = database;
  const numbers = sql`generate_series(${from}::int, ${to}::int) as n`;
  await sql`
    insert into services (id, name, status, search, last_modified, imported_at, updated_at)
    select 'id' || n, 'name ' || md5((n / 3)::text), 'active', '', now(), now(), now() from ${numbers}`.execute(
    db,
  );
  await sql`
    insert into service_documents (service_id, document, summary, content_hash)
    select id, json_build_object('id', id, 'service_at_locations', json_build_array(json_build_object('id', id))),
      json_build_object('id', id), ''
    from ${numbers} cross join lateral (select 'id' || n as id) as each`.execute(db);
  await sql`
    insert into service_at_locations (service_id, number, id)
    select s.id, 1, s.id from ${numbers} join services s on s.id = 'id' || n`.execute(db);
  await sql`
    insert into organizations (id, name, document, summary, search, updated_at)
    select id, name, '{}', '{"id":"' || id || '"}', '', now() from ${numbers} join services on id = 'id' || n`.execute(
    db,
  );
}

const selection = { filters: {}, today: '2026-11-21', sort: 'name' } as const;
const form = 'summary' as const;
const ids = (contents: readonly string[]) => JSON.parse(`[${contents}]`).map(({ id }: { id: string }) => id);
const lists = {
  services: (page: number, perPage: number) =>
    searchServices(database.db, { ...selection, form, facets: [], search: undefined, page, perPage }),
  'services at locations': (page: number, perPage: number) =>
    pageOf(atLocationsListing(database.db, selection, form), page, perPage),
  organisations: (page: number, perPage: number) =>
    pageOf(
      namedListing(database.db, 'organizations', {
        table: 'organizations',
        where: [],
        content: sql`s.summary`,
      }),
      page,
      perPage,
    ),
};
const pageOf = (listing: Listing, page: number, perPage: number) =>
  searchPage(database.db, listing, { search: undefined, page, perPage });

test.each(Object.entries(lists))('%s: pages far down go on where those before them end', async (_, read) => {
  for (const added of [0, 50]) {
    if (added > 0) await add(5001 + (await read(1, 1)).total, 5000 + (await read(1, 1)).total + added);
    const whole = await read(1, 10_000);
    expect(ids(whole.contents).length).toBe(whole.total);
    for (const page of [1, 2, 10, 19, 20, 21, 40, 41]) {
      const { contents, total } = await read(page, 101);
      expect(total).toBe(whole.total);
      expect(ids(contents), `page ${page}`).toEqual(ids(whole.contents).slice((page - 1) * 101, page * 101));
    }
    expect(await read(1000, 101)).toMatchObject({ total: whole.total, size: 0 });
  }
});
