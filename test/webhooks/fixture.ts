import { afterAll, beforeEach, expect } from 'vitest';
import { inTransaction } from '../../src/platform/database/index.ts';
import { recordEvents } from '../../src/platform/events/index.ts';
import { storeNewAccessToken } from '../../src/tokens/index.ts';
import { orderEvents } from '../../src/webhooks/events/order-events.ts';
import { webhookJobHandler } from '../../src/webhooks/index.ts';
import { anAccount, aService } from '../app/builders.ts';
import { listJobs } from '../app/jobs.ts';
import { makeApp } from '../app/make-app.ts';
import { webhookReceiver } from '../network/webhook-receiver.ts';

type Holder = Awaited<ReturnType<typeof anAccount>>;

/**
 * For tests of webhooks: a test site, two accounts, and a client system that receives the calls. Each test begins without
 * webhooks, and with a receiver that works.
 */
export async function webhookFixture() {
  const receiver = await webhookReceiver();
  const { received, url } = receiver;
  const site = await makeApp();
  const place = await aService(site.deps);
  // So that no test receives the event of the new service.
  await orderEvents(site.deps);
  const referrer = await anAccount(site.deps);
  const stranger = await anAccount(site.deps);
  afterAll(async () => {
    await site.close();
    receiver.close();
  });
  beforeEach(async () => {
    received.length = 0;
    receiver.answer = receiver.works;
    await site.deps.db.deleteFrom('webhooks').execute();
  });

  async function call(holder: Holder, method: string, path: string, payload?: object) {
    // A new token each time: they work for 180 minutes, and these stories last for days.
    const { text } = await storeNewAccessToken(site.deps, holder.id, 'apikeys');
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

  /** Records and orders an event that everybody may see. */
  async function recordEvent(id = 'some-service'): Promise<void> {
    const resource = { type: 'service', id, path: `/api/library/services/${encodeURIComponent(id)}` };
    await inTransaction(site.deps.db, (trx) =>
      recordEvents(trx, [{ type: 'service.changed', resource }], site.clock.now()),
    );
    await orderEvents(site.deps);
  }

  const callWebhook = webhookJobHandler(site.deps);
  const runJob = (webhook: { id: string }) => callWebhook({ webhook_id: webhook.id });
  const receivedIds = () => received.map(({ event }) => event.resource.id);
  const readWebhook = async (webhook: { path: string }) => (await call(referrer, 'GET', webhook.path)).body;
  async function attempts(webhook: { path: string }) {
    const { items } = (await call(referrer, 'GET', `${webhook.path}/attempts`)).body;
    return items.map(({ outcome, status }: { outcome: string; status: number | null }) => [outcome, status]);
  }

  /** In how many seconds the webhook's job runs; undefined when there is none. */
  async function nextJob({ id }: { id: string }): Promise<number | undefined> {
    const jobs = (await listJobs(site.deps.pool, { about: id })).filter(({ isGivenUp }) => !isGivenUp);
    expect(jobs.length).toBeLessThan(2);
    return jobs[0]?.pause;
  }

  /** The details of the audit entries of an action on a webhook. */
  async function auditDetails(action: string, { id }: { id: string }) {
    const entries = await site.deps.db
      .selectFrom('audit_entries')
      .select('details')
      .where('action', '=', action)
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    return entries.map(({ details }) => details);
  }

  return {
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
    readWebhook,
    attempts,
    nextJob,
    auditDetails,
  };
}
