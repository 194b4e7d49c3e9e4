import { describe, expect, it } from 'vitest';
import { waitingForLocks } from '../../../test/database/locks.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { webhookFixture } from '../../../test/webhooks/fixture.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { lockWebhooks, resetFailures } from '../model/webhooks-store.ts';
import { callWebhook } from './call-webhook.ts';

const minute = 60_000;
const hour = 60 * minute;

const {
  site,
  referrer,
  receiver,
  received,
  url,
  call,
  aWebhook,
  recordEvent,
  runJob,
  receivedIds,
  readWebhook,
  attempts,
  nextJob,
  auditDetails,
} = await webhookFixture();

describe('a webhook that fails', () => {
  it.each([500, 503, 408, 425, 429])('%d: is tried again after growing pauses', async (status) => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(status).end();
    await recordEvent();
    const pauses: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      await runJob(webhook);
      await runJob(webhook);
      pauses.push((await nextJob(webhook))!);
      site.clock.moveOn(pauses.at(-1)! * 1000 + minute);
    }
    expect(received).toHaveLength(3);
    for (const [index, usual] of [5, 20, 80].entries()) {
      expect(pauses[index]).toBeGreaterThan(usual * 0.7);
      expect(pauses[index]).toBeLessThan(usual * 1.3);
    }
    expect(new Set(received.map(({ body, headers }) => body + headers['webhook-id'])).size).toBe(1);
    expect((await readWebhook(webhook)).failing_since).not.toBeNull();
  });

  it('waits as long as Retry-After says', async () => {
    const inTwoHours = new Date(site.clock.now().getTime() + 2 * hour).toUTCString();
    for (const [wait, seconds] of [
      ['600', 600],
      [inTwoHours, 7200],
    ] as const) {
      const webhook = await aWebhook();
      receiver.answer = (response) => void response.writeHead(429, { 'retry-after': wait }).end();
      await recordEvent();
      await runJob(webhook);
      expect(await nextJob(webhook)).toBeCloseTo(seconds, -1);
    }
  });

  it('costs one call at a time while down, then catches up', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.destroy();
    for (const id of ['one', 'two', 'three']) await recordEvent(id);
    await runJob(webhook);
    await runJob(webhook);
    expect(receivedIds()).toEqual(['one']);
    receiver.answer = (response) => void response.writeHead(200).end('thank you');
    site.clock.moveOn(minute);
    await runJob(webhook);
    expect(receivedIds()).toEqual(['one', 'two', 'three', 'one']);
  });

  it.each([
    ['another address', [{ url: 'elsewhere' }]],
    ['switched on again', [{ enabled: false }, { enabled: true }]],
  ])('%s: waiting messages are sent at once', async (_, changes) => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.destroy();
    await recordEvent('waits');
    for (let time = 0; time < 3; time += 1) {
      site.clock.moveOn(minute);
      await runJob(webhook);
    }
    expect((await nextJob(webhook))!).toBeGreaterThan(50);
    for (const { url: path, ...change } of changes as { url?: string }[])
      await call(referrer, 'PATCH', webhook.path, { ...change, ...(path && { url: `${url}/${path}` }) });
    expect(await nextJob(webhook)).toBeCloseTo(0, -1);
    expect((await readWebhook(webhook)).failing_since).toBeNull();
    receiver.answer = receiver.works;
    await runJob(webhook);
    expect((await attempts(webhook))[0]).toEqual(['delivered', 204]);
  });

  it('may be removed while it is called', async () => {
    const webhook = await aWebhook();
    await recordEvent();
    const removeIt = async () => {
      await call(referrer, 'DELETE', webhook.path);
      return { outcome: 'delivered', status: 200, detail: 'It answered 200.' } as const;
    };
    await expect(callWebhook(site.deps, removeIt, webhook.id)).resolves.toBeUndefined();
  });

  it('waits for a change of the webhook before it stores a failure', async () => {
    const webhook = await aWebhook();
    await recordEvent();
    receiver.answer = (response) => void response.writeHead(500).end();
    const { db } = site.deps;
    let working: Promise<void> | undefined;
    // A replay locks and changes in the same order.
    await inTransaction(db, async (trx) => {
      await lockWebhooks(trx, [webhook.id]);
      working = runJob(webhook);
      await expect.poll(() => waitingForLocks(db)).toBe(1);
      await resetFailures(trx, webhook.id, site.clock.now());
    });
    await working;
    expect(await attempts(webhook)).toEqual([['will-retry', 500]]);
  });

  it('is switched off by 410, which its holder can undo', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(410).end();
    await recordEvent('one');
    await recordEvent('waits');
    await runJob(webhook);
    expect(receivedIds()).toEqual(['one']);
    expect(await readWebhook(webhook)).toMatchObject({ enabled: false, switched_off: { reason: 'gone' } });
    const [mail] = await mailsTo(site, referrer.email);
    expect(mail!.subject).toContain('Your webhook was switched off');
    expect(mail!.text).toContain(`/webhooks/${webhook.id}`);
    await recordEvent('while it was off');
    receiver.answer = (response) => void response.writeHead(200).end();
    expect((await call(referrer, 'PATCH', webhook.path, { enabled: true })).body.enabled).toBe(true);
    expect(await nextJob(webhook)).toBeCloseTo(0, -1);
    await runJob(webhook);
    expect(receivedIds()).toEqual(['one', 'waits']);
  });

  it('is switched off after three days; old messages are given up', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(500).end();
    await recordEvent('first');
    await runJob(webhook);
    site.clock.moveOn(71 * hour);
    await recordEvent('second');
    await runJob(webhook);
    expect((await readWebhook(webhook)).enabled).toBe(true);
    site.clock.moveOn(9 * hour);
    await runJob(webhook);
    expect(await readWebhook(webhook)).toMatchObject({ enabled: false, switched_off: { reason: 'failing' } });
    const { items } = (await call(referrer, 'GET', `${webhook.path}/attempts`)).body;
    expect(items.map(({ detail }: { detail: string }) => detail)).toContain(
      'Given up: it could not be sent within three days.',
    );
    const failed = (await call(referrer, 'GET', `${webhook.path}/attempts?outcome=failed`)).body.items;
    expect(failed).toEqual(items.filter(({ outcome }: { outcome: string }) => outcome === 'failed'));
    expect(await auditDetails('webhook.switched_off', webhook)).toEqual([{ reason: 'failing' }]);
  });

  it('is switched off, with an email, after its last message', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(500).end();
    await recordEvent('the only one');
    await runJob(webhook);
    site.clock.moveOn(79 * hour);
    await runJob(webhook);
    expect(await readWebhook(webhook)).toMatchObject({ enabled: false, switched_off: { reason: 'failing' } });
    const mails = (await mailsTo(site, referrer.email)).map(({ text }) => text);
    expect(mails.join()).toContain(`/webhooks/${webhook.id}`);
  });

  it('stays on when only one event is given up', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response, event) =>
      void response.writeHead(event.resource.id === 'bad' ? 500 : 200).end();
    await recordEvent('bad');
    await runJob(webhook);
    site.clock.moveOn(71 * hour);
    await recordEvent('good');
    await runJob(webhook);
    site.clock.moveOn(8 * hour);
    await runJob(webhook);
    expect((await readWebhook(webhook)).enabled).toBe(true);
  });
});

