import { describe, expect, it } from 'vitest';
import { anAccount, aReferral } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { webhookFixture } from '../../../test/webhooks/fixture.ts';
import { deleteOldEvents } from '../events/delete-old-events.ts';

const hour = 3_600_000;

const {
  site,
  place,
  referrer,
  stranger,
  receiver,
  received,
  url,
  call,
  aWebhook,
  recordEvent,
  runJob,
  receivedIds,
} = await webhookFixture();

describe('a replay', () => {
  it('sends all events after one, or a single one, by the same ids', async () => {
    const webhook = await aWebhook();
    for (const id of ['a', 'b', 'c']) await recordEvent(id);
    await runJob(webhook);
    const [a, , c] = received.map(({ event }) => event.id);
    const replay = (body: object) => call(referrer, 'POST', `${webhook.path}/replay`, body);
    expect((await replay({ after: a })).body).toEqual({ queued: 2, next_after: null });
    await runJob(webhook);
    expect(receivedIds().slice(3)).toEqual(['b', 'c']);
    expect((await replay({ event_id: c })).body.queued).toBe(1);
    await runJob(webhook);
    expect(received.at(-1)!.event.id).toBe(c);
    for (const wrong of [{}, { after: a, event_id: c }, { missed: true, after: a }, { missed: false }])
      expect([wrong, (await replay(wrong)).body.code]).toEqual([wrong, 'bad-request']);
    for (const unknown of [{ event_id: webhook.id }, { after: webhook.id }])
      expect([unknown, (await replay(unknown)).body.code]).toEqual([unknown, 'unknown-event']);
    expect((await replay({})).body.errors).toEqual([
      { pointer: '', message: 'must have at least one field' },
    ]);
  });

  it('says that others are gone, after an event that was deleted', async () => {
    const webhook = await aWebhook();
    await recordEvent('long ago');
    const { latest_id: longAgo } = (await call(referrer, 'GET', '/api/events?limit=1')).body;
    site.clock.moveOn(31 * 24 * hour);
    await deleteOldEvents(site.deps.db, site.clock.now());
    await recordEvent('today');
    const replay = (body: object) => call(referrer, 'POST', `${webhook.path}/replay`, body);
    const { status, body } = await replay({ after: longAgo });
    expect([status, body.code, typeof body.oldest_id]).toEqual([410, 'events-gone', 'string']);
    expect((await replay({ event_id: longAgo })).body.code).toBe('unknown-event');
  });

  it('loses nothing that was missed, whatever order events came in', async () => {
    site.clock.moveOn(1000);
    const webhook = await aWebhook({ event_types: ['service.changed'] });
    receiver.answer = (response, event) =>
      void response.writeHead(event.resource.id === 'refused' ? 500 : 200).end();
    const takenIds = () => new Set(receivedIds().filter((id) => id !== 'refused'));
    for (const id of ['refused', 'taken']) await recordEvent(id);
    await runJob(webhook);
    site.clock.moveOn(71 * hour);
    await recordEvent('taken later');
    await runJob(webhook);
    site.clock.moveOn(8 * hour);
    await runJob(webhook);
    expect((await call(referrer, 'GET', `${webhook.path}/attempts?outcome=failed`)).body.items).toHaveLength(
      1,
    );
    await call(referrer, 'PATCH', webhook.path, { enabled: false });
    for (const id of ['while off', 'while off too']) await recordEvent(id);
    await call(referrer, 'PATCH', webhook.path, { enabled: true });
    await runJob(webhook);
    expect(takenIds()).toEqual(new Set(['taken', 'taken later']));

    receiver.answer = receiver.works;
    received.length = 0;
    let queued: number;
    const counts: number[] = [];
    do {
      queued = (await call(referrer, 'POST', `${webhook.path}/replay`, { missed: true })).body.queued;
      counts.push(queued);
    } while (queued > 0);
    expect(counts).toEqual([3, 0]);
    await runJob(webhook);
    expect(receivedIds()).toEqual(['refused', 'while off', 'while off too']);
    expect((await call(referrer, 'POST', `${webhook.path}/replay`, { missed: true })).body.queued).toBe(0);
  });

  it('sends nothing from before the webhook, nor of other types', async () => {
    await recordEvent('before');
    site.clock.moveOn(1000);
    const { path } = await aWebhook({ event_types: ['referral.requested'] });
    await recordEvent('of another type');
    expect((await call(referrer, 'POST', `${path}/replay`, { missed: true })).body.queued).toBe(0);
  });

  it('never sends an event that the caller may not see', async () => {
    await call(referrer, 'POST', '/api/referrals', aReferral(place.serviceId, { allow_duplicate: true }));
    const { items } = (await call(referrer, 'GET', '/api/events?limit=500')).body;
    const theirs = await aWebhook({}, stranger);
    const wanted = { event_id: items.at(-1).id };
    expect((await call(stranger, 'POST', `${theirs.path}/replay`, wanted)).status).toBe(400);
  });
});

