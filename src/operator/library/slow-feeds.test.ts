import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { type FeedAnswer, feedServer, sendJson } from '../../../test/network/feed-server.ts';
import { findImportJob, previewFeed, previewFile, stopImport } from '../../exchange/index.ts';

// Feeds that accept a call and then send nothing, or a letter now and then. The site's own worker runs them.

let site: TestApp;
let operator: { id: string; name: string; role: string };
const servers: Awaited<ReturnType<typeof feedServer>>[] = [];
const timers = new Set<NodeJS.Timeout>();
beforeAll(async () => {
  site = await makeApp({ worker: true });
  const { id } = await anAccount(site.deps, { role: 'operator', name: 'Olive Operator' });
  operator = { id, name: 'Olive Operator', role: 'operator' };
});
afterAll(async () => {
  for (const timer of timers) clearInterval(timer);
  for (const server of servers) server.close();
  await site.close();
});

async function aFeed(answer: FeedAnswer) {
  const server = await feedServer();
  servers.push(server);
  server.answers(answer);
  return server;
}
const silent: FeedAnswer = () => undefined;
const dripping: FeedAnswer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  timers.add(setInterval(() => response.write(' '), 20));
};
const answering: FeedAnswer = (_request, response) =>
  sendJson(response, { contents: [{ id: 'a', name: 'A', status: 'active', phones: [] }], last_page: true });

const stateOf = async (id: string) => (await findImportJob(site.deps.db, id))!;
const isDone = async (id: string) => (await stateOf(id)).state === 'done';
const tryOut = (feed: { base: string }, path = '') =>
  previewFeed(site.deps, operator, { address: `${feed.base}${path}`, isComplete: false });

describe('a source that does not answer', () => {
  it('holds up no other source, and can be stopped', async () => {
    const hanging = [await aFeed(silent), await aFeed(silent), await aFeed(dripping)];
    const slow = await Promise.all(hanging.map((feed) => tryOut(feed)));
    await until(() => hanging.every(({ asked }) => asked.length > 0));

    const other = await tryOut(await aFeed(answering));
    const line = JSON.stringify({ id: 'b', name: 'B', status: 'active' });
    const file = await previewFile(
      site.deps,
      operator,
      { name: 'few.ndjson', content: Readable.from([Buffer.from(line)]) },
      { sourceName: 'Council', isComplete: false },
    );
    await until(async () => (await isDone(other)) && (await isDone(file)));
    for (const id of slow) expect(await stateOf(id)).toMatchObject({ state: 'running' });

    for (const id of slow) {
      await stopImport(site.deps, operator, id);
      await until(async () => (await stateOf(id)).state === 'failed');
      expect((await stateOf(id)).failure).toBe('Olive Operator stopped it.');
    }
  });

  it('holds up no other source of its server', async () => {
    const feed = await aFeed((request, response, query) =>
      (request.url?.includes('/slow/') ? silent : answering)(request, response, query),
    );
    const slow = await tryOut(feed, '/slow');
    await until(() => feed.asked.length > 0);
    const other = await tryOut(feed, '/quick');
    await until(() => isDone(other));
    await stopImport(site.deps, operator, slow);
    await until(async () => (await stateOf(slow)).state === 'failed');
  });
});
