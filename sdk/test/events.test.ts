import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { inTransaction } from '../../src/platform/database/index.ts';
import { recordEvents } from '../../src/platform/events/index.ts';
import { callWebhook } from '../../src/webhooks/calls/call-webhook.ts';
import { createSender } from '../../src/webhooks/calls/send-call.ts';
import { jobHandlers } from '../../src/worker.ts';
import { until } from '../../test/app/until.ts';
import {
  BadSignature,
  type Event,
  EventsGone,
  type FollowOptions,
  type Onward,
  type ReceiverOptions,
  receiver,
  signWebhook,
  verifyWebhook,
} from '../src/index.ts';
import { type ClientFixture, makeClientFixture } from './client-fixture.ts';

let fixture: ClientFixture;
let practice: Onward;
let service: Onward;
beforeAll(async () => {
  fixture = await makeClientFixture();
  practice = fixture.client('referrer');
  service = fixture.client('provider');
});
afterAll(() => fixture.close());
beforeEach(() => fixture.line.reset());

const everySeconds = 0.05;
const make = () => practice.referrals.create(fixture.newReferral());
const accept = async (id: string) => service.referrals.accept(await service.referrals.get(id));

/** Follows until `isEnough`. */
async function follow(options: FollowOptions, isEnough: (events: Event[]) => boolean): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of practice.events.follow({ everySeconds, ...options })) {
    events.push(event);
    if (isEnough(events)) break;
  }
  return events;
}

