import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { activeServices } from '../../../test/library/stored.ts';
import { feedServer, sendJson } from '../../../test/network/feed-server.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../import/import-services.ts';
import { importFeed } from './import-feed.ts';

let site: TestApp;
let one: Awaited<ReturnType<typeof feedServer>>;
let two: typeof one;
beforeAll(async () => {
  [site, one, two] = await Promise.all([makeApp(), feedServer(), feedServer()]);
});
afterAll(() => Promise.all([site.close(), one.close(), two.close()]));

const service = (id: string) => ({ id, name: `Service ${id}`, status: 'active', phones: [] });
const read = ({ base, answers }: typeof one, ...ids: string[]) => {
  answers((_request, response) => {
    sendJson(response, { total_items: ids.length, total_pages: 1, contents: ids.map(service) });
  });
  site.clock.moveOn(60_000);
  return importFeed(site.deps, siteActor, base);
};
const running = () => activeServices(site.deps.db);

describe('services that a file brought and a feed lists', () => {
  it('become inactive when they vanish from the feed', async () => {
    const lines = ['a', 'b', 'c'].map((id) => JSON.stringify(service(id))).join('\n');
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines)]), {
      source: 'services.json',
    });
    expect(await read(one, 'a', 'b')).toMatchObject({ unchanged: 2 });
    // Another feed that lists it does not take it from the first.
    expect(await read(two, 'a', 'b', 'd')).toMatchObject({ unchanged: 2, created: 1 });
    expect(await read(two, 'd')).toMatchObject({ inactive: 0 });
    expect(await read(one, 'a')).toMatchObject({ inactive: 1 });
    expect(await running()).toEqual(['a', 'c', 'd']);
  });

  it('stay when the feed is empty, unless it counts as complete', async () => {
    const ids = await running();
    const emptied = await read(one);
    expect(emptied).toMatchObject({
      inactive: 0,
      notes: ['The feed lists no services, so nothing was made inactive this time.'],
    });
    expect(await running()).toEqual(ids);
    const believed = await importFeed(site.deps, siteActor, one.base, { complete: true });
    expect(believed).toMatchObject({ inactive: 1, notes: [] });
  });

  it('stay with a feed whose next reading fails at its beginning', async () => {
    expect(await read(one, 'e')).toMatchObject({ created: 1 });
    one.answers((_request, response) => void response.writeHead(404).end());
    await expect(importFeed(site.deps, siteActor, one.base, { complete: true })).rejects.toThrow();
    expect(await read(two, 'd', 'e')).toMatchObject({ unchanged: 2 });
    expect(await read(two, 'd')).toMatchObject({ inactive: 0 });
  });
});
