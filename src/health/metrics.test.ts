import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { until } from '../../test/app/until.ts';
import { lockTables, waitingForLocks } from '../../test/database/locks.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { version } from '../platform/process/version.ts';
import { readMetricsToken } from './metrics-route.ts';

const token = 'a-token-of-the-watching-machine';
let site: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-metrics-'));
  const file = join(folder, 'token');
  await writeFile(file, `${token}\n`);
  site = await makeApp({
    env: { ONWARD_METRICS_TOKEN_FILE: file, ONWARD_TRUSTED_PROXIES: '10.0.0.0/8' },
  });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

type From = { remoteAddress?: string; headers?: Record<string, string> };

const read = (from: From = {}) =>
  site.app.inject({
    url: '/metrics',
    remoteAddress: from.remoteAddress ?? '127.0.0.1',
    headers: { host: 'localhost:8080', ...from.headers },
  });

/** The value of one line of the answer; undefined if the line is missing. */
async function value(line: string): Promise<number | undefined> {
  const found = (await read()).body.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

describe('the metrics', () => {
  it('count requests by route, token look-ups, refusals and jobs', async () => {
    const { headers } = await aTokenHolder(site.deps);
    const callStatus = () => site.app.inject({ url: '/api/token/status', headers });
    // A token is remembered once the site has heard of everything that changed about its account.
    await expect
      .poll(async () => {
        await callStatus();
        return value('onward_token_lookups_total{in="memory"}');
      })
      .toBeGreaterThan(0);
    const status = '{method="GET",route="/api/token/status",status="200"}';
    const counted = (await value(`onward_http_request_duration_seconds_count${status}`))!;
    const inMemory = (await value('onward_token_lookups_total{in="memory"}'))!;
    const refused = (await value('onward_sign_in_refusals_total{method="password"}'))!;
    for (let call = 0; call < 3; call += 1) await callStatus();
    await site.app.inject({ url: '/no/such/page?token=secret' });
    await site.app.inject({
      method: 'POST',
      url: '/signin',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=nobody%40example.org&password=wrong',
    });
    const { body, headers: answered } = await read();
    expect(answered['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(body).not.toContain('secret');
    expect(await value(`onward_http_request_duration_seconds_count${status}`)).toBe(counted + 3);
    const bucket = (le: string) =>
      value(
        `onward_http_request_duration_seconds_bucket{le="${le}",method="GET",route="/api/token/status",status="200"}`,
      );
    expect(await bucket('+Inf')).toBe(counted + 3);
    expect(await bucket('10')).toBe(counted + 3);
    expect(body).toContain('route="none",status="404"');
    expect(await value('onward_token_lookups_total{in="memory"}')).toBe(inMemory + 3);
    expect(await value('onward_sign_in_refusals_total{method="password"}')).toBe(refused + 1);
    expect(await value('onward_database_up')).toBe(1);
    expect(await value(`onward_build_info{version="${version}"}`)).toBe(1);
    expect(await value('onward_database_connections{state="awaited"}')).toBe(0);
    expect(body).toContain('# TYPE onward_jobs gauge');
    expect(body).toContain('# TYPE onward_deliveries gauge');
    expect(body).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
    expect(body).toMatch(/^process_resident_memory_bytes \d/m);
  });

  it('count deliveries once a minute, however often they are read', async () => {
    const inState = async (state: string) => (await value(`onward_deliveries{state="${state}"}`)) ?? 0;
    const queued = () => inState('queued');
    const before = await queued();
    const { serviceId } = await aService(site.deps);
    const { headers } = await aTokenHolder(site.deps);
    const payload = aReferral(serviceId);
    const made = await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload });
    expect(made.statusCode, made.body).toBe(201);
    expect(await queued()).toBe(before);
    site.clock.moveOn(60_000);
    expect(await queued()).toBeGreaterThan(before);

    // Nobody is paged at night for messages that wait on purpose.
    const operator = await aTokenHolder(site.deps, { role: 'operator' });
    const url = `/api/referrals/${made.json().id}/restrict`;
    const reason = { reason: 'She asked for a pause.' };
    const restricted = await site.app.inject({
      method: 'POST',
      url,
      headers: operator.headers,
      payload: reason,
    });
    expect(restricted.statusCode, restricted.body).toBe(200);
    site.clock.moveOn(60_000);
    expect([await queued(), await inState('paused')]).toEqual([before, expect.any(Number)]);
    expect(await inState('paused')).toBeGreaterThan(0);
  });

  it('are complete for each of two programs that read at once', async () => {
    const waiting = (count: number) => until(async () => (await waitingForLocks(site.deps.db)) === count);
    site.clock.moveOn(60_000);
    const letDeliveriesGo = await lockTables(site.deps.pool, 'deliveries');
    const first = read();
    await waiting(1);
    const letJobsGo = await lockTables(site.deps.pool, 'graphile_worker.jobs');
    const second = read();
    await waiting(2);
    await letDeliveriesGo();
    const bodies = [(await first).body];
    await letJobsGo();
    bodies.push((await second).body);
    for (const body of bodies) expect(body).toMatch(/^onward_jobs\{task="/m);
  });

  it('answer only this machine and holders of the token', async () => {
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
    const allowed: From[] = [
      {},
      { remoteAddress: '::1', headers: { host: '[::1]:8080' } },
      { remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1' } },
      { remoteAddress: '203.0.113.9', headers: { ...bearer(token), host: 'referrals.example.org' } },
      { remoteAddress: '10.1.1.1', headers: { 'x-forwarded-for': '127.0.0.1' } },
    ];
    for (const from of allowed) expect((await read(from)).statusCode, JSON.stringify(from)).toBe(200);
    const refused: From[] = [
      { remoteAddress: '203.0.113.9' },
      { remoteAddress: '203.0.113.9', headers: bearer(`${token}x`) },
      { remoteAddress: '203.0.113.9', headers: bearer('') },
      { remoteAddress: '203.0.113.9', headers: { 'x-forwarded-for': '127.0.0.1' } },
      // Through a trusted proxy, the address that it forwards counts.
      { remoteAddress: '10.1.1.1', headers: { 'x-forwarded-for': '203.0.113.9' } },
      { remoteAddress: '10.1.1.1', headers: { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' } },
      // Through a proxy on this machine that is not a trusted one.
      { headers: { 'x-forwarded-for': '203.0.113.9' } },
      { headers: { 'x-real-ip': '203.0.113.9' } },
      { headers: { forwarded: 'for=203.0.113.9' } },
      // A page in a browser on this machine, under another name that leads here.
      { headers: { host: 'evil.example' } },
      { headers: { host: 'localhost.evil.example' } },
    ];
    for (const from of refused) {
      const answer = await read(from);
      expect(answer.statusCode, JSON.stringify(from)).toBe(403);
      expect(answer.body).not.toContain('onward_http');
    }
  });

  it('are served without the database’s numbers while it is down', async () => {
    const { createCollector } = await import('./collect-metrics.ts');
    const away = { ...site.deps, db: undefined as never, metrics: createMetrics() };
    const { text } = await createCollector(away)();
    expect(text).toMatch(/^onward_database_up 0$/m);
    expect(text).toContain('onward_sign_in_refusals_total{method="password"} 0');
  });
});

describe('the token file of the metrics', () => {
  it('stops the start if it is missing or too short', async () => {
    const short = join(folder, 'short');
    await writeFile(short, 'short\n');
    for (const metricsTokenFile of [short, join(folder, 'none')])
      expect(() => readMetricsToken({ ...site.deps.settings, metricsTokenFile })).toThrow(
        'ONWARD_METRICS_TOKEN_FILE',
      );
  });
});
