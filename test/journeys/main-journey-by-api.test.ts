import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral } from '../app/builders.ts';
import { until } from '../app/until.ts';
import { type Answer, apiClient, sampleKeys } from '../people/api-client.ts';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';

// A developer's first hour: from a fresh site to a referral that is accepted, completed and told to the practice,
// with nothing but HTTP calls.

let site: SiteProcess;
let referrer: ReturnType<typeof apiClient>;
let provider: ReturnType<typeof apiClient>;
let keys: { access: string; refresh: string };
let made: Answer;

beforeAll(async () => {
  site = await readySite();
  keys = await sampleKeys(site, 'referrer');
  referrer = apiClient(site.baseUrl, keys.access);
  provider = apiClient(site.baseUrl, (await sampleKeys(site, 'provider')).access);
});
afterAll(() => site.remove());

describe('the main journey by API', () => {
  it('begins with an access token that says whose it is', async () => {
    const { status, body } = await referrer.get('/api/token/status');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: 'OK',
      account: {
        email: 'referrer@example.org',
        role: 'referrer',
        organisation: { name: 'Infirmary Lane Surgery' },
      },
      site: { mode: 'test', base_url: site.baseUrl },
      token: { source: 'apikeys' },
    });
    const minutes = (Date.parse(body.token.valid_to) - Date.parse(body.token.issued_at)) / 60_000;
    expect(minutes).toBe(180);
  });

  it('gets a new access token by the same refresh token', async () => {
    const { status, body } = await apiClient(site.baseUrl, 'not needed').post('/api/token/refresh', {
      refreshToken: keys.refresh,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'OK', refresh_token: keys.refresh });
    expect(body.access_token).not.toBe(keys.access);
    expect((await apiClient(site.baseUrl, body.access_token).get('/api/token/status')).status).toBe(200);
  });

  it('finds a befriending service in the library, and reads it', async () => {
    const found = await referrer.get('/api/library/services?search=befriending');
    expect(found.body.total_items).toBeGreaterThan(0);
    const service = found.body.contents.find(
      (each: { name: string }) => each.name === 'Good Company befriending',
    );
    const whole = await referrer.get(`/api/library/services/${service.id}`);
    expect(whole.body).toMatchObject({ id: service.id, organization: { name: 'The Weir House Trust' } });
  });

  it('makes a referral, and no second one by repeating the request', async () => {
    const service = await serviceCalled('Good Company befriending');
    const body = aReferral(service, { gp_practice: { ods_code: 'Z99002' } });
    made = await referrer.post('/api/referrals', body, { 'idempotency-key': 'first-try' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      status: 'requested',
      version: 1,
      simulated: true,
      service: { name: 'Good Company befriending' },
    });
    expect(made.headers.get('location')).toBe(`${site.baseUrl}/api/referrals/${made.body.id}`);
    expect(made.headers.get('etag')).toMatch(/^"1-/);

    const again = await referrer.post('/api/referrals', body, { 'idempotency-key': 'first-try' });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(made.body);
    const other = await referrer.post(
      '/api/referrals',
      { ...body, urgency: 'urgent' },
      { 'idempotency-key': 'first-try' },
    );
    expect(other.status).toBe(422);
    const duplicate = await referrer.post('/api/referrals', body);
    expect(duplicate.status).toBe(409);
    expect(duplicate.body).toMatchObject({ reference: made.body.reference });
  });

  it('delivers to both receivers within seconds', async () => {
    await until(async () => {
      const { body } = await referrer.get(`/api/referrals/${made.body.id}/deliveries`);
      return (
        body.items.length === 2 &&
        body.items.every((each: { status: string }) => ['sent', 'received'].includes(each.status))
      );
    });
    const { body } = await referrer.get(`/api/referrals/${made.body.id}/deliveries`);
    expect(body.items.map((each: { leg: string }) => each.leg).sort()).toEqual(['gp_practice', 'service']);
    expect(body.items[0].attempts.length).toBe(1);
  });

  it('lets the service accept and complete it, by its version', async () => {
    const path = `/api/referrals/${made.body.id}`;
    const received = await provider.get('/api/referrals?direction=received');
    expect(received.body.items.map((each: { id: string }) => each.id)).toContain(made.body.id);

    expect((await provider.post(`${path}/accept`)).status).toBe(428);
    expect((await referrer.post(`${path}/accept`, {}, { 'if-match': '"1"' })).status).toBe(403);
    const accepted = await provider.post(`${path}/accept`, undefined, { 'if-match': '"1"' });
    expect(accepted.body).toMatchObject({ status: 'accepted', version: 2 });
    expect((await provider.post(`${path}/accept`, {}, { 'if-match': '"1"' })).status).toBe(412);
    expect((await provider.post(`${path}/accept`, {}, { 'if-match': '"2"' })).status).toBe(409);

    const withoutOutcome = await provider.post(`${path}/complete`, {}, { 'if-match': '"2"' });
    expect(withoutOutcome.body.errors).toEqual([{ pointer: '/outcome', message: 'is required' }]);
    const outcome = { code: 'goals-met', text: 'She joined the choir and goes every week.' };
    const completed = await provider.post(`${path}/complete`, { outcome }, { 'if-match': '"2"' });
    expect(completed.body).toMatchObject({ status: 'completed', version: 3, outcome });
    const { body } = await referrer.get(`${path}/history`);
    expect(body.items.map((each: { to: string }) => each.to)).toEqual(['requested', 'accepted', 'completed']);
  });

  it('tells the practice the outcome, and counts the answer', async () => {
    const path = `/api/referrals/${made.body.id}/deliveries`;
    await until(async () => {
      const { body } = await referrer.get(path);
      return body.items.some(
        (each: { purpose: string; status: string }) => each.purpose === 'outcome' && each.status === 'sent',
      );
    });
    const { body } = await referrer.get(path);
    const states = body.items.map(
      ({ leg, purpose, status }: Record<string, string>) => `${leg} ${purpose} ${status}`,
    );
    expect(states.sort()).toEqual([
      'gp_practice outcome sent',
      'gp_practice referral sent',
      'service referral acknowledged',
    ]);
  });

  it('shows an operator that it happened, not about whom', async () => {
    const stranger = apiClient(site.baseUrl, (await sampleKeys(site, 'operator')).access);
    const asOperator = await stranger.get(`/api/referrals/${made.body.id}`);
    expect(asOperator.status).toBe(200);
    expect(JSON.stringify(asOperator.body)).not.toContain('Margaret');
    const missing = await referrer.get('/api/referrals/0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f');
    expect(missing.status).toBe(404);
  });

  it('logs the requests, and nothing of the person or a key', async () => {
    // The log is written in blocks, the last one half a second late.
    await until(() => site.output().stderr.includes('/api/referrals/:id/history'));
    const { stderr } = site.output();
    for (const secret of [
      'Margaret',
      '9990000018',
      'choir',
      keys.access,
      keys.refresh,
      site.logins.referrer.password,
      made.body.id,
    ]) {
      expect(stderr).not.toContain(secret);
    }
  });
});

async function serviceCalled(name: string): Promise<string> {
  const { body } = await referrer.get(`/api/library/services?search=${encodeURIComponent(name)}`);
  return body.contents.find((each: { name: string }) => each.name === name).id;
}
