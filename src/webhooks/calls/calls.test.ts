import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { anAccount, aReferral } from '../../../test/app/builders.ts';
import type { Received } from '../../../test/network/webhook-receiver.ts';
import { webhookFixture } from '../../../test/webhooks/fixture.ts';
import { setApiAccess, setOrganisation } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { orderEvents } from '../events/order-events.ts';
import { callWebhook } from './call-webhook.ts';
import { createSender } from './send-call.ts';

const minute = 60_000;
const hour = 60 * minute;

const {
  site,
  place,
  referrer,
  stranger,
  receiver,
  received,
  call,
  aWebhook,
  recordEvent,
  runJob,
  receivedIds,
  readWebhook,
  attempts,
  nextJob,
} = await webhookFixture();

describe('calls of webhooks', () => {
  it('carry only events the holder may see, signed by the standard', async () => {
    const webhook = await aWebhook({ event_types: ['referral.requested'] });
    const others = await aWebhook({}, stranger);
    const made = await call(referrer, 'POST', '/api/referrals', aReferral(place.serviceId));
    await orderEvents(site.deps);
    await runJob(webhook);
    await runJob(others);
    expect(received).toHaveLength(1);
    const { headers, body, event } = received[0]!;
    expect(headers['content-type']).toBe('application/json');
    expect(headers['webhook-id']).toBe(event.id);
    expect(event.resource.href).toBe(`http://localhost:8080/api/referrals/${made.body.id}`);
    expect(body).not.toContain('Margaret');
    const { items } = (await call(referrer, 'GET', '/api/events')).body;
    expect(items).toContainEqual(verify(webhook.secret, received[0]!));
    expect(() => verify(webhook.secret, { ...received[0]!, body: `${body} ` })).toThrow('signature');
    expect(() => verify(webhook.secret.replace(/.{8}$/, 'AAAAAAA='), received[0]!)).toThrow('signature');
    expect(await attempts(webhook)).toEqual([['delivered', 204]]);
    expect(await nextJob(webhook)).toBeCloseTo(0, -1);
  });

  it('are not made for an account that has moved away since', async () => {
    const holder = await anAccount(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
    const webhook = await aWebhook({ event_types: ['referral.requested', 'service.changed'] }, holder);
    const allowed = { allow_duplicate: true };
    await call(holder, 'POST', '/api/referrals', aReferral(place.serviceId, allowed));
    await recordEvent('everybody’s');
    const elsewhere = { name: 'Elsewhere Surgery' };
    await setOrganisation(site.deps, siteActor, { id: holder.id }, elsewhere);
    await runJob(webhook);
    expect(receivedIds()).toEqual(['everybody’s']);
    const { items } = (await call(holder, 'GET', `${webhook.path}/attempts`)).body;
    expect(items.map(({ outcome, detail }: Record<string, string>) => `${outcome}: ${detail}`)).toEqual([
      'delivered: It answered 204.',
      'failed: Not sent: the account can no longer see this.',
    ]);
    expect((await call(holder, 'GET', webhook.path)).body).toMatchObject({
      enabled: true,
      failing_since: null,
    });
  });

  it('come in order, and none comes twice', async () => {
    const webhook = await aWebhook();
    for (const id of ['one', 'two', 'three']) await recordEvent(id);
    await runJob(webhook);
    await runJob(webhook);
    expect(receivedIds()).toEqual(['one', 'two', 'three']);
  });

  it('are signed by the new secret, and for a day by the old one', async () => {
    const webhook = await aWebhook();
    const rotated = await call(referrer, 'POST', `${webhook.path}/rotate-secret`);
    await recordEvent();
    await runJob(webhook);
    for (const secret of [webhook.secret, rotated.body.secret]) verify(secret, received[0]!);
    expect((await readWebhook(webhook)).previous_secret_until).toBe(rotated.body.previous_secret_until);
    site.clock.moveOn(25 * hour);
    await recordEvent();
    await runJob(webhook);
    verify(rotated.body.secret, received[1]!);
    expect(() => verify(webhook.secret, received[1]!)).toThrow('signature');
    expect((await readWebhook(webhook)).previous_secret_until).toBeNull();
  });

  it('deliver a test event once, even to a webhook that is off', async () => {
    const webhook = await aWebhook({ event_types: ['referral.failed'] });
    await call(referrer, 'PATCH', webhook.path, { enabled: false });
    receiver.answer = (response) => void response.writeHead(500).end();
    const sent = await call(referrer, 'POST', `${webhook.path}/test`);
    expect([sent.status, sent.body.type, sent.body.resource.id]).toEqual([202, 'webhook.test', webhook.id]);
    await runJob(webhook);
    expect(received.map(({ event }) => event)).toEqual([sent.body]);
    expect(await attempts(webhook)).toEqual([['failed', 500]]);
    expect((await call(referrer, 'GET', '/api/events?limit=500')).body.items).not.toContainEqual(sent.body);
  });

  it('are repeated with the same id and body after a kill', async () => {
    const webhook = await aWebhook();
    await recordEvent();
    const send = createSender(site.deps);
    const killed = callWebhook(
      site.deps,
      async (message) => {
        await send(message);
        throw new Error('killed');
      },
      webhook.id,
    );
    await expect(killed).rejects.toThrow('killed');
    await runJob(webhook);
    expect(received).toHaveLength(2);
    expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id']);
    expect(received[1]!.body).toBe(received[0]!.body);
    expect(await attempts(webhook)).toEqual([['delivered', 204]]);
  });

  it('are captured on a test site, not made, to other computers', async () => {
    const webhook = await aWebhook({ url: 'https://client.example.org/told?key=1' });
    await recordEvent();
    await runJob(webhook);
    expect(await attempts(webhook)).toEqual([['captured', null]]);
    expect((await readWebhook(webhook)).failing_since).toBeNull();
  });

  it('stop when the account loses API access', async () => {
    const holder = await anAccount(site.deps);
    const webhook = await aWebhook({}, holder);
    await recordEvent('before');
    await setApiAccess(site.deps, siteActor, holder, { isAllowed: false });
    await recordEvent('after');
    await runJob(webhook);
    expect(received).toEqual([]);
  });
});

/** Verifies a call as a receiver does, with the package of the standard’s authors, by the machine’s own clock. */
function verify(secret: string, { headers, body }: Received): unknown {
  const { 'webhook-timestamp': timestamp } = headers;
  const realNow = Date.now;
  Date.now = () => Number(timestamp) * 1000;
  try {
    return new StandardWebhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    Date.now = realNow;
  }
}
