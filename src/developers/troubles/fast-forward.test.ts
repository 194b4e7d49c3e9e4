import { describe, expect, it } from 'vitest';
import { refreshTokenOf } from '../../../test/app/keys.ts';
import { aNamedKey, statusCalls } from '../../../test/people/named-keys.ts';
import { webhookFixture } from '../../../test/webhooks/fixture.ts';
import { webhookJobHandler } from '../../webhooks/index.ts';
import { senderWithTroubles } from './play-troubles.ts';

const {
  site,
  referrer,
  stranger,
  received,
  call,
  aWebhook,
  recordEvent,
  receivedIds,
  readWebhook,
  attempts,
  nextJob,
  auditDetails,
} = await webhookFixture();
const job = webhookJobHandler(site.deps, senderWithTroubles);
const runJob = (webhook: { id: string }) => job({ webhook_id: webhook.id });

const moveOn = async (by: string, holder = referrer) => {
  const { status, body } = await call(holder, 'POST', '/api/simulator/move-on', { by });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const failCalls = async (calls: number) =>
  expect(
    (await call(referrer, 'POST', '/api/simulator/troubles', { kind: 'webhook-failing', calls })).status,
  ).toBe(201);

describe('a webhook that is to fail', () => {
  it('is called again once time is moved on, after later events', async () => {
    const webhook = await aWebhook();
    await failCalls(1);
    await recordEvent('one');
    await runJob(webhook);
    expect(received).toHaveLength(0);
    await recordEvent('two');
    await runJob(webhook);
    expect(receivedIds()).toEqual(['two']);
    const { moved_on_seconds, next } = await moveOn('next');
    expect(moved_on_seconds).toBeGreaterThan(2);
    expect(moved_on_seconds).toBeLessThan(8);
    expect(next[0]).toMatchObject({ what: 'The webhook is called', webhook_id: webhook.id });
    expect(await nextJob(webhook)).toBeCloseTo(0, -1);
    await runJob(webhook);
    expect(receivedIds()).toEqual(['two', 'one']);
    expect(await attempts(webhook)).toEqual([
      ['delivered', 204],
      ['delivered', 204],
      ['will-retry', 500],
    ]);
  });

  it('is switched off when three days are moved on', async () => {
    const webhook = await aWebhook();
    await failCalls(1000);
    await recordEvent();
    await runJob(webhook);
    for (let day = 0; day < 3; day += 1) {
      expect((await readWebhook(webhook)).enabled).toBe(true);
      await moveOn('day');
      await runJob(webhook);
    }
    expect(await readWebhook(webhook)).toMatchObject({ enabled: false, switched_off: { reason: 'failing' } });
    expect(await auditDetails('webhook.switched_off', webhook)).toEqual([{ reason: 'failing' }]);
    await call(referrer, 'DELETE', '/api/simulator/troubles');
  });

  it('stays as it is when somebody else moves their time on', async () => {
    const webhook = await aWebhook();
    await failCalls(1);
    await recordEvent();
    await runJob(webhook);
    await moveOn('day', stranger);
    await runJob(webhook);
    expect(received).toHaveLength(0);
  });

  it('is signed by an earlier secret only until time is moved on', async () => {
    const webhook = await aWebhook();
    await call(referrer, 'POST', `${webhook.path}/rotate-secret`);
    await recordEvent();
    await runJob(webhook);
    await moveOn('day');
    await recordEvent();
    await runJob(webhook);
    const signatures = received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length);
    expect(signatures).toEqual([2, 1]);
  });
});

describe('the access tokens of an account', () => {
  it('expire when time is moved on, and a refresh helps', async () => {
    const refreshToken = await refreshTokenOf(site.deps, referrer.id);
    const refresh = async () => {
      const answer = await site.app.inject({
        method: 'POST',
        url: '/api/token/refresh',
        payload: { refreshToken },
      });
      return { authorization: `Bearer ${answer.json().access_token}` };
    };
    const headers = await refresh();
    const status = async () => (await site.app.inject({ url: '/api/token/status', headers })).statusCode;
    const move = (by: string) =>
      site.app.inject({ method: 'POST', url: '/api/simulator/move-on', headers, payload: { by } });
    for (let hour = 0; hour < 2; hour += 1) {
      await move('hour');
      expect(await status()).toBe(200);
    }
    expect((await move('hour')).json().next.map(({ what }: { what: string }) => what)).not.toContain(
      'The webhook is called',
    );
    await expect.poll(status).toBe(401);
    expect((await site.app.inject({ url: '/api/token/status', headers: await refresh() })).statusCode).toBe(
      200,
    );
  });
});

describe('a refresh token that a new one has replaced', () => {
  it('works until its overlap ends, and the new one after it', async () => {
    const key = await aNamedKey(site, referrer.id, { scopes: ['simulator'] });
    const renewed = await key.regenerate(8);
    const ofStranger = await aNamedKey(site, stranger.id);
    await ofStranger.regenerate(8);
    const refreshed = await key.refresh();
    const { status } = statusCalls(site);
    const old = refreshed.json().access_token;
    for (let hour = 0; hour < 2; hour += 1) await moveOn('hour');
    expect([(await key.refresh()).statusCode, (await status(old)).statusCode]).toEqual([200, 200]);
    await moveOn('day');
    expect([(await key.refresh()).statusCode, (await key.refresh(renewed)).statusCode]).toEqual([401, 200]);
    await expect.poll(async () => (await status(old)).statusCode).toBe(401);
    expect((await ofStranger.refresh()).statusCode).toBe(200);
  });
});
