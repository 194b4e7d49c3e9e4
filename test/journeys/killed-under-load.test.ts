import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, apiClient, copyKeys } from '../api-client.ts';
import { aReferral } from '../builders.ts';
import { pageVisitor } from '../page-visitor.ts';
import { type SiteProcess, startSiteProcess, until } from '../site-process.ts';

// The promise that matters most: what was acknowledged is there, once, and is delivered, once, whatever happens.

const kills = 3;
const connections = 4;

let site: SiteProcess;
let token: string;
beforeAll(async () => {
  site = await startSiteProcess();
  const person = pageVisitor(site.baseUrl);
  await person.signIn(site.logins.referrer);
  token = (await copyKeys(person)).access;
});
afterAll(() => site.remove());

test(`killed ${kills} times under load, every acknowledged referral is there once and delivered once to each leg`, async () => {
  const api = apiClient(site.baseUrl, token);
  const serviceId = (await api.get('/api/library/services?search=befriending')).body.contents[0].id;
  const acknowledged = new Map<string, string>();
  const unanswered: Request[] = [];
  for (let round = 0; round < kills; round += 1) {
    const goal = acknowledged.size + 5 + Math.floor(Math.random() * 15);
    const load = Array.from({ length: connections }, () =>
      sendUntilItDies(serviceId, acknowledged, unanswered),
    );
    await until(() => acknowledged.size >= goal, 20_000);
    await site.kill();
    await Promise.all(load);
    site = await site.again();
  }
  // A client that got no answer repeats its request with the same key: it finds its referral, or makes it now.
  for (const { key, body } of unanswered) {
    const { status, body: referral } = await post({ key, body });
    expect(status).toBe(201);
    acknowledged.set(key, referral.id);
  }
  expect(new Set(acknowledged.values()).size).toBe(acknowledged.size);
  await until(async () => (await undelivered()) === 0, 60_000);
  const stored = await everyReferral();
  expect(stored.map(({ id }) => id).sort()).toEqual([...acknowledged.values()].sort());
  for (const referral of stored) {
    const legs = referral.deliveries
      .map(({ leg, status }: Record<string, string>) => `${leg} ${status}`)
      .sort();
    expect(legs).toEqual(['gp_practice sent', 'service received']);
  }
  expect(await capturedMessages()).toBe(2 * stored.length);
});

type Request = { key: string; body: object };

async function sendUntilItDies(
  serviceId: string,
  acknowledged: Map<string, string>,
  unanswered: Request[],
): Promise<void> {
  for (;;) {
    const request = newRequest(serviceId);
    try {
      const { status, body } = await post(request);
      if (status !== 201) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
      acknowledged.set(request.key, body.id);
    } catch {
      unanswered.push(request);
      return;
    }
  }
}

function newRequest(serviceId: string): Request {
  const body = aReferral(serviceId, { gp_practice: { ods_code: 'Z99001' }, allow_duplicate: true });
  return { key: randomUUID(), body };
}

function post({ key, body }: Request): Promise<Answer> {
  return apiClient(site.baseUrl, token).post('/api/referrals', body, { 'idempotency-key': key });
}

async function everyReferral(): Promise<any[]> {
  const items: any[] = [];
  let cursor = '';
  do {
    const { body } = await apiClient(site.baseUrl, token).get(
      `/api/referrals?limit=200${cursor && `&cursor=${cursor}`}`,
    );
    items.push(...body.items);
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  return items;
}

async function undelivered(): Promise<number> {
  const waiting = ['queued', 'sending', 'uncertain'];
  const deliveries = (await everyReferral()).flatMap((referral) => referral.deliveries);
  return deliveries.filter(({ status }) => waiting.includes(status)).length;
}

async function capturedMessages(): Promise<number> {
  const person = pageVisitor(site.baseUrl);
  await person.signIn(site.logins.referrer);
  const seen = new Set<string>();
  let next: string | undefined = '/outbox';
  while (next) {
    const { page } = await person.visit(next);
    for (const link of page.querySelectorAll('main tbody a[href^="/outbox/"]'))
      seen.add(link.getAttribute('href')!);
    next = page.querySelector('a[href*="cursor="], a[rel="next"]')?.getAttribute('href');
  }
  return seen.size;
}