describe('two slow webhooks', () => {
  it('postpone a third, so that deliveries keep running', async () => {
    const slow = [await aWebhook(), await aWebhook()];
    const third = await aWebhook();
    const release = Promise.withResolvers<void>();
    receiver.answer = (response) => void release.promise.then(() => receiver.works(response, undefined));
    await recordEvent();
    const calls = slow.map(runJob);
    try {
      await expect.poll(() => received.length).toBe(2);
      await runJob(third);
      expect(received).toHaveLength(2);
    } finally {
      release.resolve();
    }
    await Promise.all(calls);
    await runJob(third);
    expect(await attempts(third)).toEqual([['delivered', 204]]);
  });
});

describe('an event that is not accepted', () => {
  it.each([400, 401, 404, 302])('is sent again after %d and does not hold up the next', async (status) => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(status, { location: `${url}/elsewhere` }).end();
    await recordEvent('one');
    await runJob(webhook);
    site.clock.moveOn(hour);
    await recordEvent('two');
    await runJob(webhook);
    expect(receivedIds()).toEqual(['one', 'two', 'one']);
    expect((await attempts(webhook))[0]).toEqual(['will-retry', status]);
    receiver.answer = receiver.works;
    site.clock.moveOn(hour);
    await runJob(webhook);
    expect(receivedIds().slice(3).sort()).toEqual(['one', 'two']);
    expect((await readWebhook(webhook)).failing_since).toBeNull();
  });

  it('does not hold up the others if it always fails', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response, event) =>
      void response.writeHead(event.resource.id === 'bad' ? 500 : 200).end();
    await recordEvent('bad');
    for (let time = 0; time < 6; time += 1) {
      await runJob(webhook);
      site.clock.moveOn(10_000);
    }
    await recordEvent('good');
    await runJob(webhook);
    expect(receivedIds().at(-1)).toBe('good');
  });
});
