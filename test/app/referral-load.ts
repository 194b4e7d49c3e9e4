import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { apiClient } from '../people/api-client.ts';

type Made = { key: string; body: object };

export type LoadOptions = {
  baseUrl: string;
  token: string;
  /** One of these is sent each time. */
  bodies: readonly object[];
  clients: number;
};

/** No client waits longer for an answer: a request that hangs is a failure like any other. */
const timeoutMs = 60_000;

/**
 * Client systems that make referrals without a pause, each with a key of its own. Requests are repeated with the same key
 * until they get 201, as the API's description says. Any answer that it does not allow is a failure.
 */
export function startLoad({ baseUrl, token, bodies, clients }: LoadOptions) {
  /** The id of the referral that was acknowledged for each key. */
  const acknowledged = new Map<string, string>();
  const failures: string[] = [];
  const seen = { unavailable: 0, disconnected: 0 };
  let going = true;

  async function once({ key, body }: Made): Promise<boolean> {
    const answer = await fetch(new URL('/api/referrals', baseUrl), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const reply = (await answer.json()) as { id: string; type: string };
    if (answer.status === 201) {
      const before = acknowledged.get(key);
      if (before !== undefined && before !== reply.id) failures.push(`${key} made two referrals`);
      acknowledged.set(key, reply.id);
      return true;
    }
    if (answer.status === 409 && reply.type.endsWith('/still-in-progress')) return false;
    const isExpected =
      answer.status === 503 &&
      answer.headers.get('content-type')?.startsWith('application/problem+json') &&
      Number(answer.headers.get('retry-after')) > 0;
    if (!isExpected) failures.push(`answered ${answer.status}: ${JSON.stringify(reply)}`);
    seen.unavailable += 1;
    return false;
  }

  async function client(): Promise<void> {
    while (going) {
      const body = bodies[Math.floor(Math.random() * bodies.length)]!;
      const made = { key: randomUUID(), body };
      while (!(await once(made).catch(noAnswer))) await delay(20);
    }
  }

  function noAnswer(error: Error): boolean {
    if (error.name === 'TimeoutError') failures.push('a request hung');
    seen.disconnected += 1;
    return false;
  }

  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    acknowledged,
    failures,
    seen,
    /** Resolves when every request that was begun has been acknowledged. */
    async stop(): Promise<void> {
      going = false;
      await all;
    },
  };
}

export async function everyReferral(baseUrl: string, token: string): Promise<any[]> {
  const items: any[] = [];
  let cursor = '';
  do {
    const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await apiClient(baseUrl, token).get(`/api/referrals?limit=200${next}`);
    items.push(...body.items);
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  return items;
}

/** How many deliveries have one of these statuses. */
export async function countDeliveries(baseUrl: string, token: string, statuses: string[]): Promise<number> {
  const referrals = await everyReferral(baseUrl, token);
  return referrals
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ status }: { status: string }) => statuses.includes(status)).length;
}
