import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../app/until.ts';
import { inDatabaseAt } from '../database/site-database.ts';
import { deleteKeyMark } from '../database/stored.ts';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { type SitePair, startSitePair } from '../process/site-pair.ts';
import { type SiteProcess, startSiteProcess } from '../process/site-process.ts';

// A site that has grown: two processes of it on one PostgreSQL, behind one address. And a copy of its database in the
// wrong hands, opened under another site key.

let pair: SitePair;
let first: SiteProcess;
let secondUrl: string;

beforeAll(async () => {
  pair = await startSitePair();
  ({ first, secondUrl } = pair);
});
afterAll(async () => {
  // It may be one that was started again since.
  await first.stop();
  await pair.close();
});

const statusAt = async (baseUrl: string, access: string) =>
  (await apiClient(baseUrl, access).get('/api/token/status')).status;

async function refreshAt(baseUrl: string, refreshToken: string): Promise<{ status: number; access: string }> {
  const answer = await fetch(`${baseUrl}/api/token/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
  });
  const { access_token: access = '' } = (await answer.json()) as { access_token?: string };
  return { status: answer.status, access };
}

/** Somebody with a session, who reaches both processes with it. */
async function somebody() {
  const atFirst = pageVisitor(first.baseUrl);
  await atFirst.signIn(first.logins.referrer);
  const atSecond = pageVisitor(secondUrl, first.baseUrl);
  for (const [cookie, value] of atFirst.cookies) atSecond.cookies.set(cookie, value);
  return { atFirst, atSecond };
}

describe('two processes of a site', () => {
  it('share keys, and end them together', async () => {
    const { atFirst, atSecond } = await somebody();
    const keys = await copyKeys(atFirst);
    expect((await copyKeys(atSecond)).refresh).toBe(keys.refresh);
    const refreshed = await refreshAt(secondUrl, keys.refresh);
    for (const access of [keys.access, refreshed.access]) {
      expect([await statusAt(first.baseUrl, access), await statusAt(secondUrl, access)]).toEqual([200, 200]);
    }
    await atSecond.submit(await atSecond.visit('/apikeys/regenerate'), '/apikeys/regenerate', {});
    await until(async () => (await statusAt(first.baseUrl, keys.access)) === 401);
    expect(await statusAt(first.baseUrl, refreshed.access)).toBe(401);
    expect((await refreshAt(first.baseUrl, keys.refresh)).status).toBe(401);
  });

  it('sign a user out together', async () => {
    const { atFirst, atSecond } = await somebody();
    expect((await atSecond.visit('/apikeys')).url).toBe('/apikeys');
    await atFirst.submit(await atFirst.visit('/'), '/signout', {});
    expect((await atSecond.visit('/apikeys')).url).toBe('/signin?next=%2Fapikeys');
  });

  it('accept nothing of each other under different site keys', async () => {
    const { atFirst } = await somebody();
    const keys = await copyKeys(atFirst);
    await pair.second.stop();
    await first.stop();
    const copy = await pair.copyDatabase();
    first = await first.restart();
    expect(await statusAt(first.baseUrl, keys.access)).toBe(200);

    const theirs = { ONWARD_DATABASE_URL: copy, ONWARD_SAMPLE: 'false' };
    await expect(startSiteProcess(theirs)).rejects.toThrow('The site key');
    // Somebody with the database can change its rows, so that it starts under another key.
    await inDatabaseAt({ connectionString: copy }, ({ db }) => deleteKeyMark(db));
    const thief = await startSiteProcess({ ...theirs, ONWARD_MODE: 'test' });
    try {
      expect(await statusAt(thief.baseUrl, keys.access)).toBe(401);
      expect((await refreshAt(thief.baseUrl, keys.refresh)).status).toBe(401);
      const withCookie = pageVisitor(thief.baseUrl);
      for (const [cookie, value] of atFirst.cookies) withCookie.cookies.set(cookie, value);
      expect((await withCookie.visit('/apikeys')).url).toBe('/signin?next=%2Fapikeys');
    } finally {
      await thief.remove();
    }
  });
});
