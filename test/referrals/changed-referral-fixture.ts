import { expect } from 'vitest';
import { deliver } from '../../src/delivery/send/deliver.ts';
import { aReferral } from '../app/builders.ts';
import { storedDeliveries } from '../delivery/stored.ts';
import { makeReferralFixture } from '../people/referral-fixture.ts';

/** Referrals with a GP practice, which people of both sides change, and the letters that follow. */
export async function changedReferralFixture() {
  const fixture = await makeReferralFixture();
  const { place, referrer, site, submit } = fixture;
  type Person = typeof referrer;

  async function made(given = {}): Promise<string> {
    const gp_practice = { ods_code: 'Z99001' };
    const answer = await submit({ ...aReferral(place.serviceId), gp_practice, ...given });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json().id;
  }

  async function call(
    who: Person,
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    payload?: object,
    version?: number,
  ) {
    const headers = { ...who.headers, ...(version && { 'if-match': `"${version}"` }) };
    const answer = await site.app.inject({
      method,
      url: `/api/referrals/${path}`,
      headers,
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, etag: answer.headers.etag, body: answer.json() };
  }
  const read = async (who: Person, path: string) => (await call(who, 'GET', path)).body;

  /** Sends what waits, as the worker does within a second. */
  async function deliverAll(id: string): Promise<void> {
    for (const { id: delivery_id, status } of await storedDeliveries(site.deps.db, id))
      if (status === 'queued') await deliver(site.deps, { delivery_id });
  }

  async function deliveriesOf(id: string): Promise<string[]> {
    const { items } = await read(referrer, `${id}/deliveries`);
    return items.map(
      (each: any) => `${each.leg} ${each.purpose} ${each.status}${each.superseded ? ' superseded' : ''}`,
    );
  }

  return { ...fixture, made, call, read, deliverAll, deliveriesOf };
}
