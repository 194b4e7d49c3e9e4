import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { accountTopic, disableAccount } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import type { Db, Notices } from '../../platform/database/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { createTokenCache } from './token-cache.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

/** The database, which counts its queries and can hold back its answers. */
function watchedDatabase() {
  const state = { queries: 0, gate: Promise.resolve() };
  const db: Db = site.deps.db.withPlugin({
    transformQuery({ node }) {
      state.queries += 1;
      return node;
    },
    async transformResult({ result }) {
      await state.gate;
      return result;
    },
  });
  return { db, state };
}

/** Notices that a test sends. */
function noticesByHand() {
  const listeners = new Map<string, (text: string) => void>();
  const gapListeners: (() => void)[] = [];
  const state = { healthy: true };
  const notices: Notices = {
    on: (topic, hear) => void listeners.set(topic, hear),
    onGap: (forget) => void gapListeners.push(forget),
    healthy: () => state.healthy,
    stop: async () => undefined,
  };
  const gap = () => {
    for (const forget of gapListeners) forget();
  };
  return { notices, state, gap, changed: (id: string) => listeners.get(accountTopic)?.(id) };
}

async function setUp() {
  const holder = await aTokenHolder(site.deps);
  const hash = site.deps.secrets.hashText('access token', holder.token);
  const database = watchedDatabase();
  const feed = noticesByHand();
  return {
    holder,
    hash,
    database,
    feed,
    cache: createTokenCache(database.db, feed.notices, createMetrics()),
  };
}

for (const [name, bring] of [
  ['a notice', (feed, id) => feed.changed(id)],
  ['a gap in the notices', (feed) => feed.gap()],
] as [string, (feed: ReturnType<typeof noticesByHand>, id: string) => void][]) {
  it(`neither remembers nor shares an answer that ${name} overtook`, async () => {
    const { holder, hash, database, feed, cache } = await setUp();
    const gate = Promise.withResolvers<void>();
    database.state.gate = gate.promise;
    const early = cache.find(hash);
    await nextTurn();
    bring(feed, holder.id);
    const late = cache.find(hash);
    await nextTurn();
    expect(database.state.queries).toBe(2);
    gate.resolve();
    expect(await early).not.toBe(await late);
    expect(await cache.find(hash)).toBe(await late);
    expect(database.state.queries).toBe(2);
  });
}

describe('the token cache', () => {
  it('looks a token up once, also when many ask at once', async () => {
    const { holder, hash, database, cache } = await setUp();
    const found = await Promise.all([1, 2, 3].map(() => cache.find(hash)));
    expect(found.map((token) => token?.account.id)).toEqual([holder.id, holder.id, holder.id]);
    expect(await cache.find(hash)).toBe(found[0]);
    expect(database.state.queries).toBe(1);
  });

  it('looks up several tokens in one query', async () => {
    const { holder, hash, database, cache } = await setUp();
    const other = await aTokenHolder(site.deps);
    const hashes = [hash, site.deps.secrets.hashText('access token', other.token)];
    const unknown = site.deps.secrets.hashText('access token', 'nobody’s');
    const found = await Promise.all([...hashes, unknown].map((each) => cache.find(each)));
    expect(found.map((token) => token?.account.id)).toEqual([holder.id, other.id, undefined]);
    expect(database.state.queries).toBe(1);
  });

  it('does not remember unknown tokens', async () => {
    const { database, cache } = await setUp();
    const unknown = site.deps.secrets.hashText('access token', 'nobody’s');
    expect(await cache.find(unknown)).toBeUndefined();
    expect(await cache.find(unknown)).toBeUndefined();
    expect(database.state.queries).toBe(2);
  });

  it('keeps known tokens through a flood of unknown ones', async () => {
    const { holder, hash, database, feed } = await setUp();
    const cache = createTokenCache(database.db, feed.notices, createMetrics(), 3);
    await cache.find(hash);
    for (let guess = 0; guess < 20; guess += 1)
      await cache.find(site.deps.secrets.hashText('access token', `guess ${guess}`));
    const queries = database.state.queries;
    expect((await cache.find(hash))?.account.id).toBe(holder.id);
    expect(database.state.queries).toBe(queries);
  });

  it('learns at once that an account was disabled', async () => {
    const { holder, hash } = await setUp();
    const cache = createTokenCache(site.deps.db, site.deps.notices, createMetrics());
    expect((await cache.find(hash))?.account.disabledAt).toBeNull();
    await disableAccount(site.deps, siteActor, holder.email);
    await until(async () => (await cache.find(hash))?.account.disabledAt !== null);
  });

  it('forgets only the tokens of the account that changed', async () => {
    const { holder, hash, database, feed, cache } = await setUp();
    const other = await aTokenHolder(site.deps);
    const otherHash = site.deps.secrets.hashText('access token', other.token);
    await cache.find(hash);
    await cache.find(otherHash);
    feed.changed(holder.id);
    await cache.find(otherHash);
    expect(database.state.queries).toBe(2);
    await cache.find(hash);
    expect(database.state.queries).toBe(3);
  });

  it('forgets everything after a gap in the notices', async () => {
    const { hash, database, feed, cache } = await setUp();
    await cache.find(hash);
    feed.gap();
    await cache.find(hash);
    expect(database.state.queries).toBe(2);
  });

  it('asks the database every time while it gets no notices', async () => {
    const { hash, database, feed, cache } = await setUp();
    await cache.find(hash);
    feed.state.healthy = false;
    await cache.find(hash);
    await cache.find(hash);
    expect(database.state.queries).toBe(3);
  });
});
