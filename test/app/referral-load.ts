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

/** No client waits longer for an answer: a request that hangs is a fault like any other. */
const timeoutMs = 60_000;

/**
 * Client systems that make referrals without a pause, each with a key of its own. What is not answered with 201 is asked for
 * again with the same key until it is, as the API's description says; what else is answered is a fault.
 */
export function startLoad({ baseUrl, token, bodies, clients }: LoadOptions) {
  /** The id of the referral that was acknowledged for each key. */
  const acknowledged = new Map<string, string>();
  const faults: string[] = [];
  const seen = { unavailable: 0, cut: 0 };
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
    const said = (await answer.json()) as { id: string; type: string };
    if (answer.status === 201) {
      const before = acknowledged.get(key);
      if (before !== undefined && before !== said.id) faults.push(`${key} made two referrals`);
      acknowledged.set(key, said.id);
      return true;
    }
    if (answer.status === 409 && said.type.endsWith('/still-in-progress')) return false;
    const asItShould =
      answer.status === 503 &&
      answer.headers.get('content-type')?.startsWith('application/problem+json') &&
      Number(answer.headers.get('retry-after')) > 0;
    if (!asItShould) faults.push(`answered ${answer.status}: ${JSON.stringify(said)}`);
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
    if (error.name === 'TimeoutError') faults.push('a request hung');
    seen.cut += 1;
    return false;
  }

  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    acknowledged,
    faults,
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
