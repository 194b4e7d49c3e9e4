import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAccount, aReferral, aService, type LibraryPlace } from '../../test/builders.ts';
import { mailsTo } from '../../test/mailbox.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';
import { freePort } from '../../test/site-process.ts';
import { type Received, webhookReceiver } from '../../test/webhook-receiver.ts';
import { setApiAccess, setOrganisation, theSite } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { recordEvents } from '../platform/events/index.ts';
import { mintAccessToken } from '../tokens/index.ts';
import { callWebhookBy } from './call-webhook.ts';
import { callWebhook } from './index.ts';
import { placeEvents } from './place-events.ts';
import { createSender } from './send-message.ts';

type Holder = Awaited<ReturnType<typeof anAccount>>;

const minute = 60_000;
const hour = 60 * minute;

let site: TestApp;
let place: LibraryPlace;
let referrer: Holder;
let stranger: Holder;

let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
let received: Received[];
let url: string;

beforeAll(async () => {
  receiver = await webhookReceiver();
  ({ received, url } = receiver);
  site = await makeApp();
  place = await aService(site.deps);
  // That it is new is no part of these stories.
  await placeEvents(site.deps);
  referrer = await anAccount(site.deps);
  stranger = await anAccount(site.deps);
});
afterAll(async () => {
  await site.close();
  receiver.close();
});
beforeEach(async () => {
  received.length = 0;
  receiver.answer = receiver.works;
  await sql`delete from webhooks`.execute(site.deps.db);
});

async function call(holder: Holder, method: string, path: string, payload?: object) {
  // A new token each time: they work for three hours, and these stories last for days.
  const { text } = await mintAccessToken(site.deps, holder.id, 'apikeys');
  const headers = { authorization: `Bearer ${text}` };
  const done = await site.app.inject({
    method: method as 'GET',
    url: path,
    headers,
    ...(payload && { payload }),
  });
  return { status: done.statusCode, headers: done.headers, body: done.body === '' ? {} : done.json() };
}

async function aWebhook(given: object = {}, holder = referrer) {
  const made = await call(holder, 'POST', '/api/webhooks', { url, event_types: ['*'], ...given });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...made.body, path: `/api/webhooks/${made.body.id}` } as {
    id: string;
    secret: string;
    path: string;
  };
}

/** Something that everybody may see has happened, and has its place. */
async function happens(id = 'some-service'): Promise<void> {
  const resource = { type: 'service', id, path: `/api/library/services/${id}` };
  await inTransaction(site.deps.db, (trx) =>
    recordEvents(trx, [{ type: 'service.changed', resource }], site.clock.now()),
  );
  await placeEvents(site.deps);
}

const work = (webhook: { id: string }) => callWebhook(site.deps, { webhook_id: webhook.id });
const told = () => received.map(({ event }) => event.resource.id);
const stand = async (webhook: { path: string }) => (await call(referrer, 'GET', webhook.path)).body;
async function attempts(webhook: { path: string }) {
  const { items } = (await call(referrer, 'GET', `${webhook.path}/attempts`)).body;
  return items.map(({ outcome, status }: { outcome: string; status: number | null }) => [outcome, status]);
}

/** In how many seconds the webhook's job runs; undefined where there is none. */
async function nextJob({ id }: { id: string }): Promise<number | undefined> {
  const { rows } = await sql<{ pause: number }>`
    select extract(epoch from run_at - now())::float8 as pause from graphile_worker._private_jobs
    where payload->>'webhook_id' = ${id} and attempts < max_attempts`.execute(site.deps.db);
  expect(rows.length).toBeLessThan(2);
  return rows[0]?.pause;
}

