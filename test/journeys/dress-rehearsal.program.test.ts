import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral } from '../app/builders.ts';
import { backdateConnectionFailures } from '../app/stored.ts';
import { until } from '../app/until.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { anAcknowledgement } from '../delivery/gp-acknowledgement.ts';
import { scriptedMailServer } from '../network/scripted-mail-server.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { addJob } from '../rehearsal/add-job.ts';
import { channelPairs, practiceEmail, serviceEmail, weirHouse } from '../rehearsal/channel-pairs.ts';
import { confirmByMail } from '../rehearsal/confirm-by-mail.ts';
import { nhsNumber, rehearsalFixture } from '../rehearsal/fixture.ts';
import {
  acceptAndComplete,
  invited,
  type Person,
  patient,
  referByPage,
  signedIn,
} from '../rehearsal/people.ts';
import { setChannels, setUpByCommands } from '../rehearsal/set-up.ts';

// A live site's first day. Everything that it speaks to is real, and only the people are missing: https before it, a
// mail server and a service's own system with TLS, a message exchange that asks for certificates, a folder of letters,
// an inbox. Afterwards the exchange no longer takes its password, and the mail server nothing from its sender.

let fixture: Awaited<ReturnType<typeof rehearsalFixture>>;
let operator: Person;
let worker: Person;
let answerer: Person;
let secret: string;
let eventSecret: string;
/** The referrals that were made, by the way to their service. */
const made: Record<string, string> = {};

beforeAll(async () => {
  fixture = await rehearsalFixture();
});
afterAll(() => fixture.close());

/** “service referral received” of each delivery, by the way to the referral's service. */
async function standing(): Promise<Record<string, string[]>> {
  const all = Object.entries(made).map(async ([way, id]) => {
    const { items } = (await worker.api.get(`/api/referrals/${id}/deliveries`)).body;
    const one = ({ leg, purpose, channel, status }: Record<string, string>) =>
      `${leg} ${purpose} ${channel} ${status}`;
    return [way, items.map(one).sort()];
  });
  return Object.fromEntries(await Promise.all(all));
}

async function comesTo(expected: Record<string, string[]>): Promise<void> {
  const same = async () => JSON.stringify(await standing()) === JSON.stringify(expected);
  await until(same).catch(() => undefined);
  expect(await standing()).toEqual(expected);
}

