import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder, type ServiceOfOrganisation } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { waitingForLocks } from '../../../test/database/locks.ts';
import { holdTaskLock, inTransaction, type Trx } from '../../platform/database/index.ts';
import { recordEvents } from '../../platform/events/index.ts';
import { deliveryStatuses, referralStatuses } from '../../referrals/index.ts';
import { eventTypes, testEvent, versionOf } from '../model/event.ts';
import { deleteOldEvents } from './delete-old-events.ts';
import { exampleOf } from './event-schemas.ts';

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;

let site: TestApp;
let place: ServiceOfOrganisation;
let referrer: Holder;
let provider: Holder;
let stranger: Holder;
let operator: Holder;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  referrer = await aTokenHolder(site.deps);
  stranger = await aTokenHolder(site.deps);
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };
  provider = await aTokenHolder(site.deps, { role: 'provider', organisation });
});
afterAll(() => site.close());

async function read(holder: Holder, query = '') {
  const answer = await site.app.inject({ url: `/api/events${query}`, headers: holder.headers });
  return { status: answer.statusCode, ...answer.json() };
}

async function act(holder: Holder, path: string, payload: object, version?: number) {
  const answer = await site.app.inject({
    method: 'POST',
    url: `/api/referrals${path}`,
    headers: { ...holder.headers, ...(version && { 'if-match': `"${version}"` }) },
    payload,
  });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}

/** Records an event that everybody may see. */
const serviceChanged = (trx: Trx, id: string) =>
  recordEvents(
    trx,
    [{ type: 'service.changed', resource: { type: 'service', id, path: `/api/library/services/${id}` } }],
    site.clock.now(),
  );

