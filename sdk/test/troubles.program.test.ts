import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aTestNhsNumber } from '../../test/app/builders.ts';
import { until } from '../../test/app/until.ts';
import { sampleKeys } from '../../test/people/api-client.ts';
import { readySite } from '../../test/process/ready-site.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { type Body, type CallReport, type Event, EventsGone, Onward, receiver } from '../src/index.ts';

// Everything that a test site can play on a client, on a real one, and what the client makes of it.

type Trouble = Body<'addTrouble'>;

let site: SiteProcess;
let keys: { access: string; refresh: string };
let serviceId: string;
let onward: Onward;
const logged: unknown[] = [];
const reports: CallReport[] = [];

beforeAll(async () => {
  site = await readySite();
  keys = await sampleKeys(site, 'referrer');
  onward = client();
  serviceId = (await onward.services.find({ search: 'Good Company befriending' })).contents[0]!.id;
});
afterEach(async () => {
  await client().call('clearTroubles');
  reports.length = 0;
});
afterAll(() => site.remove());

function client(timeoutMs = 30_000): Onward {
  const onCall = (report: CallReport) => {
    reports.push(report);
    logged.push(report);
  };
  return new Onward({ site: site.baseUrl, auth: { refreshToken: keys.refresh }, timeoutMs, onCall });
}

const play = (trouble: Trouble) => onward.call('addTrouble', { body: trouble });
/** What was asked and answered, such as `getTokenStatus 429`. */
const calls = (...operations: string[]) =>
  reports
    .filter(({ operationId }) => operations.includes(operationId))
    .map(({ operationId, status }) => `${operationId} ${status}`);

let people = 0;
function newReferral() {
  people += 1;
  const referral = aReferral(serviceId);
  return { ...referral, patient: { ...referral.patient, nhs_number: aTestNhsNumber(900 + people) } };
}
async function countOf(nhsNumber: string): Promise<number> {
  return (await Array.fromAsync(onward.referrals.findPerson({ nhs_number: nhsNumber }))).length;
}

