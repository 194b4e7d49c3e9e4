import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { refreshTokenOf } from '../../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedTroubles } from '../../../test/developers/stored.ts';
import { type Answer, apiClient } from '../../../test/people/api-client.ts';
import { liveEnv } from '../../../test/process/live-env.ts';

let site: TestApp;
let baseUrl: string;
let serviceId: string;
let holder: Awaited<ReturnType<typeof aTokenHolder>>;
let client: ReturnType<typeof apiClient>;
beforeAll(async () => {
  site = await makeApp();
  await site.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(site.app.server.address() as { port: number }).port}`;
  ({ serviceId } = await aService(site.deps));
  holder = await aTokenHolder(site.deps);
  client = apiClient(baseUrl, holder.token);
});
afterAll(() => site.close());
afterEach(() => client.delete('/api/simulator/troubles'));

const path = '/api/simulator/troubles';
const status = () => client.get('/api/token/status');

async function trouble(body: object): Promise<Record<string, any>> {
  const answer = await client.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** The status of an answer, the end of its type, and what it says was simulated. */
const summary = ({ status, headers, body }: Answer) => [
  status,
  String(body.type ?? '')
    .split('/')
    .at(-1),
  headers.get('onward-simulated'),
];
const untroubled = [200, '', null];

async function refresh(): Promise<Answer> {
  const refreshToken = await refreshTokenOf(site.deps, holder.id);
  return client.post('/api/token/refresh', { refreshToken });
}

async function takeNewToken(): Promise<void> {
  const { body } = await refresh();
  client = apiClient(baseUrl, body.access_token);
}

describe('a trouble', () => {
  it.each([
    ['too-many-requests', 429],
    ['unavailable', 503],
  ])('%s refuses as many calls as asked, and none after them', async (kind, code) => {
    const made = await client.post(path, { kind, calls: 2, retry_after: 7 });
    expect(made.body).toMatchObject({ kind, calls: 2, played: 0, retry_after: 7, operation_id: null });
    for (let call = 0; call < 2; call += 1) {
      const answer = await status();
      expect(summary(answer)).toEqual([code, kind, kind]);
      expect(answer.headers.get('retry-after')).toBe('7');
    }
    expect(summary(await status())).toEqual(untroubled);
    const played = await client.get(new URL(made.headers.get('location')!).pathname);
    expect(played.body).toEqual({ ...made.body, played: 2 });
    expect((await client.get(path)).body).toEqual({ items: [played.body], next_cursor: null });
  });

  it('expires the token of the call, and a refresh helps', async () => {
    const before = client;
    await trouble({ kind: 'expire-token' });
    const answer = await status();
    expect(summary(answer)).toEqual([401, 'invalid-token', 'expire-token']);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    await takeNewToken();
    expect(summary(await status())).toEqual(untroubled);
    await until(async () => (await before.get('/api/token/status')).status === 401);
    expect((await before.get('/api/token/status')).headers.get('onward-simulated')).toBeNull();
  });

  it('ends all tokens of the account, and a refresh helps', async () => {
    const other = apiClient(baseUrl, (await refresh()).body.access_token);
    await trouble({ kind: 'end-tokens' });
    expect(summary(await status())).toEqual([401, 'invalid-token', 'end-tokens']);
    await until(async () => (await other.get('/api/token/status')).status === 401);
    await takeNewToken();
    expect(summary(await status())).toEqual(untroubled);
  });

  it('loses the answer, and not what was asked for', async () => {
    await trouble({ kind: 'lose-answer', operation_id: 'createReferral' });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const send = () => client.post('/api/referrals', aReferral(serviceId), key);
    await expect(send()).rejects.toThrow('fetch failed');
    const { items } = (await client.get('/api/referrals?direction=made')).body;
    expect(items).toHaveLength(1);
    const repeated = await send();
    expect([repeated.status, repeated.body.id]).toEqual([201, items[0].id]);
    expect((await client.get('/api/referrals?direction=made')).body.items).toHaveLength(1);
  });

  it('holds an answer back, and says so', async () => {
    await trouble({ kind: 'slow', retry_after: 1 });
    const startedMs = performance.now();
    expect(summary(await status())).toEqual([200, '', 'slow']);
    expect(performance.now() - startedMs).toBeGreaterThan(990);
  });

  it('leaves out events after the one that a client names', async () => {
    const { items } = (await client.get('/api/events')).body;
    await trouble({ kind: 'event-gap' });
    expect(summary(await status())).toEqual(untroubled);
    expect(summary(await client.get('/api/events'))).toEqual(untroubled);
    const gone = await client.get(`/api/events?after=${items.at(-1).id}`);
    expect(summary(gone)).toEqual([410, 'events-gone', 'event-gap']);
    expect(gone.body.oldest_id).toBe(items[0].id);
    expect(summary(await client.get(`/api/events?after=${items.at(-1).id}`))).toEqual(untroubled);
  });

  it('is played on the operation that it names, one at a time', async () => {
    await trouble({ kind: 'unavailable', operation_id: 'listReferrals' });
    await trouble({ kind: 'too-many-requests', operation_id: 'listReferrals' });
    expect(summary(await status())).toEqual(untroubled);
    const answers = [];
    for (let call = 0; call < 3; call += 1) answers.push((await client.get('/api/referrals')).status);
    expect(answers).toEqual([503, 429, 200]);
  });

  it('is refused on an unknown operation, with a known one’s name', async () => {
    const { status, body } = await client.post('/api/simulator/troubles', {
      kind: 'slow',
      operation_id: 'makeReferral',
    });
    const message = expect.stringMatching(/^is no operation .* such as createReferral$/);
    expect([status, body.errors]).toEqual([422, [{ pointer: '/operation_id', message }]]);
  });

  it('is played on a refresh only if that is named', async () => {
    await trouble({ kind: 'unavailable' });
    expect((await refresh()).status).toBe(200);
    expect((await status()).status).toBe(503);
    await trouble({ kind: 'unavailable', operation_id: 'refreshToken' });
    expect(summary(await refresh())).toEqual([503, 'unavailable', 'unavailable']);
    expect((await refresh()).status).toBe(200);
  });

  it('is played on nobody else, and cleared by its owner', async () => {
    const stranger = apiClient(baseUrl, (await aTokenHolder(site.deps)).token);
    const { id } = await trouble({ kind: 'unavailable', calls: 1000 });
    expect((await stranger.get('/api/token/status')).status).toBe(200);
    expect((await stranger.get(path)).body.items).toEqual([]);
    expect((await stranger.get(`${path}/${id}`)).status).toBe(404);
    await stranger.delete(path);
    expect((await status()).status).toBe(503);
    expect((await client.delete(path)).status).toBe(204);
    expect(summary(await status())).toEqual(untroubled);
    expect((await client.get(`${path}/${id}`)).status).toBe(404);
  });

  it('is forgotten after an hour', async () => {
    await trouble({ kind: 'unavailable' });
    site.clock.moveOn(3_600_000);
    expect(summary(await status())).toEqual(untroubled);
    expect((await client.get(path)).body.items).toEqual([]);
  });

  it.each([
    [{ kind: 'earthquake' }, 400, '/kind'],
    [{ kind: 'slow', calls: 0 }, 400, '/calls'],
    [{ kind: 'slow', retry_after: 61 }, 400, '/retry_after'],
    [{ kind: 'expire-token', retry_after: 5 }, 422, '/retry_after'],
    [{ kind: 'slow', operation_id: 'flyToTheMoon' }, 422, '/operation_id'],
    [{ kind: 'slow', operation_id: 'addTrouble' }, 422, '/operation_id'],
    [{ kind: 'expire-token', operation_id: 'refreshToken' }, 422, '/operation_id'],
    [{ kind: 'event-gap', operation_id: 'createReferral' }, 422, '/operation_id'],
    [{ kind: 'webhook-failing', operation_id: 'listEvents' }, 422, '/operation_id'],
  ])('cannot be %j', async (body, code, pointer) => {
    const answer = await client.post(path, body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([code, pointer]);
  });

  it('is one of twenty at most', async () => {
    for (let count = 0; count < 20; count += 1)
      await trouble({ kind: 'slow', operation_id: 'createReferral' });
    expect((await client.post(path, { kind: 'slow' })).body.detail).toContain('20 wait already');
  });

  it('does not exist on a live site', async () => {
    const live = await makeApp({ env: liveEnv });
    const { headers } = await aTokenHolder(live.deps);
    for (const [method, url] of [
      ['POST', path],
      ['GET', path],
      ['DELETE', path],
      ['POST', '/api/simulator/move-on'],
    ] as const)
      expect(
        (await live.app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) }))
          .statusCode,
      ).toBe(404);
    await live.close();
  });
});

describe('a site that stops', () => {
  it('does not wait for an answer that is held back', async () => {
    const other = await makeApp();
    await other.app.listen({ port: 0, host: '127.0.0.1' });
    const { token } = await aTokenHolder(other.deps);
    const caller = apiClient(
      `http://127.0.0.1:${(other.app.server.address() as { port: number }).port}`,
      token,
    );
    await caller.post(path, { kind: 'slow', retry_after: 60 });
    const answer = caller.get('/api/token/status');
    await until(async () => (await storedTroubles(other.deps.db))[0]!.played === 1);
    const startedMs = performance.now();
    await other.close();
    expect((await answer).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