describe('events.follow', () => {
  it('gives what happens in order, whatever becomes of answers', async () => {
    const after = await practice.events.latestId();
    const made = await Promise.all([make(), make(), make()]);
    fixture.line.next(/events/, 'refuse', 'lose-answer', 'cut-answer', 'refuse', 'lose-answer', {
      status: 502,
    });
    const types = ['referral.requested', 'referral.accepted'];
    const following = follow({ after, types }, (events) => events.length === 6);
    for (const { id } of made) await accept(id);
    const events = await following;
    const accepted = events.filter(({ type }) => type === 'referral.accepted');
    expect(accepted.map(({ resource }) => resource.id)).toEqual(made.map(({ id }) => id));
    expect(new Set(events.map(({ id }) => id)).size).toBe(6);
  });

  it('takes known types, which editors offer, and types to come', () => {
    type Known = Extract<NonNullable<FollowOptions['types']>[number], 'referral.accepted'>;
    expectTypeOf<Known>().toEqualTypeOf<'referral.accepted'>();
    expectTypeOf<string[]>().toExtend<NonNullable<FollowOptions['types']>>();
  });

  it('begins with the oldest that is kept', async () => {
    const [oldest] = await follow({}, (events) => events.length > 0);
    expect(oldest!.type).toBe('service.changed');
  });

  it('reads more than one page without a pause', async () => {
    const after = await practice.events.latestId();
    const { db } = fixture.site.deps;
    await inTransaction(db, (trx) =>
      recordEvents(
        trx,
        Array.from({ length: 250 }, () => {
          const id = randomUUID();
          return {
            type: 'service.changed',
            resource: { type: 'service', id, path: `/api/library/services/${id}` },
          };
        }),
        fixture.site.clock.now(),
      ),
    );
    const startedAt = performance.now();
    const events = await follow({ after, everySeconds: 600 }, ({ length }) => length === 250);
    expect(new Set(events.map(({ id }) => id)).size).toBe(250);
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('repeats an event that failed, and saves the place after it', async () => {
    let after = await practice.events.latestId();
    const types = ['referral.requested'];
    const [first, second] = [await make(), await make()];
    const savePosition = async (id: string) => {
      after = id;
    };
    const handled: string[] = [];
    let hasFailed = false;
    const work = async () => {
      for await (const { resource } of practice.events.follow({ after, types, everySeconds, savePosition })) {
        if (resource.id === second.id && !hasFailed) {
          hasFailed = true;
          throw new Error('the disk is full');
        }
        handled.push(resource.id);
        if (handled.length === 2) break;
      }
    };
    await expect(work()).rejects.toThrow('the disk is full');
    await work();
    expect(handled).toEqual([first.id, second.id]);
  });

  it('moves your place on while nothing of your types happens', async () => {
    const after = await practice.events.latestId();
    await make();
    const abort = new AbortController();
    const positions: string[] = [];
    const savePosition = (id: string) => void positions.push(id);
    const types = ['referral.erased'];
    const following = (async () => {
      for await (const _ of practice.events.follow({
        after,
        types,
        everySeconds,
        savePosition,
        signal: abort.signal,
      }))
        expect.unreachable();
    })();
    const latest = await practice.events.latestId();
    await until(() => positions.includes(latest!));
    const { id } = await make();
    await until(async () => positions.at(-1) === (await practice.events.latestId()));
    abort.abort();
    await following;
    // Nothing of what came after the place is lost.
    const [next] = await follow({ after: latest, types: ['referral.requested'] }, () => true);
    expect(next!.resource.id).toBe(id);
  });

  it('ends when its signal is aborted, even without the site', async () => {
    const abort = new AbortController();
    fixture.line.next(/events/, 'refuse', 'hang');
    const following = Array.fromAsync(practice.events.follow({ signal: abort.signal }));
    await until(() => fixture.line.sent.filter(({ path }) => path.includes('events')).length === 2);
    abort.abort();
    expect(await following).toEqual([]);
    expect(await Array.fromAsync(practice.events.follow({ signal: abort.signal }))).toEqual([]);
  });

  it('says so when you were away for longer than events are kept', async () => {
    const after = await practice.events.latestId();
    fixture.site.clock.moveOn(31 * 86_400_000);
    await (jobHandlers(fixture.site.deps)['delete-expired'] as () => Promise<void>)();
    await make();
    const error = await follow({ after }, () => true).catch((reason) => reason);
    expect(error).toBeInstanceOf(EventsGone);
    const [oldest] = (await practice.events.list({ limit: 1 })).items;
    expect(error.oldestId).toBe(oldest!.id);
    fixture.site.clock.moveOn(-31 * 86_400_000);
  });

  it('says so too when a restored site lost the last event', async () => {
    const after = '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0';
    const error = await follow({ after }, () => true).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(EventsGone);
    expect(error.oldestId).toBeNull();
    expect((await follow({ after: error.oldestId ?? undefined }, () => true)).length).toBe(1);
  });

  it('goes on after a token is refused twice, with a new one', async () => {
    const refused = {
      status: 401,
      headers: { 'content-type': 'application/problem+json' },
      body: JSON.stringify({ type: '/problems/invalid-token', title: 'No.', status: 401, detail: '' }),
    };
    fixture.line.next(/events/, refused, refused);
    expect(await follow({}, () => true)).toHaveLength(1);
    fixture.line.next(/events/, refused);
    const auth = { accessToken: fixture.accounts.referrer.token };
    const following = fixture.client('referrer', { auth }).events.follow({ everySeconds });
    await expect(following.next()).rejects.toMatchObject({ code: 'invalid-token' });
  });

  it('passes on a refusal that will not pass', async () => {
    await expect(follow({ after: 'no id' }, () => true)).rejects.toMatchObject({ code: 'bad-request' });
  });
});

describe('events.resource', () => {
  it('reads the referral, message and file of events', async () => {
    const after = await practice.events.latestId();
    const { id } = await make();
    const { id: messageId } = await practice.referrals.sendMessage(id, 'Is Tuesday all right?');
    await practice.referrals.attach(id, new Blob(['%PDF-1.4\n%%EOF\n']), 'letter.pdf');
    const events = await follow({ after }, ({ length }) => length === 3);
    expect(events.map(({ resource }) => resource.referral_id)).toEqual([id, id, id]);
    const [made, message, attachment] = await Promise.all(
      events.map((event) => practice.events.resource(event)),
    );
    const etag = expect.stringMatching(/^"1-/);
    expect(made).toMatchObject({ type: 'referral', referral: { id, status: 'requested', etag } });
    expect(message).toMatchObject({ type: 'message', message: { id: messageId } });
    if (attachment?.type !== 'attachment') return expect.unreachable();
    expect(await attachment.file!.text()).toContain('%PDF');
    const path = { id, attachment_id: events[2]!.resource.id };
    const body = { reason: { code: 'wrong-file' } } as const;
    await practice.call('removeAttachment', { path, body });
    expect(await practice.events.resource(events[2]!)).toEqual({ type: 'attachment', file: undefined });
  });

  it('reads by ids alone, and trusts no address in an event', async () => {
    const after = await practice.events.latestId();
    const { id: referralId } = await make();
    const [event] = await follow({ after }, () => true);
    const { body: deliveries } = await practice.call('listDeliveries', { path: { id: referralId } });
    const { body: webhook } = await practice.call('addWebhook', { body: { url: 'http://localhost/told' } });
    const read = (type: string, id: string) =>
      practice.events.resource({
        ...event!,
        resource: { type, id, referral_id: referralId, href: 'http://127.0.0.1:1/' },
      });
    const { id: deliveryId } = deliveries.items[0]!;
    expect(await read('delivery', deliveryId)).toMatchObject({ delivery: { id: deliveryId } });
    expect(await read('delivery', randomUUID())).toEqual({ type: 'delivery', delivery: undefined });
    const { serviceId } = fixture.place;
    expect(await read('service', serviceId)).toMatchObject({ service: { id: serviceId } });
    expect(await read('webhook', webhook.id)).toMatchObject({ webhook: { id: webhook.id } });
    expect(await read('something-new', randomUUID())).toBeUndefined();
    await practice.call('removeWebhook', { path: { id: webhook.id } });
  });
});

describe('a webhook', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = randomUUID();
  const body = JSON.stringify({ id, type: 'referral.accepted' });

  it('is checked by the rules that others check it by', async () => {
    const ours = await signWebhook(body, { id, secret });
    expect(new Webhook(secret).verify(body, ours)).toEqual(JSON.parse(body));
    const at = new Date();
    const theirs = {
      'Webhook-Id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,bm90IHRoaXM= ${new Webhook(secret).sign(id, at, body)}`,
    };
    expect(await verifyWebhook(body, theirs, secret)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(Buffer.from(body), new Headers(theirs), ['whsec_bmV3', secret])).toEqual(
      JSON.parse(body),
    );
  });

  it.each<[string, Record<string, string>, string?]>([
    ['another body', {}, `${body} `],
    ['another id', { 'webhook-id': randomUUID() }],
    ['no signature', { 'webhook-signature': '' }],
    ['what is no signature', { 'webhook-signature': 'v1,%% v1, v2,bm90IHRoaXM=' }],
    ['no time', { 'webhook-timestamp': 'soon' }],
    ['a time long ago', { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) }],
    ['a time to come', { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 310) }],
  ])('is refused with %s', async (_, headers, sent = body) => {
    const signed = { ...(await signWebhook(body, { id, secret })), ...headers };
    await expect(verifyWebhook(sent, signed, secret)).rejects.toBeInstanceOf(BadSignature);
  });

  it('is refused if it is old or signed with another secret', async () => {
    const other = await signWebhook(body, { id, secret: 'whsec_bmV3' });
    await expect(verifyWebhook(body, other, secret)).rejects.toThrow('is this the secret of this webhook?');
    const old = await signWebhook(body, { id, secret, at: new Date(Date.now() - 600_000) });
    await expect(verifyWebhook(body, old, secret)).rejects.toThrow('five minutes');
  });

  it('says what you gave wrongly, and blames no signature', async () => {
    const now = await signWebhook(body, { id, secret });
    for (const wrong of ['', 'whsec_', undefined as never])
      await expect(verifyWebhook(body, now, wrong)).rejects.toThrow(
        new TypeError('The secret of the webhook is missing or not whole.'),
      );
    await expect(verifyWebhook(body, now, [])).rejects.toThrow(
      new TypeError('Give the secret of the webhook.'),
    );
    await expect(verifyWebhook(JSON.parse(body), now, secret)).rejects.toThrow(
      /^Give the body of the webhook as it came, .* before it is parsed\.$/,
    );
  });
});

