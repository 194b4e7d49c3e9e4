import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../../test/app/manual-clock.ts';
import { type FakeMesh, startFakeMesh } from '../../../../test/fake-mesh/start-fake-mesh.ts';
import { testCertificate } from '../../../../test/network/mail-server.ts';
import { createMutualTlsClient, type MutualTls } from '../../../platform/outbound/index.ts';
import { authorization, createExchange } from './exchange.ts';
import { classify } from './failures.ts';

const clock = manualClock();
const workflows = ['LETTERS'];
const ours = { id: 'X26ABC1', password: 'password', name: 'A referral site', odsCode: 'X26', workflows };
const theirs = { ...ours, id: 'A81001GP', password: 'another', name: 'A practice', odsCode: 'A81001' };
const sharedKey = 'TestKey';
const envelope = { 'mex-to': theirs.id, 'mex-workflowid': 'LETTERS', 'mex-localid': 'local-1' };

let fake: FakeMesh;
beforeEach(async () => {
  const other = { ...theirs, id: 'B82002GP', odsCode: 'B82002', workflows: ['OTHERS'] };
  fake = await startFakeMesh({ mailboxes: [ours, theirs, other], sharedKey, now: clock.now });
});
afterEach(() => fake.close());

function exchangeOf(mailbox = ours, given: { timeoutMs?: number; maxRequestBytes?: number } = {}) {
  const { timeoutMs = 60_000, maxRequestBytes = 100_000_000 } = given;
  const call = createMutualTlsClient('live', { timeoutMs, maxBytes: 100_000_000 });
  const at = { url: fake.url, sharedKey, tls: undefined };
  return createExchange({ mailbox: { ...mailbox, ...at }, call, clock, maxRequestBytes });
}

const failureOf = (doing: Promise<unknown>) =>
  doing.then(
    () => 'nothing went wrong',
    (error) => classify(error)?.kind ?? error,
  );

