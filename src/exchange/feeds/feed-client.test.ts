import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { type FeedAnswer, feedServer, sendJson } from '../../../test/network/feed-server.ts';
import { feedClient } from './feed-client.ts';

let feed: Awaited<ReturnType<typeof feedServer>>;
const waits: number[] = [];

beforeAll(async () => {
  feed = await feedServer();
});
beforeEach(() => {
  waits.length = 0;
});
afterAll(() => feed.close());

const ask = (answer: FeedAnswer) => {
  feed.answers(answer);
  const pause = (ms: number) => Promise.resolve(void (ms > 100 && waits.push(ms)));
  return feedClient('test', manualClock(), { base: feed.base, query: '' }, { pause })('/services?page=1');
};

describe('a client of a feed', () => {
  it('asks again after the time that the feed names, no sooner', async () => {
    let left = 2;
    const answer = await ask((_request, response) => {
      left -= 1;
      if (left >= 0) return void response.writeHead(503, { 'retry-after': '120' }).end();
      sendJson(response, { contents: [] });
    });
    expect(answer).toEqual({ contents: [] });
    expect(waits).toEqual([120_000, 120_000]);
  });

  it('gives a slow answer one timeout in all, without a retry', async () => {
    let drip: NodeJS.Timeout | undefined;
    feed.answers((_request, response) => {
      response.writeHead(200);
      drip = setInterval(() => response.write(' '), 5);
    });
    const client = feedClient(
      'test',
      manualClock(),
      { base: feed.base, query: '' },
      { timeoutMs: 100, pause: async () => undefined },
    );
    await expect(client('/services?page=1')).rejects.toMatchObject({
      detail: expect.stringContaining('does not answer in time'),
    });
    clearInterval(drip);
    expect(feed.asked).toHaveLength(1);
  });

  it('says who it is, because some feeds refuse strangers', async () => {
    const headers = await ask((request, response) => sendJson(response, request.headers));
    expect(headers).toMatchObject({ 'user-agent': 'Onward library import' });
  });

  it.each([
    ['/moved/services?key=hush&page=1', '/moved: import from that address.'],
    [undefined, 'another address, and does not say which.'],
    ['mailto:somebody@example.org', 'another address, and does not say which.'],
  ])('does not follow a redirect to %s, and says where it leads', async (location, where) => {
    const refused = ask(
      (_request, response) => void response.writeHead(302, { ...(location && { location }) }).end(),
    );
    const origin = new URL(feed.base).origin;
    const place = where.startsWith('/') ? `${origin}${where}` : where;
    await expect(refused).rejects.toMatchObject({ detail: `The feed sends on to ${place}` });
  });
});