describe('events', () => {
  it('are read in order by both sides and operators alone', async () => {
    const [imported] = (await read(stranger)).items;
    expect([imported.type, imported.resource.id]).toEqual(['service.changed', place.serviceId]);
    const start = imported.id;
    const { id } = await act(referrer, '', aReferral(place.serviceId, { gp_practice: undefined }));
    const [first] = (await read(referrer, `?after=${start}`)).items;
    await act(provider, `/${id}/accept`, {}, 1);
    const types = ['referral.requested', 'referral.accepted', 'delivery.acknowledged'];
    for (const holder of [referrer, provider, operator]) {
      const { items, next_cursor } = await read(holder, `?after=${start}`);
      expect(items.map(({ type }: { type: string }) => type)).toEqual(types);
      expect(next_cursor).toBeNull();
    }
    expect(first).toEqual({
      id: expect.any(String),
      type: 'referral.requested',
      version: 1,
      created_at: site.clock.now().toISOString(),
      resource: {
        type: 'referral',
        id,
        referral_id: id,
        href: `http://localhost:8080/api/referrals/${id}`,
      },
    });
    expect((await read(provider, `?after=${first.id}`)).items).toHaveLength(2);
    expect((await read(stranger, `?after=${start}`)).items).toEqual([]);
  });

  it('are read by the side asked to act, and by operators', async () => {
    const start = (await read(operator, '?limit=500')).items.at(-1).id;
    const unsafe = aReferral(place.serviceId, {
      contact: { safe: 'no' },
      allow_duplicate: true,
    });
    const { id, prompts } = await act(referrer, '', unsafe);
    expect(prompts).toMatchObject([{ kind: 'risk-to-act-on', side: 'referrer' }]);
    const prompted = async (holder: Holder) =>
      (await read(holder, `?after=${start}&type=referral.prompted`)).items.map(
        ({ resource }: { resource: { id: string } }) => resource.id,
      );
    expect(await Promise.all([referrer, operator, provider, stranger].map(prompted))).toEqual([
      [id],
      [id],
      [],
      [],
    ]);
  });

  it('follow the order of commits, so that no reader misses one', async () => {
    const last = (await read(operator)).items.at(-1).id;
    const ids = (page: any) => page.items.map((event: { resource: { id: string } }) => event.resource.id);
    const slowIsWritten = Promise.withResolvers<void>();
    const slowMayEnd = Promise.withResolvers<void>();
    const slow = inTransaction(site.deps.db, async (trx) => {
      await serviceChanged(trx, 'slow');
      slowIsWritten.resolve();
      await slowMayEnd.promise;
    });
    await slowIsWritten.promise;
    await inTransaction(site.deps.db, (trx) => serviceChanged(trx, 'quick'));
    const before = await read(stranger, `?after=${last}`);
    expect(ids(before)).toEqual(['quick']);
    slowMayEnd.resolve();
    await slow;
    expect(ids(await read(stranger, `?after=${before.items[0].id}`))).toEqual(['slow']);
    expect(ids(await read(operator, `?after=${last}`))).toEqual(['quick', 'slow']);
  });

  it('get their positions from one transaction at a time', async () => {
    const last = (await read(operator, '?limit=500')).items.at(-1).id;
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const orderer = inTransaction(site.deps.db, async (trx) => {
      await holdTaskLock(trx, 'order-events');
      held.resolve();
      await release.promise;
    });
    await held.promise;
    await inTransaction(site.deps.db, (trx) => serviceChanged(trx, 'waits'));
    const reading = read(operator, `?after=${last}`);
    try {
      await expect.poll(() => waitingForLocks(site.deps.db)).toBe(1);
    } finally {
      release.resolve();
    }
    await orderer;
    expect((await reading).items).toHaveLength(1);
  });

  it('do not exist if their transaction was rolled back', async () => {
    const before = (await read(operator)).items.length;
    const failing = inTransaction(site.deps.db, async (trx) => {
      await serviceChanged(trx, 'undone');
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect((await read(operator)).items).toHaveLength(before);
  });

  it('come once and in one order, whatever the size of the pages', async () => {
    const start = (await read(operator)).items.at(-1).id;
    const walk = async () => {
      const seen: string[] = [];
      for (let cursor = start; seen.length < 40; ) {
        const page = await read(operator, `?cursor=${cursor}&limit=7`);
        seen.push(...page.items.map((event: { resource: { id: string } }) => event.resource.id));
        cursor = page.items.at(-1)?.id ?? cursor;
      }
      return seen;
    };
    const written = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const writing = Promise.all(
      written.map((id) => inTransaction(site.deps.db, (trx) => serviceChanged(trx, id))),
    );
    const [one, other] = await Promise.all([walk(), walk(), writing]);
    expect(one).toEqual(other);
    expect([...one].sort()).toEqual([...written].sort());
  });

  it('can be read by type, page after page', async () => {
    const start = (await read(referrer, '?limit=500')).items.at(-1).id;
    for (const number of [1, 2]) {
      const { id } = await act(
        referrer,
        '',
        aReferral(place.serviceId, { gp_practice: undefined, allow_duplicate: true }),
      );
      await act(provider, `/${id}/accept`, {}, 1);
      await inTransaction(site.deps.db, (trx) => serviceChanged(trx, `between-${number}`));
    }
    const typesOf = (page: any) => page.items.map(({ type }: { type: string }) => type);
    const each = ['referral.requested', 'referral.accepted'];
    for (const holder of [referrer, provider, operator]) {
      const both = `?after=${start}&type=referral.accepted,referral.requested`;
      expect(typesOf(await read(holder, both))).toEqual([...each, ...each]);
      const repeated = '&type=referral.accepted&type=referral.requested&limit=3';
      const first = await read(holder, `?after=${start}${repeated}`);
      expect(typesOf(first)).toEqual([...each, each[0]]);
      const rest = await read(holder, `?cursor=${first.next_cursor}${repeated}`);
      expect([typesOf(rest), rest.next_cursor]).toEqual([[each[1]], null]);
      const after = first.items[0].id;
      expect(typesOf(await read(holder, `?after=${after}&type=service.changed`))).toEqual([
        'service.changed',
        'service.changed',
      ]);
    }
    expect(typesOf(await read(stranger, `?after=${start}&type=referral.accepted`))).toEqual([]);
    expect(await read(operator, '?type=referral.of-a-later-version')).toMatchObject({
      status: 200,
      items: [],
    });
  });

  it('are not read with a wrong query', async () => {
    for (const [query, pointer] of [
      [`?after=${'f'.repeat(8)}-ffff-7fff-8fff-${'f'.repeat(12)}`, '/query/after'],
      ['?after=yesterday', '/query/after'],
      ['?limit=0', '/query/limit'],
      ['?since=x', '/query/since'],
      ['?type=referral_requested', '/query/type/0'],
    ]) {
      const { status, errors } = await read(operator, query);
      expect([status, errors[0].pointer], query).toEqual([400, pointer]);
    }
  });

  it('answer 410 after a deleted one, and name the oldest', async () => {
    const { items, latest_id } = await read(operator, '?limit=500');
    expect(latest_id).toBe(items.at(-1).id);
    const longGone = '018c0000-0000-7000-8000-000000000000';
    expect(await read(operator, `?after=${longGone}`)).toMatchObject({
      status: 410,
      type: expect.stringMatching(/events-gone$/),
      oldest_id: items[0].id,
    });
    // Each caller is told only of events that they may see.
    const own = await read(stranger, '?limit=500');
    expect((await read(stranger, `?after=${longGone}`)).oldest_id).toBe(own.items[0].id);
    expect(own.latest_id).toBe(own.items.at(-1).id);
    expect((await read(stranger, '?type=referral.accepted')).latest_id).toBe(own.latest_id);
  });

  it('have an example for each type that its schema accepts', async () => {
    const { webhooks, components } = (await site.app.inject('/api/openapi.json')).json();
    expect(Object.keys(webhooks)).toEqual(['event']);
    const [known] = components.schemas.EventType.anyOf;
    expect(known.enum).toEqual([...eventTypes, testEvent].map(({ type }) => type));
    const isEvent = formats
      .default(new Ajv2020({ strict: false }).addSchema({ components }, 'api'))
      .compile({ $ref: 'api#/components/schemas/Event' });
    const fields = 'created_at,id,resource,type,version';
    const hasNoDetail = (event: any) => Object.keys(event).sort().join() === fields;
    for (const kind of [...eventTypes, testEvent]) {
      const example = exampleOf(kind);
      expect(isEvent(example) && hasNoDetail(example), kind.type).toBe(true);
    }
    for (const event of (await read(operator, '?limit=500')).items as any[]) {
      expect(isEvent(event) && hasNoDetail(event), JSON.stringify(event)).toBe(true);
      expect(Object.keys(event.resource).sort()).toEqual(['href', 'id', 'referral_id', 'type']);
      expect(known.enum).toContain(event.type);
    }
    for (const status of referralStatuses)
      expect([status, status === 'draft' || versionOf(`referral.${status}`)]).toEqual([
        status,
        status === 'draft' || 1,
      ]);
    const silent = ['queued', 'sending', 'suppressed'];
    for (const status of deliveryStatuses)
      expect([status, versionOf(`delivery.${status}`)]).toEqual([
        status,
        silent.includes(status) ? undefined : 1,
      ]);
  });

  it('are logged and dropped if their type is unknown', async () => {
    const resource = { type: 'moon', id: randomUUID(), path: '/' };
    await inTransaction(site.deps.db, (trx) =>
      recordEvents(trx, [{ type: 'moon.full', resource }], site.clock.now()),
    );
    await inTransaction(site.deps.db, (trx) => serviceChanged(trx, 'after-the-moon'));
    expect((await read(stranger, '?limit=500')).items.at(-1).resource.id).toBe('after-the-moon');
    expect(site.logLines.join()).toContain('moon.full');
  });

  it('are deleted after thirty days, and new ones still follow', async () => {
    const last = (await read(operator, '?limit=500')).items.at(-1).id;
    site.clock.moveOn(31 * 24 * 3_600_000);
    await deleteOldEvents(site.deps.db, site.clock.now());
    const { headers } = await aTokenHolder(site.deps, { role: 'operator' });
    const newReader = { headers } as Holder;
    expect(await read(newReader)).toMatchObject({ items: [], latest_id: null });
    expect(await read(newReader, `?after=${last}`)).toMatchObject({ status: 410, oldest_id: null });
    await inTransaction(site.deps.db, (trx) => serviceChanged(trx, 'later'));
    expect((await read(newReader)).items).toHaveLength(1);
  });
});
