import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { storedChanges, storedServices, storedSources } from '../../../test/library/stored.ts';
import { type FeedAnswer, feedServer, sendJson } from '../../../test/network/feed-server.ts';
import { siteActor } from '../../audit/index.ts';
import { findServiceDocument } from '../../library/index.ts';
import { importServices } from '../import/import-services.ts';
import { type FeedOptions, importFeed } from './import-feed.ts';

// One Onward site reads the library of another; then feeds that are as bad as feeds can be.

let site: TestApp;
let other: TestApp;
let otherBase: string;
let feed: Awaited<ReturnType<typeof feedServer>>;
const waits: number[] = [];
const timing = { pause: (ms: number) => Promise.resolve(void (ms > 100 && waits.push(ms))) };

beforeAll(async () => {
  [site, other, feed] = await Promise.all([
    makeApp(),
    makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } }),
    feedServer(),
  ]);
  otherBase = `${await other.app.listen({ host: '127.0.0.1', port: 0 })}/api/library`;
});
beforeEach(async () => {
  waits.length = 0;
  for (const { deps } of [site, other]) await emptyLibrary(deps.db);
});
afterAll(() => Promise.all([site.close(), other.close(), feed.close()]));

const service = (id: string, more: object = {}) => ({ id, name: `Service ${id}`, status: 'active', ...more });
const publish = async (...services: object[]) => {
  for (const { clock } of [site, other]) clock.moveOn(2 * 24 * 60 * 60_000);
  const lines = services.map((each) => JSON.stringify(each)).join('\n');
  return importServices(other.deps, siteActor, Readable.from([Buffer.from(lines)]), {
    source: 'own',
    complete: true,
  });
};
const read = (address: string, options: FeedOptions = {}) => {
  site.clock.moveOn(60_000);
  return importFeed(site.deps, siteActor, address, { timing, ...options });
};
const statuses = async () =>
  (await storedServices(site.deps.db)).map(({ id, status }) => `${id} ${status}`).join(', ');
const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => service(`s${String(index).padStart(4, '0')}`, more));

/** Pages of some services as Open Referral UK has them. */
const pagesOf =
  (services: object[], size = 100): FeedAnswer =>
  (_request, response, query) => {
    const number = Number(query.get('page'));
    const contents = services.slice((number - 1) * size, number * size);
    const total_pages = Math.ceil(services.length / size);
    sendJson(response, { total_items: services.length, total_pages, page_number: number, contents });
  };

describe('an import of a feed', () => {
  it('follows services that are new, changed, gone or back again', async () => {
    const all = many(230, { phones: [{ number: '01632 960001' }], organization: { id: 'o', name: 'Trust' } });
    await publish(...all);
    site.clock.moveOn(2 * 24 * 60 * 60_000);
    expect(await read(`${otherBase}/services`)).toMatchObject({
      read: 230,
      created: 230,
      inactive: 0,
      rejected: 0,
    });
    const [here, there] = await Promise.all(
      [site, other].map(({ deps }) => findServiceDocument(deps.db, 's0042')),
    );
    expect(here).toBe(there);

    await publish(...all.slice(1, -1), { ...all.at(-1), name: 'New name' });
    expect(await read(otherBase)).toMatchObject({ read: 1, updated: 1, inactive: 1, rejected: 0, notes: [] });
    expect(await statuses()).toMatch(/^s0000 inactive, s0001 active/);
    // It is back with an old date, so no list of recent changes has it.
    const back = { ...all[0], last_modified: '2020-01-01T00:00:00Z' };
    await publish(back, ...all.slice(1, -1), { ...all.at(-1), name: 'New name' });
    expect(await read(otherBase)).toMatchObject({ updated: 1, inactive: 0 });
    expect(await statuses()).toMatch(/^s0000 active/);
  });

  it('does not take the history in a single answer for a change', async () => {
    // These entries do not show whether the list gives services in full, so each is fetched by itself, until “a” shows
    // it.
    const bare = many(3, { last_modified: '2026-01-05T10:00:00.000Z' });
    await publish(...bare);
    expect(await read(otherBase)).toMatchObject({ created: 3 });
    await publish(...bare, service('a', { phones: [{ number: '1' }] }));
    expect(await read(otherBase, { complete: true })).toMatchObject({ created: 1, updated: 0, unchanged: 3 });
    expect(await read(otherBase)).toMatchObject({ updated: 0 });
    const changes = await storedChanges(site.deps.db, 's0001');
    expect(changes.map(({ action }) => action)).toEqual(['create']);
  });

  it('makes most services inactive only if an operator confirms it', async () => {
    await publish(...many(30, { phones: [{ number: '1' }] }));
    await read(otherBase);
    await publish(...many(3, { phones: [{ number: '1' }] }));
    const result = await read(otherBase);
    expect(result).toMatchObject({ inactive: 0, notes: [expect.stringContaining('27 of 30')] });
    expect(await read(otherBase, { complete: true, dryRun: true })).toMatchObject({ inactive: 27 });
    expect(await read(otherBase, { complete: true })).toMatchObject({ read: 3, inactive: 27 });
  });
});

