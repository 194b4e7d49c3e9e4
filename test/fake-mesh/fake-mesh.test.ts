import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../app/manual-clock.ts';
import type { Registration } from './routing.ts';
import { type FakeMesh, startFakeMesh } from './start-fake-mesh.ts';

// Calls the exchange without the site's own code, as another implementation would.
const clock = manualClock();
const sharedKey = 'TestKey';
const workflows = ['GPCONNECT_SEND_DOCUMENT'];
const ours = { id: 'X26ABC1', password: 'password', name: 'A site', odsCode: 'X26', workflows };
const practice = { ...ours, id: 'A81001GP', name: 'A practice', odsCode: 'A81001' };
const person = {
  nhsNumber: '9990000018',
  birthDate: '19470309',
  surname: "O'BRIEN",
  practices: [practice.id],
};
const at = (nhsNumber: string, practices: string[]): Registration => ({ ...person, nhsNumber, practices });

let fake: FakeMesh;
beforeAll(async () => {
  const registrations = [person, at('9990000026', []), at('9990000034', [practice.id, ours.id])];
  fake = await startFakeMesh({ mailboxes: [ours, practice], registrations, sharedKey, now: clock.now });
});
afterAll(() => fake.close());

function call(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const timestamp = clock.now().toISOString().replaceAll(/\D/g, '').slice(0, 12);
  const nonce = randomUUID();
  const signed = `${ours.id}:${nonce}:0:${ours.password}:${timestamp}`;
  const hash = createHmac('sha256', sharedKey).update(signed).digest('hex');
  const authorization = `NHSMESH ${ours.id}:${nonce}:0:${timestamp}:${hash}`;
  const address = `${fake.url}/messageexchange/${ours.id}${path}`;
  return fetch(address, { method, headers: { authorization, ...headers }, ...(body && { body }) });
}

const second = { accept: 'application/vnd.mesh.v2+json' };
const letter = { 'mex-workflowid': workflows[0]!, 'mex-localid': randomUUID() };
const send = (to: string, headers = {}) =>
  call('POST', '/outbox', { ...letter, 'mex-to': to, ...headers }, 'x');

describe('the fake exchange', () => {
  it('reports a wrong patient address later, and never at once', async () => {
    const to = (number: string, rest = "19470309_O'Brien") => `GPPROVIDER_${number}_${rest}`;
    const reports: Record<string, string> = {};
    for (const address of [
      to('9990000018'),
      to('9990000018', "19470310_O'BRIEN"),
      to('9990000018', '19470309_OBRIEN'),
      to('9990000019'),
      to('9990000042'),
      to('9990000026'),
      to('9990000034'),
    ]) {
      const answer = await send(address, second);
      expect(answer.status).toBe(202);
      const { message_id: id } = (await answer.json()) as { message_id: string };
      const report = fake.exchange.messages.find(({ headers }) => headers['mex-linkedmsgid'] === id);
      reports[address] = report?.headers['mex-statuscode'] ?? `to ${fake.exchange.find(id)?.recipient?.id}`;
    }
    expect(reports).toEqual({
      "GPPROVIDER_9990000018_19470309_O'Brien": 'to A81001GP',
      "GPPROVIDER_9990000018_19470310_O'BRIEN": 'EPL-154',
      GPPROVIDER_9990000018_19470309_OBRIEN: 'EPL-154',
      "GPPROVIDER_9990000019_19470309_O'Brien": 'EPL-152',
      "GPPROVIDER_9990000042_19470309_O'Brien": 'EPL-153',
      "GPPROVIDER_9990000026_19470309_O'Brien": 'EPL-151',
      "GPPROVIDER_9990000034_19470309_O'Brien": 'EPL-150',
    });
    const [waiting] = ((await (await call('GET', '/inbox')).json()) as { messages: string[] }).messages;
    const report = await call('GET', `/inbox/${waiting}`);
    expect([report.headers.get('Mex-MessageType'), await report.text()]).toEqual(['REPORT', '']);
  });

  it('names the fields of its answers by the version asked for', async () => {
    expect(await (await send('NOBODY')).json()).toMatchObject({ errorCode: '12', errorEvent: 'SEND' });
    expect(await (await send('NOBODY', second)).json()).toMatchObject({
      detail: [{ code: '12', event: 'SEND' }],
    });
    const sent = (await (await send(practice.id)).json()) as { messageID: string };
    const track = async (headers: Record<string, string>) =>
      (await call('GET', `/outbox/tracking?messageID=${sent.messageID}`, headers)).json();
    expect(await track({})).toMatchObject({ messageId: sent.messageID, status: 'Accepted' });
    expect(await track(second)).toMatchObject({ message_id: sent.messageID, status: 'accepted' });
    expect((await call('GET', `/outbox/tracking/${letter['mex-localid']}`)).status).toBe(300);
    expect(await (await call('GET', '/count', second)).json()).toMatchObject({ count: expect.any(Number) });
  });

  it('refuses wrong headers, chunks and queries', async () => {
    const outcomes = [
      await send(''),
      await send(practice.id, { 'mex-from': practice.id }),
      await send(practice.id, { 'mex-subject': 'about 9990000018' }),
      await send(practice.id, { 'mex-localid': 'x'.repeat(301) }),
      await send(practice.id, { 'mex-chunk-range': '2:2' }),
      await send(practice.id, { 'mex-chunk-range': '1:0' }),
      await send(practice.id, { 'content-encoding': 'gzip' }),
      await send(practice.id, { 'content-encoding': 'br' }),
      await call('GET', '/inbox?max_results=5'),
      await call('GET', '/inbox/nothing'),
      await call('PATCH', '/inbox'),
      await call('POST', '', { 'mex-osname': 'x' }),
      await fetch(`${fake.url}/messageexchange/${practice.id}/inbox`),
    ];
    expect(outcomes.map(({ status }) => status)).toEqual([
      417, 417, 417, 400, 417, 417, 417, 417, 400, 404, 404, 400, 403,
    ]);
  });

  it('fails once when told to from outside', async () => {
    const control = (path: string, given: object) =>
      fetch(`${fake.url}/fake/${path}`, { method: 'POST', body: JSON.stringify(given) });
    expect((await control('misbehaviours', { operation: 'list', do: 503 })).status).toBe(204);
    expect((await control('misbehaviours', { operation: 'list', do: 'dance' })).status).toBe(400);
    expect([(await call('GET', '/inbox')).status, (await call('GET', '/inbox')).status]).toEqual([503, 200]);
    const { message_id } = (await (await send(practice.id, second)).json()) as { message_id: string };
    expect((await control('reports', { message_id, code: '14' })).status).toBe(204);
    const known = (await (await fetch(`${fake.url}/fake/messages`)).json()) as {
      id: string;
      fault?: string;
    }[];
    expect(known.find(({ id }) => id === message_id)).toMatchObject({ status: 'error', fault: '14' });
  });
});
