import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { withoutTable } from '../../../test/database/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { testsOfAnyChannel } from '../../../test/delivery/channel-suite.ts';
import { aMessage } from '../../../test/delivery/messages.ts';
import { deleteAddresses, setServiceAddress } from '../../../test/delivery/receivers.ts';
import { testPlatform } from '../../../test/delivery/test-site.ts';
import { type MailServer, startMailServer } from '../../../test/network/mail-server.ts';
import { webhookReceiver } from '../../../test/network/webhook-receiver.ts';
import type { Database } from '../../platform/database/index.ts';
import { newSigningSecret } from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Channel, OutgoingMessage } from './channel.ts';
import { createEmail } from './email.ts';
import { createWebhook } from './webhook.ts';

let database: Database;
let live: Platform;
const clock = manualClock();

beforeAll(async () => {
  database = await testDatabase();
  live = testPlatform('live', { db: database.db, clock, dataDir: '/nowhere' });
});
afterAll(() => database.close());

/** How sending ends: where the message is, or what kind of failure it was. */
async function end(channel: Channel, message: OutgoingMessage) {
  try {
    return await channel.send(message, await channel.render(database.db, message));
  } catch (error) {
    return channel.classify(error) ?? (error as Error).message;
  }
}

const unique = (texts: readonly string[]) => [...new Set(texts)];

describe('email', () => {
  let server: MailServer | undefined;
  afterEach(() => server?.close());

  async function aSiteWith(options: Parameters<typeof startMailServer>[0] = {}) {
    server = await startMailServer(options);
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    const settings = { ...live.settings, smtpUrl, mailFrom: 'Sarrowby <site@example.org>' };
    await setServiceAddress(database.db, {
      serviceId: 'choir',
      channel: 'email',
      address: 'choir@example.org',
    });
    const composed = await aMessage(database, live, 'service');
    // Drawing the real one takes most of a second; how it travels does not depend on what it says.
    const message = { ...composed, letter: async () => Buffer.from('%PDF-1.7 of somebody'.repeat(200)) };
    return { server, channel: createEmail({ ...live, settings }), message };
  }

  testsOfAnyChannel(async () => {
    const { channel, message, server } = await aSiteWith();
    // To a receiver two mails with the same Message-ID are one; that they are alike to the last byte, too.
    return {
      db: database.db,
      channel,
      message,
      told: async () => unique(server.received.map(({ raw }) => raw)),
    };
  });

  it('goes to the service, and names the person only in the letter', async () => {
    const { channel, message, server } = await aSiteWith();
    expect(await end(channel, message)).toEqual({
      status: 'sent',
      detail: 'The mail server accepted the email.',
    });
    const { raw, to } = server.received[0]!;
    expect(to).toEqual(['choir@example.org']);
    expect(raw).toContain(`Message-ID: <${message.id}@referrals.example.org>`);
    expect(raw).toContain('filename=letter.pdf');
    const letter = raw.split(/\r\n\r\n/).map((part) => Buffer.from(part.split('\r\n--')[0]!, 'base64'));
    const whole = await message.letter();
    expect(letter.some((part) => part.equals(whole))).toBe(true);
    const { patient } = message.referral.content;
    const around = raw.replaceAll(/[A-Za-z0-9+/]{60,}/g, '');
    for (const detail of [patient.given_name, patient.nhs_number!, patient.telephone!, 'Mill Lane'])
      expect(around).not.toContain(detail);
  });

  it.each([
    [451, 'no', 'retry', 'The mail server asked to try again later. (451)'],
    [550, 'no', 'permanent', 'The mail server refused it (550).'],
    [550, '5.1.1 No such user', 'permanent', 'There is no such address, says the mail server (550).'],
  ])('a receiver refused with %i %s is %s', async (responseCode, words, kind, detail) => {
    const { channel, message } = await aSiteWith({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error(words), { responseCode })),
    });
    expect(await end(channel, message)).toEqual({ kind, detail });
  });

  it('a mail refused after it was sent whole is not uncertain', async () => {
    const { channel, message } = await aSiteWith({
      onData: (stream, _session, done) =>
        void stream.resume().on('end', () => done(Object.assign(new Error('spam'), { responseCode: 554 }))),
    });
    expect(await end(channel, message)).toMatchObject({ kind: 'permanent' });
  });

  it('a connection that breaks before all was sent is tried again', async () => {
    const { channel, message } = await aSiteWith({
      onData(stream) {
        stream.once('data', () => server!.breakOff());
      },
    });
    const large = { ...message, letter: async () => Buffer.alloc(30_000_000) };
    expect(await end(channel, large)).toMatchObject({ kind: 'retry' });
  });

  it('one that breaks after it leaves the mail uncertain', async () => {
    const { channel, message } = await aSiteWith({
      onData: (stream) => void stream.resume().on('end', () => server!.breakOff()),
    });
    expect(await end(channel, message)).toEqual({
      kind: 'uncertain',
      detail: 'The mail server did not say whether it took it.',
    });
  });

  it('is retried while the mail server is down', async () => {
    const { channel, message, server: stopped } = await aSiteWith();
    await stopped.close();
    expect(await end(channel, message)).toMatchObject({ kind: 'retry' });
  });

  it('is held on a site without a mail server', async () => {
    const { message } = await aSiteWith();
    expect(await end(createEmail(live), message)).toMatchObject({ kind: 'held', by: 'mail-server' });
  });

  it('is refused for a practice without an address', async () => {
    const { channel } = await aSiteWith();
    const unknown = await aMessage(database, live, 'gp_practice');
    expect(await end(channel, unknown)).toBe('No email address of Mill Lane Surgery is set and confirmed.');
  });
});