describe('being told', () => {
  test('a referral’s events come signed by the standard, and another’s do not come at all', async () => {
    const webhook = await aWebhook({ event_types: ['referral.requested'] });
    const others = await aWebhook({}, stranger);
    const made = await call(referrer, 'POST', '/api/referrals', aReferral(place.serviceId));
    await placeEvents(site.deps);
    await work(webhook);
    await work(others);
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

  test('what waits is not sent to an account that moved away meanwhile, and that is no failure', async () => {
    const holder = await anAccount(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
    const webhook = await aWebhook({ event_types: ['referral.requested', 'service.changed'] }, holder);
    const allowed = { allow_duplicate: true };
    await call(holder, 'POST', '/api/referrals', aReferral(place.serviceId, allowed));
    await happens('everybody’s');
    const elsewhere = { name: 'Elsewhere Surgery' };
    await setOrganisation(site.deps, theSite, { id: holder.id }, elsewhere);
    await work(webhook);
    expect(told()).toEqual(['everybody’s']);
    const { items } = (await call(holder, 'GET', `${webhook.path}/attempts`)).body;
    expect(items.map(({ outcome, detail }: Record<string, string>) => `${outcome}: ${detail}`)).toEqual([
      'delivered: It answered 204.',
      'failed: Not sent: the account may not see this any more.',
    ]);
    expect((await call(holder, 'GET', webhook.path)).body).toMatchObject({
      enabled: true,
      failing_since: null,
    });
  });

  test('what happens keeps its order, and nothing is sent twice', async () => {
    const webhook = await aWebhook();
    for (const id of ['one', 'two', 'three']) await happens(id);
    await work(webhook);
    await work(webhook);
    expect(told()).toEqual(['one', 'two', 'three']);
  });

  test('a new secret signs at once, and the old one beside it for a day', async () => {
    const webhook = await aWebhook();
    const rotated = await call(referrer, 'POST', `${webhook.path}/rotate-secret`);
    await happens();
    await work(webhook);
    for (const secret of [webhook.secret, rotated.body.secret]) verify(secret, received[0]!);
    expect((await stand(webhook)).previous_secret_until).toBe(rotated.body.previous_secret_until);
    site.clock.moveOn(25 * hour);
    await happens();
    await work(webhook);
    verify(rotated.body.secret, received[1]!);
    expect(() => verify(webhook.secret, received[1]!)).toThrow('signature');
    expect((await stand(webhook)).previous_secret_until).toBeNull();
  });

  test('a test event comes at once and alone, also to a webhook that is off; it is not tried again', async () => {
    const webhook = await aWebhook({ event_types: ['referral.failed'] });
    await call(referrer, 'PATCH', webhook.path, { enabled: false });
    receiver.answer = (response) => void response.writeHead(500).end();
    const sent = await call(referrer, 'POST', `${webhook.path}/test`);
    expect([sent.status, sent.body.type, sent.body.resource.id]).toEqual([202, 'webhook.test', webhook.id]);
    await work(webhook);
    expect(received.map(({ event }) => event)).toEqual([sent.body]);
    expect(await attempts(webhook)).toEqual([['failed', 500]]);
    expect((await call(referrer, 'GET', '/api/events?limit=500')).body.items).not.toContainEqual(sent.body);
  });

  test('a killed process sends it once more, the very same', async () => {
    const webhook = await aWebhook();
    await happens();
    const send = createSender(site.deps);
    const killed = callWebhookBy(
      site.deps,
      async (message) => {
        await send(message);
        throw new Error('killed');
      },
      webhook.id,
    );
    await expect(killed).rejects.toThrow('killed');
    await work(webhook);
    expect(received).toHaveLength(2);
    expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id']);
    expect(received[1]!.body).toBe(received[0]!.body);
    expect(await attempts(webhook)).toEqual([['delivered', 204]]);
  });

  test('the receiver of the docs takes what is signed, once, and refuses the rest', async () => {
    const docs = await readFile('docs/connecting-a-system.md', 'utf8');
    const [code] = [...docs.matchAll(/```js\n(.*?)```/gs)]
      .map((match) => match[1]!)
      .filter((each) => each.includes('standardwebhooks'));
    const port = await freePort();
    const webhook = await aWebhook({ url: `http://127.0.0.1:${port}/` });
    const env = { ...process.env, PORT: String(port), SECRET: webhook.secret };
    const program = spawn(process.execPath, ['--input-type=module', '--eval', code!], { env });
    let said = '';
    program.stdout.on('data', (text) => {
      said += text;
    });
    try {
      const unsigned = () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(unsigned, { timeout: 5000, interval: 20 }).toBe(400);
      // The machine's own time, which the receiver looks at.
      site.clock.moveOn(Date.now() - site.clock.now().getTime());
      await happens('docs');
      await work(webhook);
      await sql`update webhook_messages set status = 'queued', due_at = queued_at`.execute(site.deps.db);
      await work(webhook);
      expect(await attempts(webhook)).toEqual([
        ['delivered', 204],
        ['delivered', 204],
      ]);
      await expect.poll(() => said).toBe('service.changed http://localhost:8080/api/library/services/docs\n');
    } finally {
      program.kill();
    }
  });

  test('an address outside this computer is not called by a test site; what it would get is kept', async () => {
    const webhook = await aWebhook({ url: 'https://client.example.org/told?key=1' });
    await happens();
    await work(webhook);
    expect(await attempts(webhook)).toEqual([['captured', null]]);
    expect((await stand(webhook)).failing_since).toBeNull();
  });

  test('whoever loses API access is told nothing more', async () => {
    const holder = await anAccount(site.deps);
    const webhook = await aWebhook({}, holder);
    await happens('before');
    await setApiAccess(site.deps, theSite, holder, false);
    await happens('after');
    await work(webhook);
    expect(received).toEqual([]);
  });
});

describe('when it does not work', () => {
  test.each([500, 503, 408, 425, 429])('%d: tried again after growing pauses', async (status) => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(status).end();
    await happens();
    const pauses: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      await work(webhook);
      await work(webhook);
      pauses.push((await nextJob(webhook))!);
      site.clock.moveOn(pauses.at(-1)! * 1000 + minute);
    }
    expect(received).toHaveLength(3);
    for (const [index, usual] of [5, 20, 80].entries()) {
      expect(pauses[index]).toBeGreaterThan(usual * 0.7);
      expect(pauses[index]).toBeLessThan(usual * 1.3);
    }
    expect(new Set(received.map(({ body, headers }) => body + headers['webhook-id'])).size).toBe(1);
    expect((await stand(webhook)).failing_since).not.toBeNull();
  });

  test('Retry-After is kept to', async () => {
    const webhook = await aWebhook();
    const inTwoHours = new Date(site.clock.now().getTime() + 2 * hour).toUTCString();
    for (const [wait, seconds] of [
      ['600', 600],
      [inTwoHours, 7200],
    ] as const) {
      receiver.answer = (response) => void response.writeHead(429, { 'retry-after': wait }).end();
      await happens();
      await call(referrer, 'PATCH', webhook.path, { enabled: true });
      await sql`update webhooks set resting_until = null`.execute(site.deps.db);
      await sql`update webhook_messages set due_at = ${site.clock.now()}`.execute(site.deps.db);
      await sql`delete from webhook_messages where attempts > 0`.execute(site.deps.db);
      await work(webhook);
      expect(await nextJob(webhook)).toBeCloseTo(seconds, -1);
    }
  });

  test('one that is down costs one call at a time, and gets all that waited once it is back', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.destroy();
    for (const id of ['one', 'two', 'three']) await happens(id);
    await work(webhook);
    await work(webhook);
    expect(told()).toEqual(['one']);
    receiver.answer = (response) => void response.writeHead(200).end('thank you');
    site.clock.moveOn(minute);
    await work(webhook);
    expect(told()).toEqual(['one', 'two', 'three', 'one']);
  });

  test.each([
    ['another address', [{ url: 'elsewhere' }]],
    ['switched on again', [{ enabled: false }, { enabled: true }]],
  ])('%s: what waited is sent at once, whatever the pauses had grown to', async (_, changes) => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.destroy();
    await happens('waits');
    for (let time = 0; time < 3; time += 1) {
      site.clock.moveOn(minute);
      await work(webhook);
    }
    expect((await nextJob(webhook))!).toBeGreaterThan(50);
    for (const { url: path, ...change } of changes as { url?: string }[])
      await call(referrer, 'PATCH', webhook.path, { ...change, ...(path && { url: `${url}/${path}` }) });
    expect(await nextJob(webhook)).toBeCloseTo(0, -1);
    expect((await stand(webhook)).failing_since).toBeNull();
    receiver.answer = receiver.works;
    await work(webhook);
    expect((await attempts(webhook))[0]).toEqual(['delivered', 204]);
  });

  test('those that take their time leave the worker to deliveries: a third one is put off until they are done', async () => {
    const slow = [await aWebhook(), await aWebhook()];
    const third = await aWebhook();
    const release = Promise.withResolvers<void>();
    receiver.answer = (response) => void release.promise.then(() => receiver.works(response, undefined));
    await happens();
    const calls = slow.map(work);
    try {
      await expect.poll(() => received.length, { interval: 10 }).toBe(2);
      await work(third);
      expect(received).toHaveLength(2);
    } finally {
      release.resolve();
    }
    await Promise.all(calls);
    await work(third);
    expect(await attempts(third)).toEqual([['delivered', 204]]);
  });

  test('one that is removed while it is called is no failure of the site', async () => {
    const webhook = await aWebhook();
    await happens();
    const removeIt = async () => {
      await call(referrer, 'DELETE', webhook.path);
      return { outcome: 'delivered', status: 200, detail: 'It answered 200.' } as const;
    };
    await expect(callWebhookBy(site.deps, removeIt, webhook.id)).resolves.toBeUndefined();
  });

  test('a failure that is written down waits for whoever changes the webhook, and not they for it', async () => {
    const webhook = await aWebhook();
    await happens();
    receiver.answer = (response) => void response.writeHead(500).end();
    const { db } = site.deps;
    let working: Promise<void> | undefined;
    const isWaited = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length;
    };
    // What having an event sent again does, in its order.
    await inTransaction(db, async (trx) => {
      await sql`select from webhooks where id = ${webhook.id} for no key update`.execute(trx);
      working = work(webhook);
      await expect.poll(isWaited, { interval: 10 }).toBe(1);
      await sql`update webhook_messages set attempts = 0 where webhook_id = ${webhook.id}`.execute(trx);
    });
    await working;
    expect(await attempts(webhook)).toEqual([['will-retry', 500]]);
  });

  test('one event that it cannot digest does not keep the others from it', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response, event) =>
      void response.writeHead(event.resource.id === 'bad' ? 500 : 200).end();
    await happens('bad');
    for (let time = 0; time < 6; time += 1) {
      await work(webhook);
      site.clock.moveOn(10_000);
    }
    await happens('good');
    await work(webhook);
    expect(told().at(-1)).toBe('good');
  });

  test.each([400, 401, 404, 302])('%d: that event is not sent again, the next one is', async (status) => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(status, { location: `${url}/elsewhere` }).end();
    await happens('one');
    await work(webhook);
    site.clock.moveOn(hour);
    await happens('two');
    await work(webhook);
    expect(told()).toEqual(['one', 'two']);
    expect(await attempts(webhook)).toEqual([
      ['failed', status],
      ['failed', status],
    ]);
  });

  test('410 switches it off at once; its holder gets an e-mail, and can switch it on again', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(410).end();
    await happens('one');
    await happens('waits');
    await work(webhook);
    expect(told()).toEqual(['one']);
    expect(await stand(webhook)).toMatchObject({ enabled: false, switched_off: { reason: 'gone' } });
    const [mail] = await mailsTo(site, referrer.email);
    expect(mail!.subject).toContain('Your webhook was switched off');
    expect(mail!.text).toContain(`/webhooks/${webhook.id}`);
    await happens('while it was off');
    receiver.answer = (response) => void response.writeHead(200).end();
    expect((await call(referrer, 'PATCH', webhook.path, { enabled: true })).body.enabled).toBe(true);
    expect(await nextJob(webhook)).toBeCloseTo(0, -1);
    await work(webhook);
    expect(told()).toEqual(['one', 'waits']);
  });

  test('after three days of nothing but failures it is switched off, and what waited so long is given up', async () => {
    const webhook = await aWebhook();
    receiver.answer = (response) => void response.writeHead(500).end();
    await happens('first');
    await work(webhook);
    site.clock.moveOn(71 * hour);
    await happens('second');
    await work(webhook);
    expect((await stand(webhook)).enabled).toBe(true);
    site.clock.moveOn(9 * hour);
    await work(webhook);
    expect(await stand(webhook)).toMatchObject({ enabled: false, switched_off: { reason: 'failing' } });
    const { items } = (await call(referrer, 'GET', `${webhook.path}/attempts`)).body;
    expect(items.map(({ detail }: { detail: string }) => detail)).toContain(
      'Given up: it could not be sent within three days.',
    );
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from audit_entries
      where action = 'webhook.switched_off' and subject_id = ${webhook.id} and details->>'reason' = 'failing'`.execute(
      site.deps.db,
    );
    expect(rows[0]!.count).toBe(1);
  });
});

describe('having it sent again', () => {
  test('all after an event, or a single one, under the same ids', async () => {
    const webhook = await aWebhook();
    for (const id of ['a', 'b', 'c']) await happens(id);
    await work(webhook);
    const [a, , c] = received.map(({ event }) => event.id);
    const replay = (body: object) => call(referrer, 'POST', `${webhook.path}/replay`, body);
    expect((await replay({ after: a })).body).toEqual({ queued: 2, next_after: null });
    await work(webhook);
    expect(told().slice(3)).toEqual(['b', 'c']);
    expect((await replay({ event_id: c })).body.queued).toBe(1);
    await work(webhook);
    expect(received.at(-1)!.event.id).toBe(c);
    for (const wrong of [{}, { after: a, event_id: c }, { event_id: webhook.id }, { after: webhook.id }])
      expect([wrong, (await replay(wrong)).status]).toEqual([wrong, 400]);
  });

  test('an event of somebody else’s cannot be had that way', async () => {
    await call(referrer, 'POST', '/api/referrals', aReferral(place.serviceId, { allow_duplicate: true }));
    const { items } = (await call(referrer, 'GET', '/api/events?limit=500')).body;
    const theirs = await aWebhook({}, stranger);
    const wanted = { event_id: items.at(-1).id };
    expect((await call(stranger, 'POST', `${theirs.path}/replay`, wanted)).status).toBe(400);
  });
});

describe('its settings', () => {
  test('are read without the secret, changed one by one, and gone when removed', async () => {
    const { secret, path, ...webhook } = await aWebhook({ description: 'ours' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await call(referrer, 'GET', path)).body).toEqual(webhook);
    expect((await call(referrer, 'GET', '/api/webhooks')).body.items).toEqual([webhook]);
    const changed = await call(referrer, 'PATCH', path, {
      event_types: ['message.created'],
      description: null,
    });
    expect(changed.body).toEqual({ ...webhook, event_types: ['message.created'], description: null });
    expect((await call(referrer, 'DELETE', path)).status).toBe(204);
    expect((await call(referrer, 'GET', path)).status).toBe(404);
    await happens();
    await work(webhook as never);
    expect(received).toEqual([]);
  });

  test('are nobody else’s business: the same 404 as for one that is not there', async () => {
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

  test('wrong ones are refused by name', async () => {
    for (const [given, status, pointer] of [
      [{ url: 'ftp://client.example.org' }, 422, '/url'],
      [{ url: 'http://client.example.org/told' }, 422, '/url'],
      [{ url: 'https://me:secret@client.example.org/' }, 422, '/url'],
      [{ url: 'https://client.example.org/#part' }, 422, '/url'],
      [{ url: 'not an address' }, 422, '/url'],
      [{ event_types: ['referral.lost'] }, 422, '/event_types'],
      [{ event_types: [] }, 400, '/event_types'],
      [{ retries: 3 }, 400, '/retries'],
    ] as const) {
      const refused = await call(referrer, 'POST', '/api/webhooks', { url, event_types: ['*'], ...given });
      expect([given, refused.status, refused.body.errors?.[0]?.pointer]).toEqual([given, status, pointer]);
    }
  });

  test('an account may have twenty, however many it adds at once', async () => {
    const holder = await anAccount(site.deps);
    const all = await Promise.all(
      Array.from({ length: 22 }, () => call(holder, 'POST', '/api/webhooks', { url, event_types: ['*'] })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(all.find(({ status }) => status === 409)!.body.type).toContain('too-many-webhooks');
  });
});

/** What a receiver does, with the package that the standard’s authors publish. It looks at the machine's own clock. */
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
