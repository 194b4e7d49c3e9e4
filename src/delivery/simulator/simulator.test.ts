import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAccount, aPractice, aReferral, aService, aTokenHolder } from '../../../test/builders.ts';
import { liveEnv } from '../../../test/live-env.ts';
import { makeApp, type TestApp } from '../../../test/make-app.ts';
import { signedInBrowser } from '../../../test/signed-in-browser.ts';
import { deliver } from '../deliver.ts';
import { simulate } from './simulate.ts';
import { stories, storyOf } from './stories.ts';

// A developer of a client system drives whole loops alone: every call here is one of the API.

let site: TestApp;
let referrer: Awaited<ReturnType<typeof aTokenHolder>>;
let serviceId: string;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_REMIND_AFTER_DAYS: '3', ONWARD_REJECT_AFTER_DAYS: '10' } });
  await aPractice(site.deps);
  await anAccount(site.deps, { role: 'operator' });
  const place = await aService(site.deps);
  serviceId = place.serviceId;
  referrer = await aTokenHolder(site.deps, {
    organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
  });
  await anAccount(site.deps, {
    role: 'provider',
    organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
  });
});
afterAll(() => site.close());

async function call(method: 'GET' | 'POST', url: string, payload?: object) {
  const answer = await site.app.inject({
    method,
    url,
    headers: referrer.headers,
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** Works off what is queued for a referral, as the worker does within a second. */
async function workOff(id: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const { rows } = await site.database.pool.query(
      `select id from deliveries where referral_id = $1 and status in ('queued', 'sending')`,
      [id],
    );
    for (const { id: delivery_id } of rows) await deliver(site.deps, { delivery_id });
    await simulate(site.deps, { referral_id: id });
  }
}

async function refer(
  names: { family_name: string; given_name?: string },
  service = serviceId,
): Promise<string> {
  const { patient, ...rest } = aReferral(service);
  const body = {
    ...rest,
    patient: { ...patient, ...names },
    gp_practice: { ods_code: 'Z99001' },
    allow_duplicate: true,
  };
  const made = await call('POST', '/api/referrals', body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await workOff(made.body.id);
  return made.body.id;
}

async function moveOn(id: string, by: string) {
  const answer = await call('POST', `/api/simulator/${id}/move-on`, { by });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await workOff(id);
  return answer.body;
}

const read = async (id: string) => (await call('GET', `/api/referrals/${id}`)).body;
const history = async (id: string): Promise<string[]> =>
  (await call('GET', `/api/referrals/${id}/history`)).body.items.map(
    (line: any) => line.to ?? line.to_status,
  );
const deliveries = async (id: string): Promise<any[]> =>
  (await call('GET', `/api/referrals/${id}/deliveries`)).body.items;
const told = async (id: string) =>
  (await deliveries(id)).map(({ leg, purpose, status }) => `${leg} ${purpose}: ${status}`);

async function worklist(id: string): Promise<string[]> {
  const { rows } = await site.database.pool.query(
    `select w.kind || case when w.escalated then ', escalated' else '' end || case when w.closed_at is null then '' else ', closed' end as row
     from worklist w join deliveries d on d.id = w.delivery_id where d.referral_id = $1 order by d.leg desc, d.id`,
    [id],
  );
  return rows.map(({ row }) => row);
}

test('the whole loop at once: accepted, started, completed, and both letters confirmed', async () => {
  const id = await refer({ family_name: 'Completed' });
  expect(await history(id)).toEqual(['requested', 'accepted', 'in-progress', 'completed']);
  expect(await read(id)).toMatchObject({
    status: 'completed',
    simulated: true,
    outcome: { code: 'goals-met' },
  });
  expect(await told(id)).toEqual([
    'service referral: acknowledged',
    'gp_practice referral: acknowledged',
    'gp_practice outcome: acknowledged',
  ]);
  expect((await deliveries(id)).every(({ simulated }) => simulated)).toBe(true);
  const events = (await call('GET', '/api/events?limit=500')).body.items.filter((event: any) =>
    event.resource.href.includes(id),
  );
  const types = events.map((event: any) => event.type);
  for (const type of ['requested', 'accepted', 'in-progress', 'completed'])
    expect(types).toContain(`referral.${type}`);
  expect(types.filter((type: string) => type === 'delivery.acknowledged')).toHaveLength(3);
  const { rows } = await site.database.pool.query(
    `select actor_name as name from audit_entries where subject_id = $1 and action = 'referral.completed'`,
    [id],
  );
  expect(rows).toEqual([{ name: 'Simulator' }]);
});

describe('the service', () => {
  const rejections = stories.filter(({ name }) => name.startsWith('Rejected-'));
  test('rejects with each reason', async () => {
    expect(rejections).toHaveLength(7);
    for (const { name } of rejections) {
      const referral = await read(await refer({ family_name: name.toLowerCase().replaceAll('-', ' ') }));
      expect(`Rejected-${referral.status_reason.code}`.toLowerCase(), name).toBe(name.toLowerCase());
      expect(referral.status).toBe('rejected');
    }
  });

  test.each([
    ['Accepted', 'accepted'],
    ['On-Hold', 'on-hold'],
    ['Failed', 'failed'],
  ])('%s ends as %s', async (family_name, status) => {
    expect((await read(await refer({ family_name }))).status).toBe(status);
  });

  test('may be named for the story of everybody who is referred to it', async () => {
    const { serviceId: eager } = await aService(site.deps, { serviceName: 'Tuesday walks (Accepted)' });
    expect((await read(await refer({ family_name: 'Example' }, eager))).status).toBe('accepted');
  });
});

describe('the messages', () => {
  test('are confirmed, twice where the story says so, and the second time changes nothing', async () => {
    const id = await refer({ family_name: 'Duplicate-Ack' });
    expect((await told(id))[1]).toBe('gp_practice referral: acknowledged');
    const { items } = (await call('GET', '/api/simulator')).body;
    expect(items.find((each: any) => each.referral_id === id)).toMatchObject({
      story: 'Duplicate-Ack',
      done: [{ undone_because: null }, { undone_because: 'The message was acknowledged already.' }],
    });
  });

  test('bounce, have failed, and are on the worklist', async () => {
    const id = await refer({ family_name: 'Bounced' });
    expect(await told(id)).toEqual(['service referral: failed', 'gp_practice referral: failed']);
    expect(await worklist(id)).toEqual(['failed', 'failed']);
    const operator = await signedInBrowser(site, { role: 'operator' });
    const copy = "select id from deliveries where referral_id = $1 and leg = 'gp_practice'";
    const { rows } = await site.database.pool.query(copy, [id]);
    const path = `/operator/deliveries/${rows[0].id}`;
    // Once more the same way is once more refused, and no more than once.
    await operator.send(`${path}/retry`, {});
    await workOff(id);
    const { page, text } = await operator.open(path);
    expect(text).toContain('The last try was refused for good');
    const headings = page.querySelectorAll('main h2').map((each) => each.text);
    expect(headings.slice(0, 3)).toEqual(['What was tried', 'Send another way', 'Try again']);
    expect(page.querySelectorAll('main ol li')).toHaveLength(2);
    expect(page.querySelectorAll('#channel option').map((each) => each.getAttribute('value'))).toEqual([
      'email',
      'mesh',
      'document',
    ]);
    expect((await operator.send(`${path}/another-way`, { channel: 'inbox' })).status).toBe(422);
    await operator.send(`${path}/another-way`, { channel: 'document' });
    await workOff(id);
    expect(await told(id)).toEqual(['service referral: failed', 'gp_practice referral: sent']);
  });

  test('come to the wrong practice', async () => {
    const id = await refer({ family_name: 'Wrong-Practice' });
    const practice = (await deliveries(id))[1];
    expect(practice).toMatchObject({ leg: 'gp_practice', status: 'failed' });
    expect(practice.detail).toContain('is not its patient');
    expect(await worklist(id)).toEqual(['failed']);
  });

  test('are uncertain after a time-out, until they turn out to have arrived', async () => {
    const id = await refer({ family_name: 'Time-Out' });
    expect(await told(id)).toEqual(['service referral: uncertain', 'gp_practice referral: uncertain']);
    expect(await worklist(id)).toEqual(['uncertain', 'uncertain']);
    await moveOn(id, 'next');
    expect(await told(id)).toEqual(['service referral: received', 'gp_practice referral: received']);
    expect(await worklist(id)).toEqual(['uncertain, closed', 'uncertain, closed']);
  });
});

describe('the clock', () => {
  test('nothing happens before it is due, and then in its order', async () => {
    const id = await refer({ family_name: 'Completed', given_name: 'Later' });
    expect((await read(id)).status).toBe('requested');
    expect((await moveOn(id, 'next')).done).toMatchObject([{ what: 'The GP practice confirms the letter' }]);
    expect((await moveOn(id, 'hour')).status).toBe('accepted');
    const later = await moveOn(id, 'day');
    expect(later).toMatchObject({ status: 'in-progress', moved_on_seconds: 26 * 3600 });
    expect((await moveOn(id, 'next')).status).toBe('completed');
    expect((await told(id))[2]).toBe('gp_practice outcome: sent');
    await moveOn(id, 'hour');
    expect((await told(id))[2]).toBe('gp_practice outcome: acknowledged');
  });

  test('what follows from a step has the rest of the same day', async () => {
    const id = await refer({ family_name: 'Completed', given_name: 'Later' });
    // Completed after 168 hours; the practice confirms an hour later.
    for (const by of ['hour', 'hour']) await moveOn(id, by);
    for (let day = 0; day < 7; day += 1) await moveOn(id, 'day');
    expect((await told(id))[2]).toBe('gp_practice outcome: acknowledged');
  });

  test('what has happened keeps its time; only what is to come is nearer', async () => {
    const id = await refer({ family_name: 'Slow-Answer' });
    const before = await read(id);
    for (let day = 0; day < 2; day += 1) await moveOn(id, 'day');
    const after = await read(id);
    expect([after.created_at, after.updated_at]).toEqual([before.created_at, before.updated_at]);
  });

  test('shows the warnings, the reminder and the automatic rejection of what nobody answers', async () => {
    const id = await refer({ family_name: 'Never-Answered' });
    const other = await refer({ family_name: 'Example' });
    const seen: unknown[] = [];
    for (const step of ['the warning', 'the reminder', 'the escalation', 'the rejection']) {
      const { status } = await moveOn(id, 'next');
      seen.push([step, status, ...(await worklist(id))]);
    }
    expect(seen).toEqual([
      ['the warning', 'requested', 'unanswered'],
      ['the reminder', 'requested', 'unanswered'],
      ['the escalation', 'requested', 'unanswered, escalated'],
      ['the rejection', 'rejected', 'unanswered, escalated, closed'],
    ]);
    // Nobody at the service has said anything, so nothing is confirmed.
    expect(await told(id)).toContain('service referral: received');
    const { rows } = await site.database.pool.query('select id from referrals where reminded_at is not null');
    expect(rows).toEqual([{ id }]);
    expect((await read(other)).status).toBe('requested');
  });

  test('a person may be faster than the story', async () => {
    const id = await refer({ family_name: 'Accepted', given_name: 'Later' });
    const cancelled = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/cancel`,
      headers: { ...referrer.headers, 'if-match': '"1"' },
      payload: { status_reason: { code: 'other', text: 'She moved away.' } },
    });
    expect(cancelled.statusCode).toBe(200);
    const { status, done, next } = await moveOn(id, 'day');
    expect(next).toEqual([]);
    expect([status, done[0].undone_because]).toEqual(['cancelled', expect.stringMatching(/cancelled/)]);
    expect(await told(id)).toContain('service outcome: received');
  });
});

test('the document for developers has every story', async () => {
  const root = join(import.meta.dirname, '..', '..', '..');
  const text = await readFile(join(root, 'docs', 'connecting-a-system.md'), 'utf8');
  for (const { name } of stories) expect(text).toContain(`\`${name}\``);
});

describe('who may', () => {
  test('others neither see nor move it', async () => {
    const id = await refer({ family_name: 'Accepted', given_name: 'Later' });
    const { headers } = await aTokenHolder(site.deps);
    const list = await site.app.inject({ url: '/api/simulator', headers });
    expect(list.json()).toEqual({ items: [], next_cursor: null });
    for (const each of [id, 'nothing', serviceId]) {
      const url = `/api/simulator/${each}/move-on`;
      const answer = await site.app.inject({ method: 'POST', url, headers, payload: { by: 'day' } });
      expect(answer.statusCode).toBe(404);
    }
    expect((await read(id)).status).toBe('requested');
  });

  test('a list goes on at its cursor', async () => {
    const first = (await call('GET', '/api/simulator?limit=1')).body;
    const second = (await call('GET', `/api/simulator?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second.items[0].referral_id < first.items[0].referral_id).toBe(true);
    expect((await call('GET', '/api/simulator?cursor=x')).status).toBe(400);
    expect(
      (await call('POST', `/api/simulator/${first.items[0].referral_id}/move-on`, { by: 'year' })).status,
    ).toBe(400);
  });

  test('nobody on a live site, whose people are no stories', async () => {
    const live = await makeApp({ env: liveEnv });
    const { headers } = await aTokenHolder(live.deps);
    for (const url of ['/api/simulator', '/outbox/simulator', `/api/simulator/${serviceId}/move-on`]) {
      expect((await live.app.inject({ url, headers })).statusCode, url).toBe(404);
    }
    expect(JSON.stringify(live.app.swagger())).not.toMatch(/simulator/i);
    await live.close();
    const content = { patient: { family_name: 'Accepted' } } as never;
    expect(
      storyOf({ simulated: false, content, service: { name: 'Walks (Accepted)' } as never }),
    ).toBeUndefined();
  });
});

test('on the page one sees what is next, and moves the time on', async () => {
  // So that this one is the newest.
  site.clock.moveOn(1000);
  const id = await refer({ family_name: 'Accepted', given_name: 'Later' });
  const browser = await signedInBrowser(site, { role: 'operator' });
  const page = await browser.open('/outbox/simulator');
  expect(page.text).toContain('The service accepts the referral, 21 November 2026 at 11:30am');
  for (const { name } of stories) expect(page.text).toContain(name);
  const moved = await browser.send(`/outbox/simulator/${id}`, { by: 'day' });
  expect(moved.location).toBe('/outbox/simulator?done=moved');
  const after = await browser.open(moved.location!);
  expect(after.text).toContain('Moved on by 1 day');
  expect((await read(id)).status).toBe('accepted');
  expect((await browser.send(`/outbox/simulator/${id}`, { by: 'year' })).status).toBe(404);
});
