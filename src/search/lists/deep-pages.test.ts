import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  await add(1, 4100);
});
afterAll(() => site.close());

/** Services whose names are not in the order of their ids, three of one name each, and an organisation beside each. */
function add(from: number, to: number): Promise<void> {
  return inTransaction(site.deps.db, (trx) => addRows(trx, from, to));
}

async function addRows(db: Trx, from: number, to: number): Promise<void> {
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

type Page = { total_items: number; size: number; contents: { id: string }[] };

async function read(list: string, page: number, perPage: number): Promise<Page> {
  const answer = await site.app.inject(`/api/library/${list}&page=${page}&per_page=${perPage}`);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** All of it, in pages of the largest size. */
async function readAll(list: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { contents, size } = await read(list, page, 500);
    ids.push(...contents.map(({ id }) => id));
    if (size < 500) return ids;
  }
}

describe.each(['services?sort=name', 'service_at_locations?sort=name', 'organizations?'])('%s', (list) => {
  it('goes on where the page before ends, also far down', async () => {
    for (const added of [0, 50]) {
      const { total_items: before } = await read(list, 1, 1);
      if (added > 0) await add(5001 + before, 5000 + before + added);
      const all = await readAll(list);
      expect(new Set(all).size).toBe(before + added);
      for (const page of [1, 2, 10, 19, 20, 21, 40, 41]) {
        const { contents, total_items } = await read(list, page, 101);
        expect(total_items).toBe(all.length);
        expect(
          contents.map(({ id }) => id),
          `page ${page}`,
        ).toEqual(all.slice((page - 1) * 101, page * 101));
      }
      expect(await read(list, 1000, 101)).toMatchObject({ total_items: all.length, size: 0 });
    }
  });
});