describe('an interrupted import of a feed', () => {
  it('continues where it stopped, and remembers what it saw', async () => {
    const all = many(1200, { phones: [] });
    feed.answers(pagesOf([...all, service('gone')]));
    await read(feed.base);
    const pages = pagesOf(all);
    feed.answers((request, response, query) => {
      if (Number(query.get('page')) > 8) request.socket.destroy();
      else pages(request, response, query);
    });
    await expect(read(feed.base, { complete: true })).rejects.toMatchObject({
      detail: expect.stringContaining('cannot be reached'),
    });
    expect(waits).toEqual([1000, 4000, 15_000]);
    expect(await statuses()).toContain('gone active');
    feed.answers(pages);
    expect(await read(feed.base)).toMatchObject({ unchanged: 500, inactive: 1, rejected: 0 });
    expect(feed.asked[0]).toContain('page=8');
  });

  it('remembers that the list changed while it was read', async () => {
    const all = many(1200, { phones: [] });
    const first = service('first', { phones: [] });
    feed.answers(pagesOf([first, ...all]));
    await read(feed.base);
    // A service that vanishes after page two was read moves another one from page three to page two.
    const [before, after] = [pagesOf([first, ...all]), pagesOf(all)];
    feed.answers((request, response, query) => {
      const page = Number(query.get('page'));
      if (page > 8) request.socket.destroy();
      else (page > 2 ? after : before)(request, response, query);
    });
    await expect(read(feed.base, { complete: true })).rejects.toMatchObject({
      kind: { type: 'feed-unreadable' },
    });
    feed.answers(after);
    const result = await read(feed.base);
    expect(result).toMatchObject({ inactive: 0, rejected: 0 });
    expect(result.notes).toEqual([expect.stringContaining('changed while it was read')]);
    expect(await statuses()).toContain('s0199 active');
  });
});

describe('the list of a feed', () => {
  it('may hold summaries only, and pages in the form of version 1', async () => {
    const whole: { id: string; phones?: object[] }[] = [
      service('a'),
      service('b c', { phones: [{ number: '1' }] }),
      service('d'),
    ];
    feed.answers((request, response) => {
      const id = decodeURIComponent(/services\/([^?]+)/.exec(request.url ?? '')?.[1] ?? '');
      if (id)
        return sendJson(
          response,
          whole.find((each) => each.id === id),
        );
      const content = whole.map(({ phones: _, ...short }) => short);
      sendJson(response, { totalElements: 3, totalPages: 1, number: 1, last: true, content });
    });
    expect(await read(feed.base)).toMatchObject({ created: 3, rejected: 0 });
    expect(await findServiceDocument(site.deps.db, 'b c')).toContain('"phones"');
  });

  it('may change during an import without losing any service', async () => {
    const all = many(150, { phones: [] });
    feed.answers(pagesOf([service('old', { phones: [] }), ...all]));
    await read(feed.base);
    feed.answers((request, response, query) => {
      const shifted = query.get('page') === '1' ? all : [service('new', { phones: [] }), ...all];
      pagesOf(shifted)(request, response, query);
    });
    const result = await read(feed.base, { complete: true });
    expect(result).toMatchObject({ read: 150, unchanged: 150, inactive: 0, rejected: 0 });
    expect(result.notes).toEqual([expect.stringContaining('changed while it was read')]);
  });
});

