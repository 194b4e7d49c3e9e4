import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storeNumberedServices } from '../../../test/library/stored.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  await add(1, 4100);
});
afterAll(() => site.close());

const add = (from: number, to: number) => storeNumberedServices(site.deps.db, from, to);

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
