import { afterAll, beforeAll, expect, test } from 'vitest';
import { feedServer } from '../../../test/feed-server.ts';
import { createStrangerReading } from './read-stranger.ts';

let server: Awaited<ReturnType<typeof feedServer>>;
beforeAll(async () => {
  server = await feedServer();
});
afterAll(() => server.close());

const limits = { timeoutMs: 60_000, mostBytes: 1000 };
const failure = (mode: 'test' | 'live', address: string) =>
  createStrangerReading(
    mode,
    limits,
  )(address).then(
    () => 'answered',
    (error) => error.code,
  );

test('a test site reads from this machine alone, a live one never does', async () => {
  server.answers((_request, response) => void response.end('hello'));
  expect((await createStrangerReading('test', limits)(server.base)).body.toString()).toBe('hello');
  for (const address of ['https://example.org/', 'http://10.0.0.1/', 'https://169.254.169.254/'])
    expect(await failure('test', address)).toBe('ADDRESS_NOT_ALLOWED');
  server.asked.length = 0;
  for (const address of [
    server.base,
    server.base.replace('http:', 'https:'),
    'https://10.0.0.1/',
    'https://[::1]/',
  ])
    expect(await failure('live', address)).toBe('ADDRESS_NOT_ALLOWED');
  expect(server.asked).toEqual([]);
});

test('an answer that is too large is not read to its end, and of a refusal nothing is', async () => {
  server.answers((_request, response) => void response.end('x'.repeat(1001)));
  expect(await failure('test', server.base)).toBe('ANSWER_TOO_LARGE');
  server.answers((_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end('later'));
  expect(await createStrangerReading('test', limits)(server.base)).toEqual({
    status: 429,
    retryAfter: '7',
    location: undefined,
    body: Buffer.alloc(0),
  });
});