describe('the settings of a webhook', () => {
  it('are read without the secret, changed, and removed', async () => {
    const { secret, path, ...webhook } = await aWebhook({ description: 'ours' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await call(referrer, 'GET', path)).body).toEqual(webhook);
    const second = (await call(referrer, 'POST', '/api/webhooks', { url })).body;
    expect(second.event_types).toEqual(['*']);
    const first = (await call(referrer, 'GET', '/api/webhooks?limit=1')).body;
    const next = (await call(referrer, 'GET', `/api/webhooks?cursor=${first.next_cursor}`)).body;
    const listed = [...first.items, ...next.items].map(({ id }: { id: string }) => id);
    expect([listed.sort(), next.next_cursor]).toEqual([[webhook.id, second.id].sort(), null]);
    await call(referrer, 'DELETE', `/api/webhooks/${second.id}`);
    const changed = await call(referrer, 'PATCH', path, {
      event_types: ['message.created'],
      description: null,
    });
    expect(changed.body).toEqual({ ...webhook, event_types: ['message.created'], description: null });
    expect((await call(referrer, 'DELETE', path)).status).toBe(204);
    expect((await call(referrer, 'GET', path)).status).toBe(404);
    await recordEvent();
    await runJob(webhook as never);
    expect(received).toEqual([]);
  });

  it('are audited as changed when switched on with a new address', async () => {
    const { id, path } = await aWebhook({});
    await call(referrer, 'PATCH', path, { enabled: false });
    await call(referrer, 'PATCH', path, { enabled: true, event_types: ['message.created'] });
    const entries = await storedEntries(site.deps.db, { subjectId: id });
    const actions = entries.map(({ action }) => action).filter((action) => action !== 'webhook.added');
    expect(actions.sort()).toEqual(['webhook.changed', 'webhook.switched_off', 'webhook.switched_on']);
  });

  it('are hidden from others, by the same 404 as a missing webhook', async () => {
    const { path } = await aWebhook();
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['GET', '/attempts'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['POST', '/replay', { after: '018c0000-0000-7000-8000-000000000000' }],
    ] as const) {
      const theirs = await call(stranger, method, `${path}${rest}`, body);
      const none = await call(stranger, method, `/api/webhooks/nothing${rest}`, body);
      expect([method, rest, theirs.status]).toEqual([method, rest, 404]);
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...none.body, request_id: '' });
    }
    expect((await call(stranger, 'GET', '/api/webhooks')).body.items).toEqual([]);
  });

  it('are refused with the name of each wrong field', async () => {
    for (const [given, status, pointer] of [
      [{ url: 'ftp://client.example.org' }, 422, '/url'],
      [{ url: 'http://client.example.org/told' }, 422, '/url'],
      [{ url: 'https://me:secret@client.example.org/' }, 422, '/url'],
      [{ url: 'https://client.example.org/#part' }, 422, '/url'],
      [{ url: 'not an address' }, 422, '/url'],
      [{ url: 'https://169.254.169.254/latest' }, 422, '/url'],
      [{ url: 'https://[fe80::1]/' }, 422, '/url'],
      [{ event_types: ['referral'] }, 422, '/event_types'],
      [{ event_types: [] }, 400, '/event_types'],
      [{ retries: 3 }, 400, '/retries'],
    ] as const) {
      const refused = await call(referrer, 'POST', '/api/webhooks', { url, event_types: ['*'], ...given });
      expect([given, refused.status, refused.body.errors?.[0]?.pointer]).toEqual([given, status, pointer]);
    }
  });

  it('may ask for a type of event that the site does not know yet', async () => {
    const later = ['referral.paused', 'referral.accepted'];
    const { status, body } = await call(referrer, 'POST', '/api/webhooks', { url, event_types: later });
    expect([status, body.event_types]).toEqual([201, later]);
    const changed = await call(referrer, 'PATCH', `/api/webhooks/${body.id}`, {
      event_types: ['message.read'],
    });
    expect([changed.status, changed.body.event_types]).toEqual([200, ['message.read']]);
  });

  it('allow twenty webhooks an account, also when added at once', async () => {
    const holder = await anAccount(site.deps);
    const all = await Promise.all(
      Array.from({ length: 22 }, () => call(holder, 'POST', '/api/webhooks', { url, event_types: ['*'] })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(all.find(({ status }) => status === 409)!.body.type).toContain('too-many-webhooks');
  });
});