describe('a dress rehearsal of a live site', () => {
  it('begins with an operator’s setup, and invitations', async () => {
    const olive = { email: 'olive@example.org', name: 'Olive', role: 'operator', organisation: 'Council' };
    await setUpByCommands(fixture, [olive]);
    operator = await signedIn(fixture, 'olive@example.org');
    worker = await invited(fixture, operator, {
      name: 'Asha Patel',
      email: 'asha@example.org',
      role: 'referrer',
      organisation: 'Infirmary Lane link workers',
    });
    answerer = await invited(fixture, operator, {
      name: 'Peter Weir',
      email: 'peter@example.org',
      role: 'provider',
      organisation: weirHouse.name,
    });
    secret = await setChannels(fixture, operator);
    const webhook = { url: fixture.system.url, event_types: ['referral.completed'] };
    eventSecret = (await worker.api.post('/api/webhooks', webhook)).body.secret;
  });

  it('is reached only by https, and says who is responsible', async () => {
    const home = await pageVisitor(fixture.url).visit('/');
    for (const words of [
      fixture.env.ONWARD_DATA_CONTROLLER!,
      `Report a safety concern: ${fixture.env.ONWARD_CLINICAL_SAFETY_CONTACT}`,
    ])
      expect(home.html).toContain(words);
    expect(home.html).not.toContain('/outbox');
    expect((await worker.visit('/outbox')).status).toBe(404);
    expect([...worker.cookies.keys()]).toEqual([expect.stringMatching(/^__Host-/)]);
  });

  it('refers by each channel, from pages and client systems', async () => {
    made.inbox = await referByPage(worker, 'inbox', channelPairs[0]!.practice);
    for (const { service, id, practice } of channelPairs.slice(1)) {
      const body = aReferral(id, { patient, gp_practice: { ods_code: practice } });
      const answer = await worker.api.post('/api/referrals', body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      made[service] = answer.body.id;
    }
    await comesTo({
      inbox: ['gp_practice referral document sent', 'service referral inbox received'],
      email: ['gp_practice referral email sent', 'service referral email sent'],
      webhook: ['gp_practice referral mesh sent', 'service referral webhook sent'],
      document: ['gp_practice referral mesh sent', 'service referral document sent'],
      mesh: ['gp_practice referral mesh sent', 'service referral mesh sent'],
      // Its system's name leads to the site's own machine, which a live site does not call: the next way is taken.
      inside: ['gp_practice referral document sent', 'service referral document sent'],
    });
    expect(fixture.system.received).toHaveLength(1);
    await follows('Waiting for Weir House to answer', [
      'Weir House, about the referral: delivered on',
      'Infirmary Lane Surgery, about the referral: letter sent on',
    ]);
  });

  it('lets each receiver confirm in the way of its channel', async () => {
    for (const email of [serviceEmail, practiceEmail]) await confirmByMail(fixture, email, 0);
    const { headers, body } = fixture.system.received[0]!;
    const { letter } = new Webhook(secret).verify(body, headers as never) as { letter: { href: string } };
    expect((await answerer.download(new URL(letter.href).pathname)).type).toContain('problem+json');
    expect((await answerer.api.get(new URL(letter.href).pathname)).headers.get('content-type')).toBe(
      'application/pdf',
    );
    const [toService, ...others] = inMailbox('service');
    expect([toService!.headers['mex-workflowid'], others]).toEqual(['ONWARD_REFERRAL', []]);
    await answerByExchange(3);
    await comesTo({
      inbox: ['gp_practice referral document sent', 'service referral inbox received'],
      email: ['gp_practice referral email acknowledged', 'service referral email acknowledged'],
      webhook: ['gp_practice referral mesh acknowledged', 'service referral webhook sent'],
      document: ['gp_practice referral mesh acknowledged', 'service referral document sent'],
      mesh: ['gp_practice referral mesh acknowledged', 'service referral mesh sent'],
      inside: ['gp_practice referral document sent', 'service referral document sent'],
    });
  });

  it('ends with completed referrals and letters to the practices', async () => {
    const address = `/referrals/${made.inbox}`;
    await answerer.submit(await answerer.visit(address), `${address}/accept`, {});
    await follows('Waiting for Weir House to contact the person', [
      'Weir House, about the referral: answered on',
    ]);
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She comes every Thursday.', gp_needed: 'no' };
    await answerer.submit(await answerer.visit(`${address}/complete`), `${address}/complete`, outcome);
    for (const { service } of channelPairs.slice(1)) await acceptAndComplete(answerer, made[service]!);
    await until(() => inMailbox('practice').length === 3);
    await confirmByMail(fixture, practiceEmail, 1);
    await answerByExchange(3);
    const [document, email, mesh] = ['document sent', 'email acknowledged', 'mesh acknowledged'].map(
      (end) => [`gp_practice outcome ${end}`, `gp_practice referral ${end}`],
    );
    await comesTo({
      inbox: [...document!, 'service referral inbox acknowledged'],
      email: [...email!, 'service referral email acknowledged'],
      webhook: [...mesh!, 'service referral webhook acknowledged'],
      document: [...mesh!, 'service referral document acknowledged'],
      mesh: [...mesh!, 'service referral mesh acknowledged'],
      inside: [...document!, 'service referral document acknowledged'],
    });
    await follows('Nothing more to do', [
      'Infirmary Lane Surgery, about how it ended: letter sent on',
      'She comes every Thursday.',
    ]);
    // Two for services, and two each for the two practices that want them: nothing was put there twice.
    const letters = await readdir(fixture.letters);
    expect(letters).toHaveLength(6);
    for (const name of letters)
      expect((await readFile(join(fixture.letters, name))).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await operator.visit('/operator/deliveries')).text).toContain('Every message has arrived');
    await until(() => fixture.system.received.length === 7);
    const told = fixture.system.received.slice(1).map(({ headers, body }) => {
      const event = new Webhook(eventSecret).verify(body, headers as never) as { type: string };
      return event.type;
    });
    expect(told).toEqual(Array(6).fill('referral.completed'));
  });

  it('uses the local workflow without GP Connect', async () => {
    await fixture.restartWith({ ONWARD_MESH_PRACTICE_PROFILE: 'local-workflow' });
    worker = await signedIn(fixture, 'asha@example.org');
    const body = aReferral(channelPairs[0]!.id, { patient, gp_practice: { ods_code: 'Z99003' } });
    const { id } = (await worker.api.post('/api/referrals', body)).body;
    await until(() => inMailbox('practice').length === 1);
    const [arrived] = inMailbox('practice');
    expect(arrived!.headers).toMatchObject({ 'mex-workflowid': 'ONWARD_REFERRAL', 'mex-to': 'Z99003GP' });
    expect(JSON.parse(gunzipSync(arrived!.chunks[0]!).toString()).referral.patient.nhs_number).toBe(
      nhsNumber,
    );
    const told = 'Spindle Hill Surgery, about the referral: sent by NHS message exchange';
    await until(async () => (await worker.visit(`/referrals/${id}`)).text.includes(told));
  });
});