describe('the client of the message exchange', () => {
  it('makes the token of the published example', () => {
    const mailbox = { id: 'X26ABC1', password: 'password', sharedKey };
    const at = new Date('2026-11-20T12:00:59Z');
    const nonce = '00000000-0000-4000-8000-000000000001';
    expect(authorization(mailbox, { nonce, count: 0, at })).toBe(
      'NHSMESH X26ABC1:00000000-0000-4000-8000-000000000001:0:202611201200:' +
        'c5b65b279c64af4656b48b048cd9b943456b2fb8f2f25b4cefe97c545b2bed60',
    );
  });

  it('opens a mailbox by password, key and time; tokens work once', async () => {
    await exchangeOf().handshake();
    await expect(exchangeOf({ ...ours, password: 'wrong' }).handshake()).rejects.toThrow('403');
    await expect(exchangeOf({ ...theirs, id: ours.id }).handshake()).rejects.toThrow('403');

    const token = authorization(
      { ...ours, sharedKey },
      { nonce: crypto.randomUUID(), count: 0, at: clock.now() },
    );
    const system = { 'mex-clientversion': 'x', 'mex-osname': 'x', 'mex-osversion': 'x' };
    const knock = async (given: Record<string, string>) => {
      const request = { method: 'POST', headers: { authorization: token, ...given } };
      return (await fetch(`${fake.url}/messageexchange/${ours.id}`, request)).status;
    };
    expect([await knock(system), await knock(system)]).toEqual([200, 403]);
    const tokenAt = (at: Date) =>
      authorization({ ...ours, sharedKey }, { nonce: crypto.randomUUID(), count: 7, at });
    const hours = (count: number) => new Date(clock.now().getTime() + count * 60 * 60_000);
    const outcomes = [];
    for (const count of [-2.2, -1.9, 1.9, 2.2])
      outcomes.push(await knock({ ...system, authorization: tokenAt(hours(count)) }));
    expect(outcomes).toEqual([403, 200, 200, 403]);
    expect(await knock({ authorization: tokenAt(hours(0)) })).toBe(400);
  });

  it('sends a letter packed, which is collected and acknowledged', async () => {
    const letter = Buffer.from('a letter with ż, and very long. '.repeat(1000));
    const id = await exchangeOf().send({ ...envelope, 'content-type': 'application/json' }, letter);
    const [sent] = fake.exchange.messages;
    expect(sent!.chunks[0]!.length).toBeLessThan(letter.length / 10);
    expect(gunzipSync(sent!.chunks[0]!)).toEqual(letter);
    expect(await exchangeOf().track({ id: 'local-1', externalId: null })).toMatchObject({
      id,
      status: 'accepted',
    });

    const receiver = exchangeOf(theirs);
    expect((await receiver.list()).ids).toEqual([id]);
    expect(await receiver.collect(id)).toMatchObject({ id, type: 'DATA', workflow: 'LETTERS', body: letter });
    await receiver.acknowledge(id);
    await receiver.acknowledge(id);
    expect((await receiver.list()).ids).toEqual([]);
    expect(await exchangeOf().track({ id: 'local-1', externalId: null })).toMatchObject({
      id,
      status: 'acknowledged',
    });
    expect(await exchangeOf().track({ id: 'local-2', externalId: id })).toMatchObject({
      status: 'acknowledged',
    });
    expect(await exchangeOf().track({ id: 'local-2', externalId: null })).toBeUndefined();
  });

  it('sends a large body in chunks, each packed by itself', async () => {
    const letter = randomBytes(5000);
    const id = await exchangeOf(ours, { maxRequestBytes: 2000 }).send(envelope, letter);
    const [sent] = fake.exchange.messages;
    expect(sent!.chunks.length).toBeGreaterThan(2);
    expect(Buffer.concat(sent!.chunks.map((chunk) => gunzipSync(chunk)))).toEqual(letter);
    expect((await exchangeOf(theirs).collect(id)).body).toEqual(letter);
    const late = fetch(`${fake.url}/messageexchange/${ours.id}/outbox/${id}/5`, {
      method: 'POST',
      headers: {
        authorization: authorization(
          { ...ours, sharedKey },
          { nonce: crypto.randomUUID(), count: 0, at: clock.now() },
        ),
        'mex-chunk-range': '5:5',
      },
      body: 'more',
    });
    expect((await late).status).toBe(423);
  });

  it('gives the reason when a message cannot be delivered', async () => {
    const refusal = (given: Record<string, string>) =>
      exchangeOf()
        .send({ ...envelope, ...given }, Buffer.from('x'))
        .catch((error) => error.code);
    expect(await refusal({ 'mex-to': 'NOBODY1' })).toBe('12');
    expect(await refusal({ 'mex-workflowid': 'OTHERS' })).toBe('16');
    expect(await refusal({ 'mex-to': 'B82002GP' })).toBe('17');
    expect(await refusal({ 'mex-localid': 'patient 9990000018' })).toBe('06');
    expect(await exchangeOf().findMailboxes('A81001', 'LETTERS')).toEqual(['A81001GP']);
    expect(await exchangeOf().findMailboxes('A81001', 'OTHERS')).toEqual([]);
  });

  it('tells from each failure whether to try again', async () => {
    const failures: Record<string, unknown> = {};
    for (const instead of [403, 408, 417, 429, 500, 503, 'cut-before', 'cut-off', 'slow'] as const) {
      fake.misbehave({ operation: 'send', do: instead });
      const timeoutMs = instead === 'slow' ? 500 : 60_000;
      failures[instead] = await failureOf(exchangeOf(ours, { timeoutMs }).send(envelope, Buffer.from('x')));
    }
    expect(failures).toEqual({
      403: 'held',
      408: 'retry',
      417: 'held',
      429: 'retry',
      500: 'retry',
      503: 'retry',
      'cut-before': 'uncertain',
      'cut-off': 'uncertain',
      slow: 'uncertain',
    });
    const gone = { ...ours, url: 'http://localhost:1', sharedKey, tls: undefined };
    const call = createMutualTlsClient('live', { timeoutMs: 60_000, maxBytes: 1000 });
    const nobody = createExchange({ mailbox: gone, call, clock, maxRequestBytes: 1000 });
    expect(await failureOf(nobody.send(envelope, Buffer.from('x')))).toBe('retry');
  });

  it('uses certificates on both sides', async () => {
    const { cert, key } = testCertificate;
    const tls = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: true };
    const guarded = await startFakeMesh({ mailboxes: [ours], sharedKey, now: clock.now, tls });
    const greet = (shown: MutualTls | undefined) => {
      const call = createMutualTlsClient('live', { tls: shown, timeoutMs: 60_000, maxBytes: 1000 });
      const mailbox = { ...ours, url: guarded.url, sharedKey, tls: shown };
      return failureOf(createExchange({ mailbox, call, clock, maxRequestBytes: 1000 }).handshake());
    };
    expect(await greet({ cert, key, ca: cert })).toBe('nothing went wrong');
    expect(await greet({ ca: cert })).not.toBe('nothing went wrong');
    // An exchange that is not who it should be is told nothing.
    expect(await greet({ cert, key })).toBe('retry');
    expect(guarded.seen).toEqual(['handshake 200']);
    await guarded.close();
  });

  it('calls only its own machine on a test site', async () => {
    const call = createMutualTlsClient('test', { timeoutMs: 60_000, maxBytes: 1000 });
    await expect(call('https://mesh-sync.spineservices.nhs.uk/')).rejects.toThrow('ADDRESS_NOT_ALLOWED');
  });
});