describe('the call to a service’s own system', () => {
  let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
  const secret = newSigningSecret();
  beforeAll(async () => {
    receiver = await webhookReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answer = receiver.works;
  });

  /** A test site's rules let it call this computer; the channel itself is the live one's. */
  async function aCall(address = receiver.url) {
    const site = testPlatform('test', { db: database.db, clock, dataDir: '/nowhere' });
    const sealed = site.secrets.seal('delivery webhook', 'choir', secret);
    await setServiceAddress(database.db, { serviceId: 'choir', channel: 'webhook', address, secret: sealed });
    return { channel: createWebhook(site), message: await aMessage(database, site, 'service') };
  }

  testsOfAnyChannel(async () => {
    const told = async () =>
      unique(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`));
    return { db: database.db, ...(await aCall()), told };
  });

  it('is signed, and only says where the referral and letter are', async () => {
    const { channel, message } = await aCall();
    expect(await end(channel, message)).toEqual({
      status: 'sent',
      detail: 'Their system accepted it (204).',
    });
    const { headers, body } = receiver.received[0]!;
    expect(headers['webhook-id']).toBe(message.id);
    const now = Date.now;
    Date.now = () => clock.now().getTime();
    try {
      expect(new StandardWebhook(secret).verify(body, headers as never)).toEqual({
        id: message.id,
        type: 'referral.delivery',
        version: 1,
        created_at: message.createdAt.toISOString(),
        simulated: true,
        resource: {
          type: 'referral',
          id: message.referral.id,
          href: expect.stringContaining(`/api/referrals/${message.referral.id}`),
        },
        letter: { href: expect.stringContaining(`/api/referrals/${message.referral.id}/letter.pdf`) },
      });
    } finally {
      Date.now = now;
    }
  });

  it.each([
    [408, 'retry'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [302, 'permanent'],
    [400, 'permanent'],
    [410, 'permanent'],
  ])('an answer of %i is %s', async (status, kind) => {
    receiver.answer = (response) => void response.writeHead(status).end();
    const { channel, message } = await aCall();
    expect(await end(channel, message)).toEqual({ kind, detail: `Their system answered ${status}.` });
  });

  it('is uncertain after a broken answer, not if never answered', async () => {
    receiver.answer = (response) => void response.destroy();
    const { channel, message } = await aCall();
    expect(await end(channel, message)).toEqual({
      kind: 'uncertain',
      detail: 'The message went out to their system. It broke the connection off.',
    });
    const away = await aCall('http://127.0.0.1:9/told');
    expect(await end(away.channel, away.message)).toEqual({
      kind: 'retry',
      detail: 'Their system: Nothing listens at its address.',
    });
  });

  it('does not blame their system for an error of our database', async () => {
    const { message } = await aCall();
    const gone = await testDatabase();
    const channel = createWebhook(testPlatform('test', { db: gone.db, clock, dataDir: '/nowhere' }));
    await withoutTable(gone.db, 'delivery_addresses', async () => {
      const error = await channel.render(gone.db, message).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: '42P01' });
      expect(channel.classify(error)).toBeUndefined();
    });
    await gone.close();
  });

  it('needs an address and a secret, and goes to services alone', async () => {
    const { channel, message } = await aCall();
    const toPractice = { ...message, leg: 'gp_practice' } as const;
    expect(await end(channel, toPractice)).toBe('Only services can be sent webhooks.');
    await setServiceAddress(database.db, { serviceId: 'choir', channel: 'webhook', address: receiver.url });
    expect(await end(channel, message)).toContain('no secret');
    await deleteAddresses(database.db, 'webhook');
    expect(await end(channel, message)).toBe('No address of a system of Sarrowby Community Choir is set.');
  });
});