describe('a site that the mail server and the exchange refuse', () => {
  let refusing: Awaited<ReturnType<typeof scriptedMailServer>>;
  let byEmail: string;
  let byExchange: string;
  let messagesBefore: number;
  beforeAll(async () => {
    refusing = await scriptedMailServer({ MAIL: '550 not this sender' });
  });
  afterAll(() => refusing.close());

  const legsOf = async (referral: string) => {
    const { items } = (await worker.api.get(`/api/referrals/${referral}/deliveries`)).body;
    return items.map(({ status, detail }: Record<string, string>) => ({ status, detail }));
  };

  it('holds its letters, and says why on the operator’s page', async () => {
    await fixture.restartWith({
      ONWARD_SMTP_URL: `smtp://127.0.0.1:${refusing.port}`,
      ONWARD_MESH_PASSWORD_FILE: await fixture.file('old.password', 'an old password'),
    });
    messagesBefore = fixture.exchange.exchange.messages.length;
    const refer = async (way: string) => {
      const { id, practice } = channelPairs.find(({ service }) => service === way)!;
      const answer = await worker.api.post(
        '/api/referrals',
        aReferral(id, { patient, gp_practice: { ods_code: practice } }),
      );
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body.id;
    };
    [byEmail, byExchange] = [await refer('email'), await refer('mesh')];
    const wait = async () => [...(await legsOf(byEmail)), ...(await legsOf(byExchange))];
    await until(async () => (await wait()).every(({ detail }) => detail !== null));
    // Which of them were tried, and which held without a try, is a matter of who came first.
    expect((await wait()).map(({ status }) => status)).toEqual(['queued', 'queued', 'queued', 'queued']);
    const page = await operator.visit('/operator');
    expect(page.text).toContain('The mail server does not accept this site');
    expect(page.text).toContain('The NHS message exchange does not accept this site');
    const held = await operator.visit('/operator/deliveries?kind=held');
    expect(held.text).toContain('Held');
    const one = held.page.querySelector('tbody a[href^="/operator/deliveries/"]')!.getAttribute('href')!;
    const { text } = await operator.visit(one);
    expect(text).toContain('It is sent automatically once this is put right.');
    expect(text).not.toContain('goes out once more');
  });

  it('sends them all by itself once it is accepted', async () => {
    await fixture.restartWith({
      ONWARD_SMTP_URL: fixture.env.ONWARD_SMTP_URL!,
      ONWARD_MESH_PASSWORD_FILE: fixture.env.ONWARD_MESH_PASSWORD_FILE!,
    });
    // Five minutes are over.
    await inDatabaseOf(fixture.site, ({ db }) => backdateConnectionFailures(db, 5));
    const sent = async () => [...(await legsOf(byEmail)), ...(await legsOf(byExchange))];
    await until(async () => {
      await addJob(fixture.site, 'release-held');
      return (await sent()).every(({ status }) => status === 'sent');
    });
    expect(fixture.exchange.exchange.messages).toHaveLength(messagesBefore + 2);
    expect((await operator.visit('/operator')).text).not.toContain('does not accept this site');
    expect((await operator.visit('/operator/deliveries')).text).toContain('Every message has arrived');
  });
});

/** What the page of the first referral tells its referrer: whose turn it is, and which deliveries arrived. */
async function follows(turn: string, told: string[]): Promise<void> {
  const { text } = await worker.visit(`/referrals/${made.inbox}`);
  for (const words of [turn, ...told]) expect(text).toContain(words);
}

const inMailbox = (whose: 'practice' | 'service') =>
  fixture.exchange.exchange.inboxOf(fixture.mailboxes[whose]);

/** The practice's system takes this many letters, and confirms each twice: automatically, then by its staff. */
async function answerByExchange(letters: number): Promise<void> {
  const { exchange } = fixture.exchange;
  const arrived = inMailbox('practice');
  expect(arrived).toHaveLength(letters);
  const headers = { 'mex-to': 'X26ABC1', 'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT_ACK' };
  for (const message of arrived) {
    message.status = 'acknowledged';
    for (const code of ['20013', '30001'])
      exchange.send(
        fixture.mailboxes.practice,
        headers,
        anAcknowledgement(message.headers['mex-localid']!, code),
      );
  }
  await addJob(fixture.site, 'poll-channels');
}