/** A server of a client, on which the receiver listens. */
async function listen(
  options: ReceiverOptions,
): Promise<{ server: Server; url: string; statuses: number[] }> {
  const handle = receiver(options);
  const statuses: number[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const url = `http://127.0.0.1${incoming.url}`;
    const headers = incoming.headers as Record<string, string>;
    const body = Buffer.concat(await incoming.toArray());
    const method = incoming.method!;
    const { status } = await handle(new Request(url, { method, headers, ...(body.length > 0 && { body }) }));
    statuses.push(status);
    outgoing.writeHead(status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, statuses, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told` };
}

describe('the receiver', () => {
  it('stores each event that the site sends, again if that failed', async () => {
    const stored: Event[] = [];
    const errors: unknown[] = [];
    const secrets: string[] = [];
    const { server, url, statuses } = await listen({
      secrets,
      async store(event) {
        if (errors.length === 0) throw new Error('the database is away');
        stored.push(event);
      },
      onError: (error) => void errors.push(error),
    });
    const { body: webhook } = await practice.call('addWebhook', {
      body: { url, event_types: ['referral.requested', 'referral.accepted'] },
    });
    secrets.push(webhook.secret);
    // The site's jobs go by the computer's clock, and it waits a while before it sends something again.
    const send = async () => {
      await practice.events.latestId();
      fixture.site.clock.moveOn(60_000);
      await callWebhook(fixture.site.deps, createSender(fixture.site.deps), webhook.id);
    };
    const { id } = await make();
    await send();
    expect([statuses, stored]).toEqual([[500], []]);
    await send();
    await accept(id);
    await send();
    expect(stored.map(({ type, resource }) => [type, resource.id])).toEqual([
      ['referral.requested', id],
      ['referral.accepted', id],
    ]);
    expect(statuses).toEqual([500, 204, 204]);
    expect(errors).toHaveLength(1);
    await practice.call('removeWebhook', { path: { id: webhook.id } });
    server.close();
  });

  it('refuses unsigned and oversized calls, and other requests', async () => {
    const stored: Event[] = [];
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const handle = receiver({ secrets: secret, store: (event) => void stored.push(event) });
    const send = (init: RequestInit) => handle(new Request('https://a.example/told', init));
    const body = JSON.stringify({ id: '1' });
    const headers = await signWebhook(body, { id: '1', secret });
    expect((await send({ method: 'POST', body, headers })).status).toBe(204);
    expect((await send({ method: 'POST', body: `${body} `, headers })).status).toBe(400);
    expect((await send({ method: 'POST', headers })).status).toBe(400);
    const large = ' '.repeat(1_000_000);
    const signed = await signWebhook(large, { id: '1', secret });
    expect((await send({ method: 'POST', body: large, headers: signed })).status).toBe(400);
    expect((await send({ headers })).status).toBe(405);
    expect(stored).toHaveLength(1);
  });
});