/** A kind that the site learns to play, and that is not here, does not compile. */
const survivals: Record<Trouble['kind'], () => Promise<void>> = {
  async 'expire-token'() {
    await play({ kind: 'expire-token', operation_id: 'getTokenStatus' });
    await onward.whoAmI();
    expect(calls('getTokenStatus', 'refreshToken')).toEqual([
      'getTokenStatus 401',
      'refreshToken 200',
      'getTokenStatus 200',
    ]);
  },

  async 'end-tokens'() {
    await play({ kind: 'end-tokens', operation_id: 'createReferral' });
    const referral = newReferral();
    await onward.referrals.create(referral);
    expect(await countOf(referral.patient.nhs_number)).toBe(1);
    expect(calls('createReferral', 'refreshToken')).toEqual([
      'createReferral 401',
      'refreshToken 200',
      'createReferral 201',
    ]);
  },

  async 'too-many-requests'() {
    await play({ kind: 'too-many-requests', operation_id: 'createReferral', calls: 2, retry_after: 1 });
    const startedAt = performance.now();
    const referral = newReferral();
    await onward.referrals.create(referral);
    expect(performance.now() - startedAt).toBeGreaterThan(1990);
    expect(await countOf(referral.patient.nhs_number)).toBe(1);
    expect(calls('createReferral')).toEqual([
      'createReferral 429',
      'createReferral 429',
      'createReferral 201',
    ]);
  },

  async unavailable() {
    await play({ kind: 'unavailable', operation_id: 'createReferral', retry_after: 1 });
    await play({ kind: 'unavailable', operation_id: 'refreshToken', retry_after: 1 });
    const referral = newReferral();
    await client().referrals.create(referral);
    expect(await countOf(referral.patient.nhs_number)).toBe(1);
    expect(calls('createReferral')).toEqual(['createReferral 503', 'createReferral 201']);
    expect(calls('refreshToken').slice(0, 2)).toEqual(['refreshToken 503', 'refreshToken 200']);
  },

  async 'lose-answer'() {
    await play({ kind: 'lose-answer', operation_id: 'createReferral', calls: 2 });
    await play({ kind: 'lose-answer', operation_id: 'sendMessage' });
    const referral = newReferral();
    const { id } = await onward.referrals.create(referral);
    await onward.referrals.sendMessage(id, 'Would a morning suit her better?');
    expect(await countOf(referral.patient.nhs_number)).toBe(1);
    expect(await Array.fromAsync(onward.referrals.messages(id))).toHaveLength(1);
    expect(calls('createReferral')).toHaveLength(3);
    await play({ kind: 'lose-answer', operation_id: 'cancelReferral' });
    const status_reason = { code: 'client-declined' as const, text: 'She has changed her mind.' };
    const cancelled = await onward.referrals.update(id, (seen) =>
      seen.status === 'requested' ? onward.referrals.cancel(seen, { status_reason }) : undefined,
    );
    expect(cancelled.status).toBe('cancelled');
    expect(calls('cancelReferral')).toEqual(['cancelReferral undefined']);
  },

  async slow() {
    const impatient = client(2000);
    await impatient.whoAmI();
    reports.length = 0;
    await play({ kind: 'slow', operation_id: 'createReferral', retry_after: 4 });
    const referral = newReferral();
    await impatient.referrals.create(referral);
    expect(await countOf(referral.patient.nhs_number)).toBe(1);
    expect(calls('createReferral')[0]).toBe('createReferral undefined');
    expect(calls('createReferral').at(-1)).toBe('createReferral 201');
  },

  async 'event-gap'() {
    const after = await onward.events.latestId();
    await play({ kind: 'event-gap' });
    const following = onward.events.follow({ after });
    const error = await following.next().catch((reason) => reason);
    expect(error).toBeInstanceOf(EventsGone);
    logged.push(error);
    // As the guide says: read the referrals once more, then continue from there.
    const [next] = (await onward.events.list({ after: error.oldestId, limit: 1 })).items;
    const again = await onward.events.follow({ after: error.oldestId }).next();
    expect(again.value).toEqual(next);
  },

  async 'webhook-failing'() {
    const stored: Event[] = [];
    const secrets: string[] = [];
    const told = receiver({ secrets, store: (event) => void stored.push(event) });
    const server = createServer(async (incoming, outgoing) => {
      const body = Buffer.concat(await incoming.toArray());
      const headers = incoming.headers as Record<string, string>;
      const request = new Request('http://localhost/told', { method: 'POST', headers, body });
      outgoing.writeHead((await told(request)).status).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // Events are put in order within a second, and told to the webhooks of that moment. This one must hear of none made before it.
    const after = await onward.events.latestId();
    const earlier = await onward.referrals.create(newReferral());
    for await (const event of onward.events.follow({ after, everySeconds: 0.2 }))
      if (event.resource.id === earlier.id) break;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
    const { body } = await onward.call('addWebhook', { body: { url, event_types: ['referral.requested'] } });
    secrets.push(body.secret);
    try {
      const trouble = await play({ kind: 'webhook-failing' });
      const { id } = await onward.referrals.create(newReferral());
      const isPlayed = async () =>
        (await onward.call('getTrouble', { path: { id: trouble.body.id } })).body.played === 1;
      await until(isPlayed);
      expect(stored).toEqual([]);
      await onward.call('moveOwnTimeOn', { body: { by: 'hour' } });
      await until(() => stored.length > 0);
      expect(stored.map(({ resource }) => resource.id)).toEqual([id]);
    } finally {
      await onward.call('removeWebhook', { path: { id: body.id } });
      server.close();
    }
  },
};

describe('the client survives', () => {
  it.each(Object.entries(survivals))('%s', async (_, survive) => {
    await onward.whoAmI();
    reports.length = 0;
    await survive();
  });
});

describe('under all of them together', () => {
  it('no event is lost, and no referral is made twice', async () => {
    const after = await onward.events.latestId();
    for (const trouble of [
      { kind: 'lose-answer', operation_id: 'createReferral', calls: 3 },
      { kind: 'unavailable', operation_id: 'createReferral', calls: 2, retry_after: 1 },
      { kind: 'expire-token', operation_id: 'createReferral' },
      { kind: 'too-many-requests', operation_id: 'createReferral', retry_after: 1 },
      { kind: 'lose-answer', operation_id: 'listEvents', calls: 4 },
      { kind: 'end-tokens', operation_id: 'listEvents' },
      { kind: 'unavailable', operation_id: 'listEvents', calls: 2, retry_after: 1 },
      { kind: 'lose-answer', operation_id: 'refreshToken' },
    ] satisfies Trouble[])
      await play(trouble);

    const seen: string[] = [];
    const abort = new AbortController();
    const options = { after, types: ['referral.requested'], everySeconds: 0.1, signal: abort.signal };
    const following = (async () => {
      for await (const { resource } of onward.events.follow(options)) seen.push(resource.id);
    })();
    const made: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const referral = newReferral();
      // A call may give up after its three repetitions; its key is then what to go on with. All troubles can meet in two calls.
      const idempotencyKey = randomUUID();
      const create = () => onward.referrals.create(referral, { idempotencyKey });
      made.push((await create().catch(create).catch(create)).id);
      expect(await countOf(referral.patient.nhs_number)).toBe(1);
    }
    // What ends the following too early fails here, and not without a word.
    await Promise.race([until(() => seen.length >= made.length), following]);
    abort.abort();
    await following;
    expect(seen).toEqual(made);
  });

  it('no token is in a log, here or on the site', async () => {
    logged.push(onward);
    const here = logged.map(
      (each) => `${inspect(each, { depth: null, showHidden: true })} ${JSON.stringify(each)}`,
    );
    expect(here.length).toBeGreaterThan(50);
    const { stdout, stderr } = site.output();
    for (const text of [here.join(), stdout, stderr]) expect(text).not.toMatch(/on[ar]_[A-Za-z0-9]{6}_/);
  });
});