describe('a faulty feed', () => {
  it.each<[string, FeedAnswer, string]>([
    [
      'gives the same page again and again',
      (_q, response) =>
        sendJson(response, { total_items: 9, total_pages: 9, contents: many(3, { phones: [] }) }),
      'gives what it gave before',
    ],
    ['hangs', () => undefined, 'does not answer in time'],
    [
      'stops in the middle',
      (_q, response) => void response.writeHead(200, { 'content-length': 99 }).write('{'),
      'does not answer in time',
    ],
    ['answers a web page', (_q, response) => void response.end('<!doctype html>'), 'a web page'],
    [
      'answers no list',
      (_q, response) => sendJson(response, { hello: 1 }),
      'no page of an Open Referral list',
    ],
    ['is closed', (_q, response) => void response.writeHead(401).end(), 'requires a key'],
    ['is broken', (_q, response) => void response.writeHead(500).end(), 'status 500'],
  ])('that %s is given up, with the reason', async (_name, answer, why) => {
    feed.answers(answer);
    const impatient = { ...timing, ...(why.includes('in time') && { timeoutMs: 60 }) };
    await expect(read(feed.base, { timing: impatient })).rejects.toMatchObject({
      kind: { type: 'feed-unreadable' },
      detail: expect.stringContaining(why),
    });
  });

  it('makes nothing inactive if empty; loses only bad entries', async () => {
    const all = many(12, { phones: [] });
    feed.answers(pagesOf(all));
    await read(feed.base);
    feed.answers(pagesOf([]));
    expect(await read(feed.base)).toMatchObject({ inactive: 0 });
    feed.answers(
      pagesOf([...all, { id: 'bad', name: 'Bad', status: 'open' }, service('new', { phones: [] })]),
    );
    const result = await read(feed.base);
    expect(result).toMatchObject({ created: 1, rejected: 1 });
    expect(result.problems).toMatchObject([{ page: 1, line: 13, id: 'bad', pointer: '/status' }]);
  });

  it('is given up, and makes nothing inactive, if pages are junk', async () => {
    const phones = [{ number: '01632 960001' }];
    const pages = [[service('a', { phones }), service('b')], Array.from({ length: 2000 }, () => ({}))];
    feed.answers((_request, response, query) => {
      const number = Number(query.get('page'));
      sendJson(response, { contents: pages[number - 1], last_page: number === pages.length });
    });
    const result = await read(feed.base);
    expect(result).toMatchObject({ created: 2, inactive: 0, rejected: 1000 });
    expect(result.gaveUp).toContain('1,000 records in a row');
    expect(await statuses()).toBe('a active, b active');
  });
});

describe('the parameters of a feed', () => {
  it('go with every request, and a key is never stored or logged', async () => {
    feed.answers((request, response, query) => {
      if (query.get('key') !== 'hush-hush') return void response.writeHead(403).end();
      pagesOf(many(3, { phones: [] }))(request, response, query);
    });
    expect(await read(`${feed.base}/services?key=hush-hush&area=north`)).toMatchObject({ created: 3 });
    // What changed since, and its ids.
    expect(await read(`${feed.base}?key=hush-hush&area=north`)).toMatchObject({ created: 0, inactive: 0 });
    expect(feed.asked.length).toBeGreaterThan(2);
    for (const asked of feed.asked) expect(asked).toMatch(/[?&]key=hush-hush&area=north/);
    const { db } = site.deps;
    const sources = await storedSources(db);
    expect(sources.filter((name) => name.includes('north'))).toEqual([`${feed.base}?key=…&area=north`]);
    const audited = await storedEntries(db, { action: 'library.imported' });
    expect(JSON.stringify(audited.map(({ details }) => details))).toContain('area=north');
    for (const table of ['audit_entries', 'library_changes', 'library_sources'] as const)
      expect(await textOfTable(db, table)).not.toContain('hush-hush');
    expect(site.logLines.join('')).not.toContain('hush-hush');
  });
});
